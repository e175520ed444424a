#include "support/net_problems.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

using test::channel;
using test::cube;
using test::net;
using test::Problem;
using test::root_mean_square;

TEST(ErrorTarget, OfTheLargestErrorAndOfAQuantile) {
  const Problem problem = channel();
  constexpr double target = 120;  // [W/m3]
  const auto solve = [&](ErrorNorm norm) {
    Options options = net(1000);
    options.target = {.error = target, .absolute = true, .norm = norm, .quantile = 0.9};
    return problem.solve(options);
  };
  const auto above = [](const Result& result) {
    int count = 0;
    for (const double error : result.standard_error) count += error > target;
    return count / static_cast<double>(result.standard_error.size());
  };
  const Result rms = solve(ErrorNorm::rms);
  const Result quantile = solve(ErrorNorm::quantile);
  const Result maximum = solve(ErrorNorm::maximum);
  for (const Result* result : {&rms, &quantile, &maximum}) {
    EXPECT_EQ(result->accuracy.stopped_by, StoppedBy::target);
    EXPECT_DOUBLE_EQ(result->accuracy.target, target);
  }
  EXPECT_LE(root_mean_square(rms.standard_error), target);
  EXPECT_LE(above(quantile), 0.1);
  EXPECT_EQ(above(maximum), 0.0);
  EXPECT_GT(above(rms), 0.0);
  // Not all tiles need as many rays as the worst.
  EXPECT_LT(rms.rays_per_cell, maximum.rays_per_cell);
}

TEST(ErrorTarget, TimeLimitComesFirst) {
  const Problem problem = cube();
  Options options = net(1000);
  options.target = {.error = 1e-6, .time_limit = 1.0};
  const Result result = problem.solve(options);
  EXPECT_EQ(result.accuracy.stopped_by, StoppedBy::time_limit);
  EXPECT_GT(result.accuracy.error, result.accuracy.target);
}

TEST(ErrorTarget, OfNoSourceIsReachedAtOnce) {
  const Grid grid = test::box_grid(5);
  Options options = net(1000);
  options.target.error = 0.01;
  const Result result =
      Tracer(grid, test::enclosure(grid, test::wall(600)), GreyMedium(1.0), options)
          .solve(std::vector<double>(grid.cell_count(), 600.0));
  EXPECT_EQ(result.accuracy.stopped_by, StoppedBy::target);
  EXPECT_EQ(root_mean_square(result.flux_divergence), 0.0);
}

}  // namespace
}  // namespace ermine
