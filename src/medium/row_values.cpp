#include "medium/row_values.hpp"

#include "medium/temperature_position.hpp"

#include <algorithm>
#include <numeric>

namespace ermine {

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

RowValues at_mean_amounts(const GasMedium& gas, RowValues values) {
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    const std::vector<double>& amount = gas.component(c).amount;
    const double most = *std::max_element(amount.begin(), amount.end());
    if (!(most > 0)) continue;
    const double sum = std::accumulate(amount.begin(), amount.end(), 0.0);
    const double share = sum / (most * static_cast<double>(amount.size()));
    for (double& value : values[c]) value *= share;
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

std::size_t gas_node_below(const GasMedium& gas, double kelvin) {
  const std::size_t nodes = gas.temperature().size() - gas.first_gas_node();
  const double within = std::clamp(kelvin, gas.temperature().front(), gas.temperature().back());
  const auto node = static_cast<std::size_t>(position_among(gas.temperature(), within));
  return node <= gas.first_gas_node() ? 0 : std::min(node - gas.first_gas_node(), nodes - 1);
}

double intensity_at(const GasMedium& gas, std::size_t part, double kelvin) {
  const double within = std::clamp(kelvin, gas.temperature().front(), gas.temperature().back());
  const double position =
      position_among(gas.temperature(), within) * static_cast<double>(gas.intensity_steps());
  const auto row = gas.blackbody_intensity(part);
  const auto node = std::min(static_cast<std::size_t>(position), row.size() - 2);
  return row[node] + (position - static_cast<double>(node)) * (row[node + 1] - row[node]);
}

}  // namespace ermine
