#include "support/distributed.hpp"

#include "support/same_bits.hpp"
#include "transport/run/solving.hpp"
#include "transport/run/tracer_host.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace ermine {
namespace {

using Solve = std::function<Result(const Tracer&, const TemperatureField&, const Solving&)>;

void expect_same_distributed(const Tracer& tracer, const Solve& solve_one = solve) {
  const auto temperature = test::structures(tracer.grid());
  const Result alone = solve_one(tracer, temperature, {.update = 2, .emission_slope = true});
  const bool list = std::holds_alternative<SpectralList>(tracer.medium());
  const bool single = tracer.options().precision == Precision::single_precision;
  const bool even = tracer.grid().cells(1) % 2 == 0;
  const bool blocks_wanted = tracer.options().thin_starts == ThinStarts::blocks;
  ASSERT_EQ(alone.thin_below > 0, list && single && even && blocks_wanted);
  for (const auto& cuts : test::tilings) {
    const auto blocks = test::boxes(tracer.grid(), cuts);
    SCOPED_TRACE(testing::Message()
                 << blocks.size() << " ranks, cut at " << blocks.front().end[0] << ", "
                 << blocks.front().end[1] << ", " << blocks.front().end[2]);
    std::vector<Result> results(blocks.size());
    test::share_out(blocks, tracer, temperature, [&](const TemperatureField& field, Ranks& ranks) {
      results[static_cast<std::size_t>(ranks.rank())] =
          solve_one(tracer, field, {.update = 2, .ranks = &ranks, .emission_slope = true});
    });
    for (const Result& result : results) {
      test::expect_same_bits(alone, result);
      EXPECT_EQ(alone.emission_slope, result.emission_slope);
      EXPECT_EQ(alone.thickest_cell, result.thickest_cell);
      EXPECT_EQ(alone.thin_below, result.thin_below);
      EXPECT_EQ(alone.tile_correlation, result.tile_correlation);
    }
  }
}

TEST(DistributedLevels, DoNotChangeABitBetweenWalls) {
  const Grid grid = test::walled_grid();
  for (const ThinStarts thin : {ThinStarts::cells, ThinStarts::blocks}) {
    expect_same_distributed(Tracer(grid, test::enclosure(grid, test::wall(400)),
                                   test::three_points(), test::distributed_options(thin)));
  }
}

TEST(DistributedLevels, DoNotChangeABitAcrossPeriodicEnds) {
  for (const Grid& grid : {test::channel_grid(), test::odd_grid()}) {
    for (const ThinStarts thin : {ThinStarts::cells, ThinStarts::blocks}) {
      expect_same_distributed(Tracer(grid, test::enclosure(grid, test::wall(400)),
                                     test::three_points(), test::distributed_options(thin)));
    }
  }
}

TEST(DistributedLevels, DoNotChangeRaysThatWallsReflect) {
  for (const Grid& grid : {test::walled_grid(), test::channel_grid()}) {
    expect_same_distributed(Tracer(grid, test::enclosure(grid, test::wall(400, 0.6)),
                                   GreyMedium(20.0),
                                   test::distributed_options(ThinStarts::blocks)));
  }
}

/// One after the other on the CPU, from nodes with the march of a GPU.
TEST(DistributedLevels, DoNotChangeRaysWithoutVectors) {
  for (const Grid& grid : {test::walled_grid(), test::channel_grid()}) {
    expect_same_distributed(
        Tracer(grid, test::enclosure(grid, test::wall(400)), test::three_points(),
               test::distributed_options(ThinStarts::blocks)),
        [](const Tracer& tracer, const TemperatureField& field, const Solving& how) {
          return solve_on_host(tracer, field, how, Instructions::scalar);
        });
  }
}

TEST(DistributedLevels, DoNotChangeRaysOfDoublePrecision) {
  const Grid grid = test::channel_grid();
  Options with = test::distributed_options(ThinStarts::blocks);
  with.precision = Precision::double_precision;
  expect_same_distributed(
      Tracer(grid, test::enclosure(grid, test::wall(400)), test::three_points(), with));
}

}  // namespace
}  // namespace ermine
