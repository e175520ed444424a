#include "support/problems.hpp"
#include "support/statistics.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

class TransparentGap : public testing::TestWithParam<Method> {};

/// Mean flux of the low and high plate with its error, for plates 1 m apart with nothing between.
std::array<Estimate, 2> gap_flux(const Wall& low, const Wall& high, double tolerance = 1e-12) {
  const Grid grid = test::slab_grid(4, 6);
  const Tracer tracer(
      grid, test::plates(grid, low, high), GreyMedium(0.0),
      test::with_method(TransparentGap::GetParam(), {.rays_per_cell = 2,
                                                     .rays_per_wall_face = 400,
                                                     .tolerance = tolerance,
                                                     .precision = Precision::double_precision}));
  const Result result = tracer.solve(std::vector<double>(grid.cell_count(), 1234.0));
  EXPECT_EQ(result.rays.lost, 0);
  for (const double q : result.flux_divergence) EXPECT_EQ(q, 0.0);
  std::array<Estimate, 2> flux;
  for (const std::size_t side : {0, 1}) {
    const WallFlux& wall = result.wall_flux[side];
    for (std::size_t i = 0; i < wall.net_flux.size(); ++i) {
      flux[side].value += wall.net_flux[i] / static_cast<double>(wall.net_flux.size());
      flux[side].standard_error += std::pow(wall.standard_error[i], 2);
    }
    flux[side].standard_error =
        std::sqrt(flux[side].standard_error) / static_cast<double>(wall.net_flux.size());
  }
  return flux;
}

double exact_flux(double t1, double t2, double e1, double e2) {
  return test::sigma * (std::pow(t1, 4) - std::pow(t2, 4)) / (1 / e1 + 1 / e2 - 1);
}

void expect_flux(const std::array<Estimate, 2>& flux, double exact, double margin) {
  EXPECT_NEAR(flux[0].value, exact, 4 * flux[0].standard_error + margin * exact);
  EXPECT_NEAR(flux[1].value, -exact, 4 * flux[1].standard_error + margin * exact);
}

// Between infinite plates every ray finds the same, whatever its direction: the error bars are
// zero, and what is left is rounding and the tolerance at which reflected rays end.

TEST_P(TransparentGap, BlackPlatesExchangeSigmaTFour) {
  expect_flux(gap_flux(test::wall(1000), test::wall(500)), exact_flux(1000, 500, 1, 1), 1e-12);
}

TEST_P(TransparentGap, GreyDiffusePlatesFollowTheTextbook) {
  expect_flux(gap_flux(test::wall(1000, 0.6), test::wall(500, 0.3)),
              exact_flux(1000, 500, 0.6, 0.3), 1e-10);
}

TEST_P(TransparentGap, SpecularPlatesGiveTheSame) {
  expect_flux(gap_flux(test::wall(1000, 0.6, Reflection::specular),
                       test::wall(500, 0.3, Reflection::specular)),
              exact_flux(1000, 500, 0.6, 0.3), 1e-10);
  expect_flux(gap_flux(test::wall(1000, 0.6, Reflection::specular), test::wall(500, 0.3)),
              exact_flux(1000, 500, 0.6, 0.3), 1e-10);
}

TEST_P(TransparentGap, ToleranceCostsNoMoreThanItself) {
  const double exact = exact_flux(1000, 500, 0.6, 0.3);
  const double hot = test::sigma * 1e12;
  expect_flux(gap_flux(test::wall(1000, 0.6), test::wall(500, 0.3), Options{}.tolerance), exact,
              Options{}.tolerance * hot / exact);
}

TEST_P(TransparentGap, StripsOfDifferentTemperatureBalance) {
  // A wall of two strips facing a black wall at 0 K: each strip emits sigma T^4 and gets nothing.
  const Grid grid({Axis::uniform(2, 0, 1), Axis::uniform(2, 0, 1, Boundary::periodic),
                   Axis::uniform(1, 0, 1, Boundary::periodic)});
  Wall strips = test::wall(0);
  strips.temperature = {1000, 500};
  const Tracer tracer(grid, test::plates(grid, strips, test::wall(0)), GreyMedium(0.0),
                      test::with_method(GetParam(), {.start = StartPoint::uniform,
                                                     .rays_per_cell = 2,
                                                     .rays_per_wall_face = 20000,
                                                     .precision = Precision::double_precision}));
  const Result result = tracer.solve(std::vector<double>(grid.cell_count(), 300.0));
  EXPECT_NEAR(result.wall_flux[0].net_flux[0], test::sigma * 1e12, 1e-6);
  EXPECT_NEAR(result.wall_flux[0].net_flux[1], test::sigma * 625e8, 1e-6);
  EXPECT_GT(result.ledger.total.standard_error, 0.0);
  EXPECT_WITHIN_SIGMA(result.ledger.total.value, result.ledger.total.standard_error, 0.0, 4);
}

INSTANTIATE_TEST_SUITE_P(Methods, TransparentGap, testing::ValuesIn(test::both_methods),
                         [](const auto& param) { return name_of(param.param); });

}  // namespace
}  // namespace ermine
