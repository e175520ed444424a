#include "gas_slab.hpp"

#include "medium/gas_storage.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ermine::cli {
namespace {

/// Places where the temperature passes a node of k or of the intensity: there are kinks.
std::vector<double> kinks(const GasSlab& problem) {
  constexpr int samples = 4096;
  const double steps = static_cast<double>(problem.gas.intensity_steps());
  const auto position = [&](double x) {
    return steps * position_among(problem.gas.temperature(), problem.temperature(x));
  };
  std::vector<double> places;
  for (int i = 0; i < samples; ++i) {
    double low = problem.length * i / samples;
    double high = problem.length * (i + 1) / samples;
    const double node = std::ceil(std::min(position(low), position(high)));
    if (!(node < std::max(position(low), position(high)))) continue;
    const bool rising = position(high) > position(low);
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = 0.5 * (low + high);
      (rising == (position(middle) < node) ? low : high) = middle;
    }
    places.push_back(low);
  }
  return places;
}

/// Value of a row at a fractional node.
template <class Row>
double at(const Row& row, double position) {
  const auto node = std::min(static_cast<std::size_t>(position), row.size() - 2);
  const double low = static_cast<double>(row[node]);
  return low + (position - static_cast<double>(node)) * (static_cast<double>(row[node + 1]) - low);
}

reference::SlabPoint spectral_point(const GasSlab& problem, std::size_t band, std::size_t point) {
  const GasMedium& gas = problem.gas;
  const GasComponent& component = gas.component(0);
  const std::size_t gas_nodes = gas.temperature().size() - gas.first_gas_node();
  const std::size_t row = band * gas.weights().size() + point;
  const auto absorption = std::span(component.rows).subspan(row * gas_nodes, gas_nodes);
  const auto intensity = gas.blackbody_intensity(static_cast<std::size_t>(component.band[band]));
  const double weight = gas.weights()[point];
  const auto position = [&gas](double kelvin) { return position_among(gas.temperature(), kelvin); };
  const double first = static_cast<double>(gas.first_gas_node());
  const double steps = static_cast<double>(gas.intensity_steps());
  return {[&problem, &component, absorption, position, first](double x) {
            return component.amount[0] * at(absorption, position(problem.temperature(x)) - first);
          },
          [&problem, intensity, position, weight, steps](double x) {
            return weight * at(intensity, steps * position(problem.temperature(x)));
          },
          {weight * at(intensity, steps * position(problem.wall_temperature[0])),
           weight * at(intensity, steps * position(problem.wall_temperature[1]))}};
}

void add(reference::SlabSolution& sum, const reference::SlabSolution& part) {
  sum.flux_divergence.resize(part.flux_divergence.size());
  for (std::size_t i = 0; i < part.flux_divergence.size(); ++i) {
    sum.flux_divergence[i] += part.flux_divergence[i];
  }
  for (std::size_t wall = 0; wall < 2; ++wall) sum.wall_flux[wall] += part.wall_flux[wall];
}

}  // namespace

reference::SlabSolution solve_gas_slab(const GasSlab& problem, std::span<const double> positions,
                                       const reference::SlabResolution& resolution) {
  const reference::Slab slab{0.0, problem.length, problem.emissivity, kinks(problem)};
  const std::size_t bands = problem.gas.component(0).band.size();
  // Summed band by band in order: the same bits on any number of threads.
  std::vector<reference::SlabSolution> parts(bands);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t band = 0; band < bands; ++band) {
    std::vector<reference::SlabPoint> points;
    for (std::size_t point = 0; point < problem.gas.weights().size(); ++point) {
      points.push_back(spectral_point(problem, band, point));
    }
    parts[band] = reference::solve_slab(slab, points, positions, resolution);
  }
  reference::SlabSolution sum;
  for (const reference::SlabSolution& part : parts) add(sum, part);
  return sum;
}

}  // namespace ermine::cli
