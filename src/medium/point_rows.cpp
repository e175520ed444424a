#include "medium/point_rows.hpp"

#include <algorithm>
#include <numeric>

namespace ermine {

std::vector<std::size_t> PointRows::by_absorption() const {
  const std::size_t nodes = temperature.size();
  std::vector<std::size_t> order(absorption.size() / nodes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const double middle = (temperature.front() + temperature.back()) / 2;
  const auto node = static_cast<std::size_t>(position_among(temperature, middle) + 0.5);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return absorption[a * nodes + node] < absorption[b * nodes + node];
  });
  return order;
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

std::optional<PointRows> point_rows(const GasMedium& gas, const PointDensity& density) {
  constexpr std::size_t most_values = std::size_t{1} << 23;
  if (gas.component_count() != 1) return std::nullopt;
  const GasComponent& component = gas.component(0);
  if (component.amount.size() > 1 || component.broadening.size() > 1) return std::nullopt;

  // Nodes of the intensity from the coldest to the hottest temperature of gas and walls.
  const std::size_t steps = gas.intensity_steps();
  const double cold = position_among(gas.temperature(), density.coldest);
  const double hot = position_among(gas.temperature(), density.hottest);
  const double fine = static_cast<double>(steps);
  const auto last = std::min(static_cast<std::size_t>(hot * fine) + 1, gas.intensity_nodes() - 1);
  const auto first = std::min(static_cast<std::size_t>(cold * fine), last - 1);
  const std::size_t nodes = last - first + 1;
  const std::size_t points = gas.weights().size();
  if ((component.band.size() * points + gas.part_count()) * nodes > most_values) {
    return std::nullopt;
  }

  PointRows rows;
  rows.covered = {gas.coldest(), gas.hottest()};
  for (std::size_t t = first; t <= last; ++t) {
    const auto low = gas.temperature()[t / steps];
    const auto high = gas.temperature()[std::min(t / steps + 1, gas.temperature().size() - 1)];
    rows.temperature.push_back(low + (high - low) * static_cast<double>(t % steps) / fine);
  }
  const std::size_t gas_nodes = gas.temperature().size() - gas.first_gas_node();
  const auto absorption_at = [&](std::size_t row, std::size_t t) {
    if (t / steps < gas.first_gas_node()) return 0.0;  // colder than the gas can be
    const std::size_t node = t / steps - gas.first_gas_node();
    const float* values = component.rows.data() + row * gas_nodes;
    const double low = static_cast<double>(values[node]);
    const double high = static_cast<double>(values[std::min(node + 1, gas_nodes - 1)]);
    return component.amount[0] * (low + (high - low) * static_cast<double>(t % steps) / fine);
  };
  const auto add_point = [&](std::size_t part, double weight, std::optional<std::size_t> row) {
    const auto intensity = gas.blackbody_intensity(part);
    for (std::size_t t = first; t <= last; ++t) {
      rows.absorption.push_back(row ? absorption_at(*row, t) : 0.0);
      rows.intensity.push_back(weight * intensity[t]);
    }
  };
  for (std::size_t part = 0; part < gas.part_count(); ++part) {
    const int first_row = component.first_row[part];
    if (first_row < 0) {
      add_point(part, 1.0, std::nullopt);
      continue;
    }
    for (std::size_t g = 0; g < points; ++g) {
      add_point(part, gas.weights()[g], static_cast<std::size_t>(first_row) + g);
    }
  }
  return rows;
}

}  // namespace ermine
