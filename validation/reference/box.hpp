#pragma once

#include <array>
#include <functional>
#include <vector>

namespace ermine::reference {

/// Opposite corners [m].
struct Box {
  std::array<double, 3> low;
  std::array<double, 3> high;
};

/// Gas in a box with black walls, at one spectral point. Intensities are blackbody intensities
/// with the spectral weight included [W/(m^2 sr)].
struct BoxProblem {
  Box box;
  std::function<double(double, double, double)> absorption;  ///< k(x, y, z) [1/m], >= 0
  std::function<double(double, double, double)> intensity;   ///< I(x, y, z)
  /// Per axis, the planes coordinate = const across which absorption or intensity is not smooth.
  std::array<std::vector<double>, 3> kinks;
  std::array<double, 6> wall_intensity;  ///< uniform per wall: x low, x high, y low, ... z high
};

/// Q = div q = k (4 pi I - G) [W/m^3] at a point inside the box, positive where gas loses heat.
///
/// `order` is the number of Gauss points in each of two direction variables, per wall patch, and
/// along each smooth piece of a ray; the cost grows as its cube. The error falls exponentially with
/// it: in a unit cube with smooth medium and k up to 5 1/m, order 12 gives 1e-8 of max |Q| as close
/// as 1/64 to a wall, and 16 gives 1e-11.
///
/// With kinks this holds for points on kink planes of two axes (1e-8 at order 16 if close to the
/// third but not on it). From elsewhere, rays that pass the common edge of two kink planes slow the
/// convergence: 1e-8 at order 16 where slopes jump, as in the cube of Burns & Christon, but only
/// 1e-4 where values jump.
double box_flux_divergence(const BoxProblem& problem, const std::array<double, 3>& point,
                           int order);

}  // namespace ermine::reference
