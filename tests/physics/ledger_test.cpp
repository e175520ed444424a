#include "support/problems.hpp"
#include "support/statistics.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

std::vector<double> warm_field(const Grid& grid) {
  return test::evaluate(grid, [](std::array<double, 3> at) {
    return 700 + 250 * std::sin(3 * at[0]) * std::cos(2 * at[1]) + 150 * at[2];
  });
}

void expect_balance(const Result& result) {
  EXPECT_GT(result.ledger.total.standard_error, 0.0);
  EXPECT_WITHIN_SIGMA(result.ledger.total.value, result.ledger.total.standard_error, 0.0, 4);
}

TEST(Ledger, ClosesInACubeWithSixDifferentWalls) {
  const Grid grid = test::box_grid(12);
  for (const StartPoint start : {StartPoint::centre, StartPoint::uniform}) {
    const Tracer tracer(grid, test::six_walls(grid), GreyMedium(1.5),
                        {.start = start, .rays_per_cell = 400, .rays_per_wall_face = 400});
    expect_balance(tracer.solve(warm_field(grid)));
  }
}

TEST(Ledger, ClosesOnAStretchedGridWithASpectralList) {
  const Grid grid({Axis::stretched(12, 0, 1, 1.5), Axis::uniform(6, 0, 2, Boundary::periodic),
                   Axis::stretched(10, 0, 1, 1.0)});
  const Tracer tracer(grid, test::six_walls(grid), test::three_points(),
                      {.start = StartPoint::uniform, .rays_per_cell = 400,
                       .rays_per_wall_face = 400});
  expect_balance(tracer.solve(warm_field(grid)));
}

TEST(Ledger, UniformStartsCloseExactlyHoweverManyRays) {
  // A coarse, thick, hot box between cold walls: centre starts leave a grid error far above noise.
  const Grid grid = test::box_grid(6);
  const Walls cold = test::enclosure(grid, test::wall(0));
  const std::vector<double> hot(grid.cell_count(), 1000.0);
  Options options{.start = StartPoint::uniform, .rays_per_cell = 20000, .rays_per_wall_face = 20000};
  expect_balance(Tracer(grid, cold, GreyMedium(6.0), options).solve(hot));
  options.start = StartPoint::centre;
  const Ledger centre = Tracer(grid, cold, GreyMedium(6.0), options).solve(hot).ledger;
  EXPECT_GT(std::abs(centre.total.value), 10 * centre.total.standard_error);
}

TEST(ErrorBars, ScoresOverReplicatesAreStandardNormal) {
  // 200 independent solutions: (Q - <Q>) / SE must have mean 0, standard deviation 1 and few
  // outliers, in every cell and wall face cell looked at.
  const Grid grid = test::box_grid(3);
  const Walls walls = test::six_walls(grid);
  const auto temperature = warm_field(grid);
  constexpr int replicates = 200;
  std::vector<std::vector<double>> values, errors;
  for (int r = 0; r < replicates; ++r) {
    const Tracer tracer(grid, walls, test::three_points(),
                        {.rays_per_cell = 320, .rays_per_wall_face = 320, .batches = 64,
                         .seed = static_cast<std::uint64_t>(1000 + r)});
    const Result result = tracer.solve(temperature);
    std::vector<double> value{result.ledger.total.value}, error{result.ledger.total.standard_error};
    for (const std::size_t cell : {0, 7, 13, 26}) {
      value.push_back(result.flux_divergence[cell]);
      error.push_back(result.standard_error[cell]);
    }
    for (const std::size_t side : {0, 1, 2}) {
      value.push_back(result.wall_flux[side].net_flux[5]);
      error.push_back(result.wall_flux[side].standard_error[5]);
    }
    values.push_back(value);
    errors.push_back(error);
  }
  for (std::size_t quantity = 0; quantity < values[0].size(); ++quantity) {
    double centre = 0.0;
    for (const auto& value : values) centre += value[quantity] / replicates;
    std::vector<double> scores;
    int beyond_two = 0;
    for (int r = 0; r < replicates; ++r) {
      scores.push_back((values[r][quantity] - centre) / errors[r][quantity]);
      beyond_two += std::abs(scores.back()) > 2;
    }
    // Student's t with 63 degrees of freedom has standard deviation 1.016; 200 samples know it to
    // 5 %: 3.2 of these. Beyond two: 5.0 % expected, 200 samples give 10 +- 3.1.
    EXPECT_NEAR(test::standard_deviation(scores), 1.016, 0.16) << "quantity " << quantity;
    EXPECT_NEAR(test::mean(scores), 0.0, 0.05) << "quantity " << quantity;
    EXPECT_GE(beyond_two, 1) << "quantity " << quantity;
    EXPECT_LE(beyond_two, 22) << "quantity " << quantity;
  }
}

TEST(ErrorBars, FallWithTheRootOfTheRays) {
  const Grid grid = test::box_grid(6);
  const auto temperature = warm_field(grid);
  const auto error = [&](std::int64_t rays) {
    return Tracer(grid, test::six_walls(grid), GreyMedium(1.0),
                  {.rays_per_cell = rays, .rays_per_wall_face = 0})
        .solve(temperature)
        .relative_standard_error();
  };
  // 216 cells with 31 degrees of freedom each know the ratio to about 1 %.
  EXPECT_NEAR(error(256) / error(4096), 4.0, 0.2);
}

}  // namespace
}  // namespace ermine
