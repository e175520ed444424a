#pragma once

#include <ermine/gas_medium.hpp>

#include "reference/scattering_slab.hpp"
#include "reference/slab.hpp"

#include <array>
#include <functional>
#include <span>

namespace ermine::cli {

/// A gas of one component between two infinite walls.
struct GasSlab {
  const GasMedium& gas;
  double length;                              ///< [m]
  std::function<double(double)> temperature;  ///< [K] over x [m]
  std::array<double, 2> wall_temperature;     ///< [K]
  std::array<double, 2> emissivity;
};

/// Deterministic solution with every spectral point of the medium: Planck's function at every
/// temperature, and k along cubics through the table, so that the interpolation is not that of the
/// Monte Carlo solver. Uses all threads.
reference::SlabSolution solve_gas_slab(const GasSlab& problem, std::span<const double> positions,
                                       const reference::SlabResolution& resolution = {});

/// The same as averages between consecutive `faces`.
reference::SlabSolution solve_gas_slab_cells(const GasSlab& problem, std::span<const double> faces,
                                             const reference::SlabResolution& resolution = {});

/// The same with particles that absorb so much [1/m] at all wavelengths and scatter, for walls and
/// gas of the whole spectrum; with fewer directions than the gas alone, and none of its digits.
reference::SlabSolution solve_scattering_gas_slab(const GasSlab& problem, double absorption,
                                                  const reference::SlabScattering& scattering,
                                                  std::span<const double> faces);

}  // namespace ermine::cli
