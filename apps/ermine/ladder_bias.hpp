#pragma once

#include <ermine/grid.hpp>
#include <ermine/result.hpp>

#include <span>
#include <vector>

namespace ermine::cli {

/// Two independent runs of the same problem: Q of each cell, x fastest [W/m3].
struct TwinFields {
  std::vector<double> a;
  std::vector<double> b;
};

/// How a field is compared with another: cell by cell, or planes normal to x first averaged, where
/// the problem varies along x only.
enum class Comparing { cells, planes };

/// Mean over the domain of the squared difference between the expectations of two fields. With
/// common random numbers `twin.a - reference.a` has little noise left; that of a and of b is
/// independent, so the mean of its product with `twin.b - reference.b` has none on average. The
/// standard error is a jackknife over blocks of cells that each lie all over the domain. Uniform
/// grids.
Estimate squared_difference(const Grid& grid, const TwinFields& twin, const TwinFields& reference,
                            Comparing comparing);

/// Largest absolute value of a field [W/m3], noise included.
double largest(const Grid& grid, const TwinFields& field, Comparing comparing);

/// Root mean square [W/m3], without noise on average.
double root_mean_square(const Grid& grid, const TwinFields& field, Comparing comparing);

}  // namespace ermine::cli
