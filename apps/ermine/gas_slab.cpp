#include "gas_slab.hpp"

#include <ermine/planck.hpp>

#include "core/constants.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ermine::cli {
namespace {

double linear(std::span<const double> nodes, std::span<const float> row, double kelvin) {
  const auto above = std::upper_bound(nodes.begin() + 1, nodes.end() - 1, kelvin);
  const auto node = static_cast<std::size_t>(above - nodes.begin()) - 1;
  const double part = (kelvin - nodes[node]) / (nodes[node + 1] - nodes[node]);
  return std::lerp(double{row[node]}, double{row[node + 1]}, part);
}

/// k at a temperature: the cubic in ln T through the logarithms at the four nodes around it. The
/// Monte Carlo solver finds it in another way.
double absorption_at(std::span<const double> nodes, std::span<const float> row, double kelvin) {
  if (nodes.size() < 4) return linear(nodes, row, kelvin);
  const auto above = std::upper_bound(nodes.begin() + 2, nodes.end() - 2, kelvin);
  const auto first = static_cast<std::size_t>(above - nodes.begin()) - 2;
  double sum = 0.0;
  for (std::size_t i = first; i < first + 4; ++i) {
    if (!(row[i] > 0)) return linear(nodes, row, kelvin);
    double weight = 1.0;
    for (std::size_t j = first; j < first + 4; ++j) {
      if (j != i) weight *= std::log(kelvin / nodes[j]) / std::log(nodes[i] / nodes[j]);
    }
    sum += weight * std::log(double{row[i]});
  }
  return std::exp(sum);
}

reference::SlabPoint spectral_point(const GasSlab& problem, std::size_t band, std::size_t point) {
  const GasMedium& gas = problem.gas;
  const GasComponent& component = gas.component(0);
  const auto nodes = gas.temperature().subspan(gas.first_gas_node());
  const std::size_t row = band * gas.weights().size() + point;
  const auto absorption = std::span(component.rows).subspan(row * nodes.size(), nodes.size());
  const auto intensity = [planck = gas.bands()[static_cast<std::size_t>(component.band[band])],
                          weight = gas.weights()[point]](double kelvin) {
    return weight * planck_intensity(planck, kelvin);
  };
  return {[&problem, &component, absorption, nodes](double x) {
            return component.amount[0] * absorption_at(nodes, absorption, problem.temperature(x));
          },
          [&problem, intensity](double x) { return intensity(problem.temperature(x)); },
          {intensity(problem.wall_temperature[0]), intensity(problem.wall_temperature[1])}};
}

void add(reference::SlabSolution& sum, const reference::SlabSolution& part) {
  sum.flux_divergence.resize(part.flux_divergence.size());
  for (std::size_t i = 0; i < part.flux_divergence.size(); ++i) {
    sum.flux_divergence[i] += part.flux_divergence[i];
  }
  for (std::size_t wall = 0; wall < 2; ++wall) sum.wall_flux[wall] += part.wall_flux[wall];
}

/// `solve_band` of all bands, summed in their order: the same bits on any number of threads.
template <class Solve>
reference::SlabSolution sum_of_bands(const GasSlab& problem, const Solve& solve_band) {
  const reference::Slab slab{0.0, problem.length, problem.emissivity};
  const std::size_t bands = problem.gas.component(0).band.size();
  std::vector<reference::SlabSolution> parts(bands);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t band = 0; band < bands; ++band) {
    std::vector<reference::SlabPoint> points;
    for (std::size_t point = 0; point < problem.gas.weights().size(); ++point) {
      points.push_back(spectral_point(problem, band, point));
    }
    parts[band] = solve_band(slab, points);
  }
  reference::SlabSolution sum;
  for (const reference::SlabSolution& part : parts) add(sum, part);
  return sum;
}

/// What lies outside all bands of the gas, where particles absorb alone.
reference::SlabPoint rest_of_spectrum(const GasSlab& problem) {
  const auto intensity = [&bands = problem.gas.bands()](double kelvin) {
    double rest = constants::stefan_boltzmann / constants::pi * std::pow(kelvin, 4);
    for (const Band& band : bands) rest -= planck_intensity(band, kelvin);
    return rest;
  };
  return {[](double) { return 0.0; },
          [&problem, intensity](double x) { return intensity(problem.temperature(x)); },
          {intensity(problem.wall_temperature[0]), intensity(problem.wall_temperature[1])}};
}

}  // namespace

reference::SlabSolution solve_scattering_gas_slab(const GasSlab& problem, double absorption,
                                                  const reference::SlabScattering& scattering,
                                                  std::span<const double> faces) {
  const reference::ScatteringResolution coarse{4, 8};
  const auto solve = [&](const reference::Slab& slab, std::vector<reference::SlabPoint> points) {
    for (reference::SlabPoint& point : points) {
      point.absorption = [of_gas = point.absorption, absorption](double x) {
        return of_gas(x) + absorption;
      };
    }
    return reference::solve_scattering_slab(slab, points, scattering, faces, coarse);
  };
  reference::SlabSolution sum = sum_of_bands(problem, solve);
  add(sum, solve({0.0, problem.length, problem.emissivity}, {rest_of_spectrum(problem)}));
  return sum;
}

reference::SlabSolution solve_gas_slab(const GasSlab& problem, std::span<const double> positions,
                                       const reference::SlabResolution& resolution) {
  return sum_of_bands(problem, [&](const reference::Slab& slab, const auto& points) {
    return reference::solve_slab(slab, points, positions, resolution);
  });
}

reference::SlabSolution solve_gas_slab_cells(const GasSlab& problem, std::span<const double> faces,
                                             const reference::SlabResolution& resolution) {
  return sum_of_bands(problem, [&](const reference::Slab& slab, const auto& points) {
    return reference::solve_slab_cells(slab, points, faces, resolution);
  });
}

}  // namespace ermine::cli
