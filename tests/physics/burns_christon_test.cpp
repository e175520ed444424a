#include "reference/box.hpp"
#include "support/problems.hpp"
#include "support/statistics.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

double absorption(double x, double y, double z) {
  return 0.9 * (1 - 2 * std::abs(x)) * (1 - 2 * std::abs(y)) * (1 - 2 * std::abs(z)) + 0.1;
}

// S. P. Burns & M. A. Christon, "Spatial domain-based parallelism in large-scale, participating-
// media, radiative transport applications", Numerical Heat Transfer B 31 (1997): unit cube, medium
// with sigma T^4 = 1 W/m2, cold black walls. Reference: quadrature of the transfer equation.
TEST(BurnsChriston, DivergenceAlongTheAxis) {
  constexpr int cells = 41;
  const Axis axis = Axis::uniform(cells, -0.5, 0.5);
  const Grid grid({axis, axis, axis});
  std::vector<double> coefficient;
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    const auto at = grid.centre(i);
    coefficient.push_back(absorption(at[0], at[1], at[2]));
  }
  const Tracer tracer(grid, test::enclosure(grid, test::wall(0)), GreyMedium(coefficient),
                      {.rays_per_cell = 256, .rays_per_wall_face = 0});
  const double temperature = std::pow(1 / test::sigma, 0.25);
  const Result result = tracer.solve(std::vector<double>(grid.cell_count(), temperature));

  const reference::BoxProblem problem{{{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}},
                                      absorption,
                                      [](double, double, double) { return 1 / std::numbers::pi; },
                                      {{{0.0}, {0.0}, {0.0}}},
                                      {}};
  double difference = 0.0, scale = 0.0;
  for (std::size_t i = 0; i < cells; ++i) {
    const std::size_t cell = i + cells * (cells / 2 + cells * (cells / 2));
    const double exact = reference::box_flux_divergence(problem, {grid.centre(0, i), 0.0, 0.0}, 12);
    difference += std::pow(result.flux_divergence[cell] - exact, 2);
    scale += exact * exact;
  }
  RecordProperty("l2_error_percent", std::to_string(100 * std::sqrt(difference / scale)));
  EXPECT_LT(std::sqrt(difference / scale), 0.001);
}

}  // namespace
}  // namespace ermine
