#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

namespace ermine::reference {

/// Gas between two parallel, infinite, diffuse grey walls at x = from and x = to [m].
struct Slab {
  double from;
  double to;
  std::array<double, 2> emissivity;  ///< of the low and the high wall, 0 to 1
  /// Where absorption or intensity of any spectral point is continuous but not smooth, such as
  /// where the temperature passes a node of a table that is interpolated linearly. Places outside
  /// the slab have no effect.
  std::vector<double> kinks = {};
};

/// One spectral point. Intensities are blackbody intensities with the spectral weight included.
/// The functions are called on [from, to] and should be continuous, and smooth between kinks: a
/// jump costs an error of first order in the size of the sub-intervals, an unknown kink of second.
struct SlabPoint {
  std::function<double(double)> absorption;  ///< k(x) [1/m], >= 0, any optical thickness
  std::function<double(double)> intensity;   ///< I(x) [W/(m^2 sr)]
  std::array<double, 2> wall_intensity;      ///< of the low and the high wall [W/(m^2 sr)]
};

/// The cost is proportional to both numbers. For smooth intensity and absorption the defaults give
/// an error of 1e-8 of max |Q| at optical thickness 1, and of the order of 1e-7 from 1e-5 to 1e5.
struct SlabResolution {
  /// Least number of sub-intervals across the slab. Positions and faces asked for become nodes
  /// too. Intensity is a cubic in optical depth on each; error falls as the fourth power.
  int intervals = 256;
  /// Gauss points in the cosine mu of the polar angle for radiation from the gas (radiation from
  /// the walls is exact). The error for a thin gas is 4e-7 of its emission at 24, 5e-8 at 32.
  int directions = 24;
};

/// Sums over the spectral points.
struct SlabSolution {
  /// Q = div q = k (4 pi I - G) [W/m^3], positive where gas loses heat: one value per position,
  /// or one average per cell.
  std::vector<double> flux_divergence;
  /// Emission minus absorption of the low and the high wall [W/m^2], positive where the wall
  /// loses heat. The integral of Q over the slab plus both wall fluxes is zero.
  std::array<double, 2> wall_flux{};
};

/// Flux divergence at `positions`, in any order, on [from, to].
SlabSolution solve_slab(const Slab& slab, std::span<const SlabPoint> points,
                        std::span<const double> positions, const SlabResolution& resolution = {});

/// Averages of the flux divergence between consecutive `faces`, which ascend on [from, to]. They
/// are differences of the radiative flux, so cells that fill the slab balance the wall fluxes to
/// rounding.
SlabSolution solve_slab_cells(const Slab& slab, std::span<const SlabPoint> points,
                              std::span<const double> faces, const SlabResolution& resolution = {});

}  // namespace ermine::reference
