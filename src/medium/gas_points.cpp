#include "medium/gas_points.hpp"

#include "core/sorted_order.hpp"
#include "medium/temperature_position.hpp"

#include <algorithm>
#include <array>

namespace ermine {
namespace {

/// A value per row of each component.
using RowValues = std::array<std::vector<double>, all_species.size()>;

/// Of the k of every row, at the largest amount: the largest at nodes `first` to `last`, counted
/// among those of the gas, and any line width.
RowValues largest_of_rows(const GasMedium& gas, std::size_t first, std::size_t last, int threads) {
  RowValues values;
  const std::size_t nodes = gas.temperature().size() - gas.first_gas_node();
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    const GasComponent& component = gas.component(c);
    const double amount = *std::max_element(component.amount.begin(), component.amount.end());
    const std::size_t layers = component.broadening.size();
    const std::size_t rows = component.rows.size() / (layers * nodes);
    values[c].resize(rows);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t row = 0; row < rows; ++row) {
      float largest = 0;
      for (std::size_t layer = 0; layer < layers; ++layer) {
        const float* k = component.rows.data() + (row * layers + layer) * nodes;
        largest = std::max(largest, *std::max_element(k + first, k + last + 1));
      }
      values[c][row] = amount * static_cast<double>(largest);
    }
  }
  return values;
}

double sum_of_rows(const RowValues& values, const JointPoint& point) {
  double sum = 0.0;
  for (std::size_t c = 0; c < point.row.size(); ++c) {
    if (point.row[c] >= 0) sum += values[c][static_cast<std::size_t>(point.row[c])];
  }
  return sum;
}

std::vector<double> sums_of_rows(const RowValues& values, std::span<const GasListPoint> points) {
  std::vector<double> sums(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) sums[i] = sum_of_rows(values, points[i].joint);
  return sums;
}

double intensity_at(const GasMedium& gas, std::size_t part, double kelvin) {
  const double within = std::clamp(kelvin, gas.temperature().front(), gas.temperature().back());
  const double position =
      position_among(gas.temperature(), within) * static_cast<double>(gas.intensity_steps());
  const auto row = gas.blackbody_intensity(part);
  const auto node = std::min(static_cast<std::size_t>(position), row.size() - 2);
  return row[node] + (position - static_cast<double>(node)) * (row[node + 1] - row[node]);
}

}  // namespace

std::vector<GasListPoint> gas_points(const GasMedium& gas, int threads) {
  std::vector<GasListPoint> points;
  for (std::size_t part = 0; part < gas.part_count(); ++part) {
    for (const JointPoint& joint : joint_points(gas, part)) {
      points.push_back({static_cast<int>(part), joint});
    }
  }
  const std::size_t middle = (gas.temperature().size() - gas.first_gas_node()) / 2;
  const auto order = sorted_order<std::size_t>(
      sums_of_rows(largest_of_rows(gas, middle, middle, threads), points));
  std::vector<GasListPoint> sorted;
  sorted.reserve(points.size());
  for (const std::size_t i : order) sorted.push_back(points[i]);
  return sorted;
}

std::vector<double> peak_absorption(const GasMedium& gas, std::span<const GasListPoint> points,
                                    int threads) {
  const std::size_t nodes = gas.temperature().size() - gas.first_gas_node();
  return sums_of_rows(largest_of_rows(gas, 0, nodes - 1, threads), points);
}

std::vector<PointStrength> gas_strengths(const GasMedium& gas, std::span<const GasListPoint> points,
                                         const PointDensity& density, int threads) {
  const std::size_t nodes = gas.temperature().size() - gas.first_gas_node();
  const auto node_below = [&](double kelvin) {
    const double within = std::clamp(kelvin, gas.temperature().front(), gas.temperature().back());
    const auto node = static_cast<std::size_t>(position_among(gas.temperature(), within));
    return node <= gas.first_gas_node() ? 0 : std::min(node - gas.first_gas_node(), nodes - 1);
  };
  const std::size_t hot = node_below(density.hottest);
  const std::size_t last = std::min(hot + 1, nodes - 1);
  const RowValues hottest = largest_of_rows(gas, hot, last, threads);
  const RowValues largest =
      largest_of_rows(gas, density.emission() ? 0 : node_below(density.coldest),
                      density.emission() ? nodes - 1 : last, threads);

  struct PartStrength {
    double hottest, largest, coldest, between_walls;
  };
  std::vector<PartStrength> of_part;
  for (std::size_t part = 0; part < gas.part_count(); ++part) {
    const auto row = gas.blackbody_intensity(part);
    of_part.push_back({intensity_at(gas, part, density.hottest), row.back(),
                       intensity_at(gas, part, density.coldest),
                       intensity_at(gas, part, density.wall_hottest) -
                           intensity_at(gas, part, density.wall_coldest)});
  }
  std::vector<PointStrength> strengths(points.size());
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t i = 0; i < points.size(); ++i) {
    const JointPoint& joint = points[i].joint;
    const PartStrength& part = of_part[static_cast<std::size_t>(points[i].part)];
    strengths[i] = point_strength(
        density,
        {.hottest_absorption = sum_of_rows(hottest, joint),
         .largest_absorption = sum_of_rows(largest, joint),
         .hottest_intensity = joint.weight * part.hottest,
         .largest_intensity = joint.weight * (density.emission() ? part.largest : part.hottest),
         .coldest_intensity = joint.weight * part.coldest,
         .between_walls = joint.weight * part.between_walls});
  }
  return strengths;
}

}  // namespace ermine
