#pragma once

#include "reference/slab.hpp"

#include <functional>
#include <span>

namespace ermine::reference {

/// Particles between the walls of a Slab that scatter, as Henyey and Greenstein have it.
struct SlabScattering {
  std::function<double(double)> coefficient;  ///< over x [1/m]
  double asymmetry = 0.0;
};

struct ScatteringResolution {
  int intervals = 16;   ///< of equal width in each cell
  int directions = 32;  ///< Gauss points of the cosine from 0 to 1, and as many from -1 to 0
};

/// As solve_slab_cells(), by discrete ordinates: exact along each direction for a source that is
/// linear in optical depth between nodes, which is found by iteration. The error falls as the
/// square of the size of the intervals. The number of iterations grows as 1 / (1 - albedo).
SlabSolution solve_scattering_slab(const Slab& slab, std::span<const SlabPoint> points,
                                   const SlabScattering& scattering, std::span<const double> faces,
                                   const ScatteringResolution& resolution = {});

}  // namespace ermine::reference
