#include <ermine/error.hpp>
#include <ermine/output.hpp>

#include "comparisons.hpp"
#include "reference/box.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ermine::cli {
namespace {

// S. P. Burns & M. A. Christon, Numerical Heat Transfer B 31 (1997) [1/m].
double peaked_absorption(double x, double y, double z) {
  return 0.9 * (1 - 2 * std::abs(x)) * (1 - 2 * std::abs(y)) * (1 - 2 * std::abs(z)) + 0.1;
}

}  // namespace

Comparison compare_burns_christon(const Case& problem, const Result& result, const ReferenceData&) {
  const reference::BoxProblem exact{{{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}},
                                    peaked_absorption,
                                    [](double, double, double) { return 1 / std::numbers::pi; },
                                    {{{0.0}, {0.0}, {0.0}}},
                                    {}};
  const Grid& grid = problem.grid;
  if (grid.cells(1) % 2 == 0 || grid.cells(2) % 2 == 0) {
    throw Error(
        "the axis of burns-christon needs cells in the middle, set grid.y.cells and grid.z.cells "
        "to odd numbers");
  }
  Comparison comparison;
  for (std::size_t i = 0; i < grid.cells(0); ++i) {
    const std::size_t cell =
        i + grid.cells(0) * (grid.cells(1) / 2 + grid.cells(1) * (grid.cells(2) / 2));
    comparison.coordinate.push_back(grid.centre(0, i));
    comparison.computed.push_back(result.flux_divergence[cell]);
    comparison.standard_error.push_back(result.standard_error[cell]);
    comparison.reference.push_back(
        reference::box_flux_divergence(exact, {grid.centre(0, i), 0.0, 0.0}, 12));
  }
  return comparison;
}

Comparison compare_with_nothing(const Case& problem, const Result& result, const ReferenceData&) {
  const Profile profile = plane_average(problem.grid, problem.temperature, result, 0);
  Comparison comparison{profile.coordinate, profile.flux_divergence, profile.standard_error,
                        std::vector<double>(profile.coordinate.size(), 0.0)};
  comparison.scale = *std::max_element(profile.emission.begin(), profile.emission.end());
  // Averages could hide cells that cancel.
  double cell = 0.0;
  for (const double q : result.flux_divergence) cell = std::max(cell, std::abs(q));
  double wall = 0.0;
  for (const WallFlux& side : result.wall_flux) {
    for (const double q : side.net_flux) wall = std::max(wall, std::abs(q));
  }
  comparison.checks = {{"largest |Q| of a cell [W/m3]", {cell, 0.0}, 0.0, 0.0},
                       {"largest |heat flux| of a wall [W/m2]", {wall, 0.0}, 0.0, 0.0},
                       {"lost rays", {static_cast<double>(result.rays.lost), 0.0}, 0.0, 0.0}};
  return comparison;
}

}  // namespace ermine::cli
