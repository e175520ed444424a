#include "medium/gas_strengths.hpp"

#include "medium/temperature_position.hpp"

#include <algorithm>

namespace ermine {

GasStrengths gas_strengths(const GasMedium& medium, const PointDensity& density) {
  GasStrengths strengths;
  const std::size_t nodes = medium.temperature().size();
  const std::size_t gas_nodes = nodes - medium.first_gas_node();
  const double hot = position_among(medium.temperature(), density.hottest);
  const double cold = position_among(medium.temperature(), density.coldest);
  const auto intensity_at = [&](std::size_t band, double position) {
    const auto row = medium.blackbody_intensity(band);
    const double fine = position * static_cast<double>(medium.intensity_steps());
    const auto node = std::min(static_cast<std::size_t>(fine), row.size() - 2);
    return row[node] + (fine - static_cast<double>(node)) * (row[node + 1] - row[node]);
  };
  for (std::size_t b = 0; b < medium.part_count(); ++b) {
    const double least = intensity_at(b, cold);
    const double most_intense = intensity_at(b, hot);
    strengths.intensity.push_back(most_intense - (density.emission() ? 0.0 : least));
    strengths.softness.push_back(most_intense > 0 ? least / most_intense : 0.0);
  }
  // Nodes of k around the temperatures in question.
  const auto gas_node = [&](double position) {
    const auto node = static_cast<std::size_t>(position);
    return node <= medium.first_gas_node() ? 0 : node - medium.first_gas_node();
  };
  const std::size_t last = std::min(gas_node(hot) + 1, gas_nodes - 1);
  const std::size_t first = density.emission() ? std::min(gas_node(hot), last) : gas_node(cold);
  const std::size_t points = medium.weights().size();
  std::vector<double> seen(medium.part_count());  // by walls, of the densest species of each band
  for (std::size_t c = 0; c < medium.component_count(); ++c) {
    const GasComponent& gas = medium.component(c);
    const double amount = *std::max_element(gas.amount.begin(), gas.amount.end());
    const std::size_t layers = gas.broadening.size();
    std::vector<double>& emission = strengths.emission.emplace_back();
    std::vector<double> seen_of_gas(medium.part_count());
    for (std::size_t row = 0; row < gas.band.size() * points; ++row) {
      const float* rows = gas.rows.data() + row * layers * gas_nodes;
      float largest = 0;
      for (std::size_t layer = 0; layer < layers; ++layer) {
        const float* values = rows + layer * gas_nodes;
        largest = std::max(largest, *std::max_element(values + first, values + last + 1));
      }
      // A point that is dark at Tmax may shine elsewhere and must keep a chance of being drawn.
      if (!(largest > 0)) largest = *std::max_element(rows, rows + layers * gas_nodes);
      const double k = amount * static_cast<double>(largest);
      const auto band = static_cast<std::size_t>(gas.band[row / points]);
      emission.push_back(k / (1 + k * density.length) * strengths.intensity[band]);
      seen_of_gas[band] += medium.weights()[row % points] * density.seen(k);
    }
    for (std::size_t b = 0; b < seen.size(); ++b) seen[b] = std::max(seen[b], seen_of_gas[b]);
  }
  const double wall_hot = position_among(medium.temperature(), density.wall_hottest);
  const double wall_cold = position_among(medium.temperature(), density.wall_coldest);
  for (std::size_t b = 0; b < medium.part_count(); ++b) {
    constexpr double least = 1e-2;  // for what the mean of a band hides
    const double between_walls =
        density.wall_hottest > 0 ? intensity_at(b, wall_hot) - intensity_at(b, wall_cold) : 0.0;
    strengths.wall.push_back(density.emission()
                                 ? strengths.intensity[b]
                                 : (seen[b] + least) * strengths.intensity[b] + between_walls);
  }
  return strengths;
}

}  // namespace ermine
