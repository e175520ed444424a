#include "support/gas.hpp"
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
  for (const RaySampler sampler : test::both_samplers) {
    for (const StartPoint start : {StartPoint::point, StartPoint::uniform}) {
      const Tracer tracer(grid, test::six_walls(grid), GreyMedium(1.5),
                          {.sampler = sampler,
                           .levels = 1,
                           .start = start,
                           .rays_per_cell = 400,
                           .rays_per_wall_face = 400});
      expect_balance(tracer.solve(warm_field(grid)));
    }
  }
}

TEST(Ledger, ClosesOnAStretchedGridWithASpectralList) {
  const Grid grid({Axis::stretched(12, 0, 1, 1.5), Axis::uniform(6, 0, 2, Boundary::periodic),
                   Axis::stretched(10, 0, 1, 1.0)});
  for (const RaySampler sampler : test::both_samplers) {
    const Tracer tracer(grid, test::six_walls(grid), test::three_points(),
                        {.sampler = sampler,
                         .levels = 1,
                         .start = StartPoint::uniform,
                         .rays_per_cell = 400,
                         .rays_per_wall_face = 400});
    expect_balance(tracer.solve(warm_field(grid)));
  }
}

TEST(Ledger, UniformStartsCloseExactlyHoweverManyRays) {
  // A coarse, thick, hot box between cold walls: centre starts leave a grid error far above noise.
  const Grid grid = test::box_grid(6);
  const Walls cold = test::enclosure(grid, test::wall(0));
  const std::vector<double> hot(grid.cell_count(), 1000.0);
  for (const RaySampler sampler : test::both_samplers) {
    Options options{.sampler = sampler,
                    .levels = 1,
                    .start = StartPoint::uniform,
                    .rays_per_cell = 20000,
                    .rays_per_wall_face = 20000};
    expect_balance(Tracer(grid, cold, GreyMedium(6.0), options).solve(hot));
    options.start = StartPoint::point;
    const Ledger centre = Tracer(grid, cold, GreyMedium(6.0), options).solve(hot).ledger;
    EXPECT_GT(centre.unexplained, 0.01 * centre.exchanged);
    EXPECT_NEAR(std::abs(centre.total.value), centre.unexplained, 0.01 * centre.unexplained);
    EXPECT_GE(centre.gas.standard_error, centre.unexplained);
    EXPECT_GE(centre.total.standard_error, centre.unexplained);
  }
}

/// Hot gas before cold walls, where values at centres miss a large part of the heat.
TEST(Ledger, AveragesCloseWhereGasMeetsColdWalls) {
  for (const int cells : {8, 32}) {
    const Grid grid({Axis::uniform(cells, 0, 0.5), Axis::uniform(8, 0, 0.5, Boundary::periodic),
                     Axis::uniform(8, 0, 0.5, Boundary::periodic)});
    const Walls cold = test::plates(grid, test::wall(300), test::wall(300));
    const GasMedium gas(101325, {{Species::co2, {0.4}}}, test::coarse());
    const std::vector<double> hot(grid.cell_count(), 1000.0);
    const auto solve = [&](StartPoint start) {
      return Tracer(grid, cold, gas, {.start = start, .rays_per_cell = 2048}).solve(hot).ledger;
    };
    const Ledger ledger = solve(StartPoint::average);
    EXPECT_LT(ledger.total.standard_error, 0.005 * ledger.exchanged);
    EXPECT_LT(std::abs(ledger.total.value), 4 * ledger.total.standard_error);
    const Ledger point = solve(StartPoint::point);
    EXPECT_GT(std::abs(point.total.value), 0.1 * point.exchanged);
  }
}

// Error bars of random rays; those of the net are tested beside it.

/// Some cells, some wall face cells and the ledger of one solution.
std::vector<Estimate> sampled_quantities(const Result& result) {
  std::vector<Estimate> quantities{{result.ledger.total.value, result.ledger.explained_error()}};
  for (const std::size_t cell : {0, 7, 13, 26}) {
    quantities.push_back({result.flux_divergence[cell], result.standard_error[cell]});
  }
  for (const std::size_t side : {0, 1, 2}) {
    const WallFlux& wall = result.wall_flux[side];
    quantities.push_back({wall.net_flux[5], wall.standard_error[5]});
  }
  return quantities;
}

TEST(ErrorBars, ScoresOverReplicatesAreStandardNormal) {
  // 200 independent solutions: (Q - <Q>) / SE must have standard deviation 1 and few outliers, and
  // <Q> must agree with a long run.
  const Grid grid = test::box_grid(3);
  const auto temperature = warm_field(grid);
  const auto solve = [&](std::int64_t rays, std::uint64_t seed) {
    return sampled_quantities(
        Tracer(
            grid, test::six_walls(grid), test::three_points(),
            test::classic(
                {.rays_per_cell = rays, .rays_per_wall_face = rays, .batches = 64, .seed = seed}))
            .solve(temperature));
  };
  constexpr int replicates = 200;
  std::vector<std::vector<Estimate>> solutions;
  for (std::uint64_t r = 0; r < replicates; ++r) solutions.push_back(solve(320, 1000 + r));
  const auto long_run = solve(20000, 1);
  for (std::size_t quantity = 0; quantity < long_run.size(); ++quantity) {
    std::vector<double> values, scores;
    for (const auto& solution : solutions) values.push_back(solution[quantity].value);
    const double centre = test::mean(values);
    int beyond_two = 0;
    for (const auto& solution : solutions) {
      scores.push_back((solution[quantity].value - centre) / solution[quantity].standard_error);
      beyond_two += std::abs(scores.back()) > 2;
    }
    const double centre_error = test::standard_deviation(values) / std::sqrt(double(replicates));
    EXPECT_WITHIN_SIGMA(centre, std::hypot(centre_error, long_run[quantity].standard_error),
                        long_run[quantity].value, 4);
    // Student's t with 319 degrees of freedom has standard deviation 1.003; 200 samples know it to
    // 5 %: 3.2 of these. Beyond two: 4.6 % expected, 200 samples give 9 +- 3.
    EXPECT_NEAR(test::standard_deviation(scores), 1.003, 0.16) << "quantity " << quantity;
    EXPECT_GE(beyond_two, 1) << "quantity " << quantity;
    EXPECT_LE(beyond_two, 22) << "quantity " << quantity;
  }
}

TEST(ErrorBars, FallWithTheRootOfTheRays) {
  const Grid grid = test::box_grid(6);
  const auto temperature = warm_field(grid);
  const auto error = [&](std::int64_t rays) {
    return Tracer(grid, test::six_walls(grid), GreyMedium(1.0),
                  test::classic({.rays_per_cell = rays, .rays_per_wall_face = 0}))
        .solve(temperature)
        .relative_standard_error();
  };
  // 216 cells with 255 degrees of freedom each know the ratio to better than 1 %.
  EXPECT_NEAR(error(256) / error(4096), 4.0, 0.2);
}

}  // namespace
}  // namespace ermine
