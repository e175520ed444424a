#include "medium/point_rows.hpp"

#include "core/sorted_order.hpp"
#include "medium/gas_of_scene.hpp"
#include "medium/joint_points.hpp"
#include "medium/scene_nodes.hpp"
#include "medium/scene_temperatures.hpp"
#include "medium/smooth_rows.hpp"

#include <algorithm>

namespace ermine {

std::vector<std::size_t> PointRows::by_absorption() const {
  const std::size_t nodes = temperature.size();
  const double middle = (temperature.front() + temperature.back()) / 2;
  const auto node = static_cast<std::size_t>(position_among(temperature, middle) + 0.5);
  std::vector<double> keys(absorption.size() / nodes);
  for (std::size_t point = 0; point < keys.size(); ++point) {
    keys[point] = absorption[point * nodes + node];
  }
  return sorted_order<std::size_t>(keys);
}

PointRows point_rows(const SpectralList& list) {
  PointRows rows;
  const TemperatureNodes& nodes = list.nodes();
  for (std::size_t t = 0; t < nodes.count; ++t) {
    rows.temperature.push_back(nodes.first + nodes.step * static_cast<double>(t));
  }
  rows.covered = {nodes.first, nodes.last()};
  for (std::size_t point = 0; point < list.point_count(); ++point) {
    const auto k = list.absorption_coefficient(point);
    const auto intensity = list.blackbody_intensity(point);
    rows.absorption.insert(rows.absorption.end(), k.begin(), k.end());
    rows.intensity.insert(rows.intensity.end(), intensity.begin(), intensity.end());
  }
  return rows;
}

PointRows point_rows(const SpectralList& list, const PointDensity& density, int threads) {
  constexpr std::size_t most_values = std::size_t{1} << 27;
  PointRows rows;
  rows.covered = {list.nodes().first, list.nodes().last()};
  std::vector<double> table;
  for (std::size_t t = 0; t < list.nodes().count; ++t) {
    table.push_back(list.nodes().first + list.nodes().step * static_cast<double>(t));
  }
  rows.temperature = scene_temperatures(table, density).kelvin;
  if (rows.temperature.empty() || list.point_count() * rows.temperature.size() > most_values) {
    // Those of the list, from below the coldest to above the hottest.
    const auto position = [&](double kelvin) {
      return position_among(table, std::clamp(kelvin, table.front(), table.back()));
    };
    const double hottest = position(density.hottest * (1 + scene_margin));
    const double coldest = position(density.coldest * (1 - scene_margin));
    const auto last = std::min(static_cast<std::size_t>(hottest) + 1, table.size() - 1);
    const auto first = std::min(static_cast<std::size_t>(coldest), last - 1);
    const auto begin = table.begin() + static_cast<std::ptrdiff_t>(first);
    rows.temperature.assign(begin, table.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  }
  const SmoothRows smooth(table, rows.temperature);
  const std::size_t nodes = rows.temperature.size();
  rows.absorption.resize(list.point_count() * nodes);
  rows.intensity.resize(list.point_count() * nodes);
#pragma omp parallel num_threads(threads)
  {
    SmoothRows::Scratch scratch;
#pragma omp for schedule(static)
    for (std::size_t point = 0; point < list.point_count(); ++point) {
      smooth(list.absorption_coefficient(point).data(), rows.absorption.data() + point * nodes,
             scratch);
      smooth(list.blackbody_intensity(point).data(), rows.intensity.data() + point * nodes,
             scratch);
    }
  }
  return rows;
}

namespace {

/// Where the k and the intensity of a spectral point come from.
struct PointSource {
  std::size_t part;
  JointPoint point;
};

std::vector<PointSource> sources(const GasMedium& gas) {
  std::vector<PointSource> sources;
  for (std::size_t part = 0; part < gas.part_count(); ++part) {
    for (const JointPoint& point : joint_points(gas, part)) sources.push_back({part, point});
  }
  return sources;
}

}  // namespace

std::optional<PointRows> point_rows(const GasMedium& table, const PointDensity& density,
                                    int threads) {
  constexpr std::size_t most_values = std::size_t{1} << 24;
  if (table.cell_count() > 1) return std::nullopt;
  const GasMedium gas = gas_of_scene(table, density, threads);

  const SceneNodes scene(gas, density);
  const std::size_t nodes = scene.count();
  const std::vector<PointSource> points_of_gas = sources(gas);
  if (points_of_gas.size() * nodes > most_values) return std::nullopt;

  PointRows rows;
  rows.covered = {gas.coldest(), gas.hottest()};
  rows.temperature = scene.kelvin();
  const std::size_t gas_nodes = gas.temperature().size() - gas.first_gas_node();
  rows.absorption.resize(points_of_gas.size() * nodes);
  rows.intensity.resize(points_of_gas.size() * nodes);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t point = 0; point < points_of_gas.size(); ++point) {
    const auto& [part, joint] = points_of_gas[point];
    const double* intensity = gas.blackbody_intensity(part).data() + scene.first();
    double* absorption = rows.absorption.data() + point * nodes;
    std::fill_n(absorption, nodes, 0.0);
    for (std::size_t c = 0; c < gas.component_count(); ++c) {
      if (joint.row[c] < 0) continue;
      const GasComponent& component = gas.component(c);
      const float* k = component.rows.data() + static_cast<std::size_t>(joint.row[c]) * gas_nodes;
      for (std::size_t t = 0; t < nodes; ++t) {
        absorption[t] += component.amount[0] * scene.absorption(k, t);
      }
    }
    for (std::size_t t = 0; t < nodes; ++t) {
      rows.intensity[point * nodes + t] = joint.weight * intensity[t];
    }
  }
  return rows;
}

}  // namespace ermine
