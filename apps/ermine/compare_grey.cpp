#include <ermine/error.hpp>
#include <ermine/output.hpp>

#include "comparisons.hpp"
#include "core/constants.hpp"
#include "reference/box.hpp"
#include "reference/slab.hpp"

#include <cmath>
#include <numbers>
#include <set>

namespace ermine::cli {
namespace {

double intensity_of(double temperature) {
  return constants::stefan_boltzmann * std::pow(temperature, 4) / std::numbers::pi;
}

/// Cells nearest to the line through the middle of the cube along `axis`, at position i.
std::vector<std::size_t> middle_cells(const Grid& grid, std::size_t axis, std::size_t i) {
  const std::size_t n = grid.cells(0);
  std::vector<std::size_t> cells;
  for (const std::size_t j : {(n - 1) / 2, n / 2}) {
    for (const std::size_t k : {(n - 1) / 2, n / 2}) {
      std::array<std::size_t, 3> index{j, j, j};
      index[axis] = i;
      index[(axis + 2) % 3] = k;
      cells.push_back(index[0] + n * (index[1] + n * index[2]));
    }
  }
  return cells;
}

/// Plane averages over y and z against the exact slab solution.
Comparison compare_slab(const Case& problem, const Result& result,
                        double (*temperature)(double x)) {
  const Profile profile = plane_average(problem.grid, problem.temperature, result, 0);
  const double absorption = std::get<GreyMedium>(problem.medium).absorption_coefficient(0);
  const reference::SlabPoint point{[=](double) { return absorption; },
                                   [=](double x) { return intensity_of(temperature(x)); },
                                   {intensity_of(problem.walls.temperature(Face::x_low, 0)),
                                    intensity_of(problem.walls.temperature(Face::x_high, 0))}};
  const reference::Slab slab{0.0, 1.0, {1.0, 1.0}};
  const auto exact =
      compares_averages(problem.options)
          ? reference::solve_slab_cells(slab, {&point, 1}, problem.grid.axis(0).faces)
          : reference::solve_slab(slab, {&point, 1}, profile.coordinate);
  return {profile.coordinate, profile.flux_divergence, profile.standard_error,
          exact.flux_divergence};
}

}  // namespace

Comparison compare_linear_slab(const Case& problem, const Result& result, const ReferenceData&) {
  return compare_slab(problem, result, [](double x) { return 500 + 1000 * x; });
}

Comparison compare_parabolic_slab(const Case& problem, const Result& result, const ReferenceData&) {
  return compare_slab(problem, result, [](double x) { return 500 - 2000 * x * x + 2000 * x; });
}

Comparison compare_wave_slab(const Case& problem, const Result& result, const ReferenceData&) {
  return compare_slab(problem, result,
                      [](double x) { return 700 + 150 * std::cos(2 * std::numbers::pi * x); });
}

/// Cells around the line y = z = 0.5 and their images under the symmetries of the cube (the other
/// two axes, both directions), against point values of the quadrature at their centres.
Comparison compare_cube(const Case& problem, const Result& result, const ReferenceData&) {
  const Grid& grid = problem.grid;
  if (grid.cells(1) != grid.cells(0) || grid.cells(2) != grid.cells(0)) {
    throw Error(
        "the cube needs as many cells along each axis, set grid.x.cells, grid.y.cells and "
        "grid.z.cells alike");
  }
  const double absorption = std::get<GreyMedium>(problem.medium).absorption_coefficient(0);
  const reference::BoxProblem exact{{{0, 0, 0}, {1, 1, 1}},
                                    [=](double, double, double) { return absorption; },
                                    [](double x, double y, double z) {
                                      using std::numbers::pi;
                                      return std::sin(pi * x) * std::sin(pi * y) * std::sin(pi * z);
                                    },
                                    {},
                                    {}};
  Comparison comparison;
  const std::size_t n = grid.cells(0);
  for (std::size_t i = 0; i < n; ++i) {
    std::set<std::size_t> cells;
    for (const std::size_t axis : {0, 1, 2}) {
      for (const std::size_t image : {i, n - 1 - i}) {
        const auto row = middle_cells(grid, axis, image);
        cells.insert(row.begin(), row.end());
      }
    }
    double sum = 0.0;
    double variance = 0.0;
    for (const std::size_t cell : cells) {
      sum += result.flux_divergence[cell];
      variance += std::pow(result.standard_error[cell], 2);
    }
    const double count = static_cast<double>(cells.size());
    const double middle = grid.centre(1, n / 2);
    comparison.coordinate.push_back(grid.centre(0, i));
    comparison.computed.push_back(sum / count);
    comparison.standard_error.push_back(std::sqrt(variance) / count);
    comparison.reference.push_back(
        reference::box_flux_divergence(exact, {grid.centre(0, i), middle, middle}, 12));
  }
  return comparison;
}

}  // namespace ermine::cli
