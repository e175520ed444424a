#include <ermine/forecast.hpp>

#include "support/distributed.hpp"
#include "transport/accuracy/pilot.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

Forecast predicted(const Options& options, Result* found = nullptr) {
  const Grid grid = test::walled_grid();
  const Tracer tracer(grid, test::enclosure(grid, test::wall(400)), test::three_points(), options);
  const auto temperature = test::structures(grid);
  if (found) *found = tracer.solve(temperature);
  const Forecast forecast_found = forecast(tracer, temperature, 0.05);
  EXPECT_GT(forecast_found.total_seconds(), 0);
  EXPECT_GT(forecast_found.processor_seconds, 0);
  EXPECT_GT(forecast_found.relative_error, 0);
  return forecast_found;
}

Options of_cpu(Options options) {
  options.backend = Backend::cpu;
  options.threads = 2;
  return options;
}

/// Time and error of a run, predicted for machines so slow that a pilot has the fewest rays, and so
/// fast that it has all: time is counted in crossings, which do not depend on the machine at hand.
struct Deviation {
  double time;   ///< predicted over found
  double error;  ///< the same
};
std::vector<Deviation> deviations(Options options) {
  options.threads = 1;
  const Grid grid = test::walled_grid();
  const Tracer tracer(grid, test::enclosure(grid, test::wall(400)), test::three_points(), options);
  const auto temperature = test::structures(grid);
  const Result found = tracer.solve(temperature);
  std::vector<Deviation> all;
  for (const double speed : {1e3, 1e12}) {
    const Forecast before = forecast(tracer, temperature, 1.0, WorkSpeed{speed});
    const double crossings = speed * before.total_seconds();
    EXPECT_NEAR(speed * before.processor_seconds, crossings, 1e-6 * crossings);
    all.push_back({crossings / static_cast<double>(found.rays.crossings),
                   before.relative_error / found.relative_standard_error()});
  }
  return all;
}

TEST(ForecastOf, TimeAndErrorAtAnySpeed) {
  Options many = of_cpu(test::distributed_options(ThinStarts::cells));
  many.rays_per_cell = 16;
  Options blocks = many;
  blocks.thin_starts = ThinStarts::blocks;
  Options unbiased = many;
  unbiased.unbiased = true;
  Options chosen = many;
  chosen.levels = automatic_levels;
  const Options random = test::classic(of_cpu({.rays_per_cell = 16}));
  for (const Options& options : {many, blocks, unbiased, chosen, random}) {
    for (const auto& [time, error] : deviations(options)) {
      EXPECT_GT(time, 0.75);
      EXPECT_LT(time, 1.33);
      EXPECT_GT(error, 0.5);
      EXPECT_LT(error, 2.0);
    }
  }
}

TEST(ForecastOf, NetsCountsTheirRays) {
  for (const ThinStarts thin : {ThinStarts::cells, ThinStarts::blocks}) {
    Result found;
    const Forecast before = predicted(of_cpu(test::distributed_options(thin)), &found);
    EXPECT_NEAR(before.rays, static_cast<double>(found.rays.traced), 0.01 * before.rays);
    EXPECT_EQ(before.levels, found.levels);
    EXPECT_EQ(before.thin_blocks, found.thin_below > 0);
    EXPECT_EQ(before.stopped_by, StoppedBy::rays);
  }
}

TEST(ForecastOf, TargetsFindsTheirRays) {
  Options options = of_cpu(test::distributed_options(ThinStarts::cells));
  options.target.error = 0.05;
  const Forecast loose = predicted(options);
  EXPECT_EQ(loose.stopped_by, StoppedBy::target);
  EXPECT_LE(loose.relative_error, 0.05 * (1 + 1e-12));
  options.target.error = 0.01;
  const Forecast tight = predicted(options);
  EXPECT_EQ(tight.stopped_by, StoppedBy::target);
  EXPECT_GT(tight.rays, loose.rays);
  options.target.time_limit = 1e-6;
  EXPECT_EQ(predicted(options).stopped_by, StoppedBy::time_limit);
}

TEST(ForecastOf, UnbiasedRunsHasTheirRaysInIt) {
  Options options = of_cpu(test::distributed_options(ThinStarts::cells));
  const Forecast biased = predicted(options);
  options.unbiased = true;
  const Forecast unbiased = predicted(options);
  EXPECT_TRUE(unbiased.corrected);
  EXPECT_GT(unbiased.rays, biased.rays);
}

TEST(ForecastOf, RandomRays) {
  const Forecast found = predicted(test::classic(of_cpu({.rays_per_cell = 64})));
  EXPECT_EQ(found.rays_per_cell, 64);
  EXPECT_EQ(found.levels, 1);
}

}  // namespace
}  // namespace ermine
