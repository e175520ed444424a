#include "transport/ray/segment_march.hpp"

#include "support/cell_tracers.hpp"
#include "support/host_segments.hpp"
#include "transport/ray/tile_lanes.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

using test::HostSegments;

/// Rays find the same as those of the scalar march, but for rounding: of each cell that they cross,
/// it adds up as that of a random walk. Some cross the domain thousands of times.
template <bool reflecting, class Entry, class CellTrace>
void expect_same_in_segments(const CellTrace& trace) {
  const HostSegments<CellTrace, reflecting, Entry> segments(trace);
  const float hot = test::hottest(trace);
  std::int64_t crossings = 0, scalar_crossings = 0;
  for (int i = 0; i < trace.origin_count(); i += 7) {
    const CellId cell{i};
    for (std::uint32_t number = 0; number < 3; ++number) {
      const Replicate replicate{number, 2};
      const BatchScore found = segments(cell, replicate);
      const BatchScore score = trace(cell, replicate);
      const double rounding = 0x1p-24 * std::sqrt(static_cast<double>(score.crossings));
      ASSERT_NEAR(found.sum, score.sum,
                  std::max(1e-5, rounding) * test::most_found(trace, cell, replicate, hot))
          << "cell " << i << ", net " << number << ", " << score.crossings << " crossings";
      EXPECT_EQ(found.traced, score.traced);
      EXPECT_EQ(found.lost, score.lost);
      crossings += found.crossings;
      scalar_crossings += score.crossings;
    }
  }
  // Rays end at the end of a segment.
  EXPECT_GE(crossings, scalar_crossings - scalar_crossings / 100);
  EXPECT_LE(crossings, scalar_crossings + scalar_crossings / 2);
}

template <bool reflecting = false>
void expect_same_in_segments(const Tracer& tracer) {
  const auto temperature = test::wavy_field(tracer.grid());
  test::with_cell_tracer(tracer, temperature, [&](const auto& trace) {
    with_entry(trace.march.medium,
               [&]<class Entry>() { expect_same_in_segments<reflecting, Entry>(trace); });
  });
}

class SegmentMarchTest : public testing::TestWithParam<test::MarchSetting> {};

TEST_P(SegmentMarchTest, MatchesTheScalarMarchAmongBlackWalls) {
  const auto& [cells, ends, stretched, levels, steps] = GetParam();
  const Grid grid = test::grid_of(cells, ends, stretched);
  const Walls walls = test::enclosure(grid, test::wall(900));
  Options options = test::net_options(levels, steps);
  for (const Shifts shifts : {Shifts::cell, Shifts::mirrored, Shifts::tile}) {
    options.shifts = shifts;
    expect_same_in_segments(Tracer(grid, walls, test::three_points(), options));
    expect_same_in_segments(Tracer(grid, walls, test::uneven_grey(grid), options));
  }
  expect_same_in_segments(Tracer(grid, walls, test::uneven_gas(grid), options));
  expect_same_in_segments(Tracer(grid, walls, test::four_gases(grid), options));
  expect_same_in_segments(Tracer(grid, walls, test::five_components(grid), options));
}

/// Black, diffuse and specular ones side by side.
TEST_P(SegmentMarchTest, MatchesTheScalarMarchAmongReflectingWalls) {
  const auto& [cells, ends, stretched, levels, steps] = GetParam();
  const Grid grid = test::grid_of(cells, ends, stretched);
  Options options = test::net_options(levels, steps);
  for (const Walls& walls : {test::six_walls(grid), test::enclosure(grid, test::wall(900, 0.3))}) {
    expect_same_in_segments<true>(Tracer(grid, walls, test::three_points(), options));
    expect_same_in_segments<true>(Tracer(grid, walls, test::uneven_grey(grid), options));
    expect_same_in_segments<true>(Tracer(grid, walls, test::uneven_gas(grid), options));
  }
}

/// Their coordinate is zero, which has a sign, too.
TEST(SegmentMarch, MeetsWallsOfTheLowestTemperature) {
  const Grid grid = test::grid_of({16, 12, 16}, test::Ends::walls, false);
  const Walls walls = test::enclosure(grid, test::wall(0));
  expect_same_in_segments(Tracer(grid, walls, test::long_table(), test::net_options(0, 8)));
  expect_same_in_segments(Tracer(grid, walls, test::uneven_grey(grid), test::net_options(0, 8)));
  expect_same_in_segments(Tracer(grid, walls, test::uneven_gas(grid), test::net_options(0, 8)));
}

INSTANTIATE_TEST_SUITE_P(Grids, SegmentMarchTest, test::march_settings());

template <bool reflecting>
void expect_the_luck_of_vectors(double emissivity) {
  const TraceLanes trace_lanes =
      lanes_tracer(usable_instructions().back(), LaneMedium::table, true);
  if (!trace_lanes) GTEST_SKIP() << "this processor has no vectors: needs one with AVX2";
  const Grid grid = test::grid_of({16, 12, 16}, test::Ends::slab, false);
  Options options = test::net_options(0, 8);
  options.termination = Termination::roulette;
  const Tracer tracer(grid, test::enclosure(grid, test::wall(900, emissivity)), test::long_table(),
                      options);
  test::with_cell_tracer(tracer, test::wavy_field(grid), [&](const auto& trace) {
    using CellTrace = std::remove_cvref_t<decltype(trace)>;
    const test::HostSegments<CellTrace, reflecting> segments(trace);
    const TileLanes<CellTrace> lanes(trace, trace_lanes, 1);
    const float hot = test::hottest(trace);
    const Replicate replicate{5, 16, 80};
    for (int tile = 0; tile < trace.tiles().count(); tile += 5) {
      const LaneScores scores = lanes(trace.rays, tile, replicate, resolution_of(trace));
      std::int64_t crossings = 0;
      for (int lane = 0; lane < cells_per_tile; ++lane) {
        const CellId cell = trace.tiles().at(tile, lane);
        const BatchScore found = segments(cell, replicate);
        crossings += found.crossings;
        EXPECT_NEAR(found.sum, scores.sum[lane],
                    1e-5 * test::most_found(trace, cell, replicate, hot));
      }
      EXPECT_NEAR(static_cast<double>(crossings), static_cast<double>(scores.crossings),
                  0.01 * static_cast<double>(crossings));
    }
  });
}

TEST(SegmentMarch, HasTheSameLuckInTheRouletteAsTheVectorsOfACpu) {
  expect_the_luck_of_vectors<false>(1.0);
  expect_the_luck_of_vectors<true>(0.6);
}

template <bool reflecting>
void expect_nothing_in_isothermal_enclosures(double emissivity) {
  for (const bool stretched : {false, true}) {
    const Grid grid = test::grid_of({17, 9, 12}, test::Ends::walls, stretched);
    const Walls walls = test::enclosure(grid, test::wall(731.3, emissivity));
    const std::vector<double> temperature(grid.cell_count(), 731.3);
    for (const Medium& medium :
         {test::long_table(), test::uneven_grey(grid), test::uneven_gas(grid)}) {
      const Tracer tracer(grid, walls, medium, test::net_options(0, 8));
      test::with_cell_tracer(tracer, temperature, [&](const auto& trace) {
        const test::HostSegments<std::remove_cvref_t<decltype(trace)>, reflecting> segments(trace);
        for (int i = 0; i < trace.origin_count(); i += 97) {
          const BatchScore found = segments(CellId{i}, {0, 64});
          EXPECT_GT(found.traced, 0u);
          ASSERT_EQ(found.sum, 0.0);
        }
      });
    }
  }
}

TEST(SegmentMarch, IsothermalEnclosureFindsExactlyNothing) {
  expect_nothing_in_isothermal_enclosures<false>(1.0);
  expect_nothing_in_isothermal_enclosures<true>(0.4);
}

/// As in one field after the other.
template <class CellTrace, bool reflecting>
void expect_same_in_two_fields(const CellTrace& trace, int cell_step) {
  const LevelView& last = trace.march.grid.level[trace.march.grid.levels - 1];
  const int cells = last.first_cell + last.stride[2] * last.cells[2];
  std::vector<float> other;
  for (int i = 0; i < cells; ++i) {
    other.push_back(trace.march.coordinate[CellId{static_cast<int>((7LL * i + 3) % cells)}]);
  }
  CellTrace then = trace;
  then.march.coordinate.value = other.data();
  const test::HostSegments<CellTrace, reflecting> here(trace), there(then);
  const SegmentMarch<CellTrace, 2, reflecting> both{trace, here.march().entry, here.march().width,
                                                    here.march().levels, there.march().entry};
  double scale = 0.0;
  double worst = 0.0;
  for (int i = 0; i < trace.origin_count(); i += cell_step) {
    const auto start = both.start(here.levels()[0], CellId{i}, 0, {0, 16});
    for (std::uint32_t number = 0; number < 16; ++number) {
      const auto common = both.common(start.batch, number);
      const auto pair = both(here.levels(), start, common);
      const auto march = [&](const auto& segments) {
        const auto from = segments.march().start(here.levels()[0], CellId{i}, 0, {0, 16});
        return segments.march()(here.levels(), from, common);
      };
      const auto now = march(here);
      const auto earlier = march(there);
      EXPECT_EQ(pair.traced, now.traced + earlier.traced);
      EXPECT_EQ(pair.crossings, now.crossings + earlier.crossings);
      EXPECT_EQ(pair.lost, now.lost + earlier.lost);
      for (const auto& [a, b] : {std::pair{pair.value, now.value}, {pair.earlier, earlier.value}}) {
        scale = std::max(scale, static_cast<double>(std::abs(b)));
        worst = std::max(worst, static_cast<double>(std::abs(a - b)));
      }
    }
  }
  EXPECT_GT(scale, 0.0);
  EXPECT_LE(worst, 1e-6 * scale);
}

TEST(SegmentMarch, FollowsRaysInTwoFieldsAtOnce) {
  for (const bool stretched : {false, true}) {
    const Grid grid = test::grid_of({17, 9, 12}, test::Ends::walls, stretched);
    for (const Medium& medium :
         {test::long_table(), test::uneven_grey(grid), test::uneven_gas(grid)}) {
      for (const int most : {10'000'000, 9}) {
        Options options = test::net_options(0, 8);
        options.max_crossings = most;
        const auto temperature = test::wavy_field(grid);
        const Walls black = test::enclosure(grid, test::wall(731.3));
        test::with_cell_tracer(Tracer(grid, black, medium, options), temperature,
                               [](const auto& trace) {
                                 using Trace = std::remove_cvref_t<decltype(trace)>;
                                 expect_same_in_two_fields<Trace, false>(trace, 37);
                               });
        const Walls grey = test::enclosure(grid, test::wall(731.3, 0.5));
        test::with_cell_tracer(Tracer(grid, grey, medium, options), temperature,
                               [](const auto& trace) {
                                 using Trace = std::remove_cvref_t<decltype(trace)>;
                                 expect_same_in_two_fields<Trace, true>(trace, 37);
                               });
      }
    }
  }
}

TEST(SegmentMarch, LosesRaysAfterSoManyCrossingsOnAnyLevel) {
  const Grid grid = test::grid_of({24, 12, 12}, test::Ends::periodic, false);
  for (const int crossings : {3, 5, 7, 10, 15, 16, 50}) {
    Options options = test::net_options(0, 5);
    options.max_crossings = crossings;
    const Tracer tracer(grid, Walls(grid, {}), GreyMedium(1e-9), options);
    test::with_cell_tracer(tracer, test::wavy_field(grid), [&](const auto& trace) {
      using Trace = std::remove_cvref_t<decltype(trace)>;
      const BatchScore found = test::HostSegments<Trace>(trace)(CellId{5}, {0, 4});
      EXPECT_EQ(found.lost, 4u);
      EXPECT_EQ(found.crossings, 4 * crossings);
    });
  }
}

TEST(Divisor, DividesAllNumbersBelowTwoToThe31) {
  for (const int d : {2, 3, 7, 17, 24, 208, 209, 43264, 1000003, 2000000011}) {
    const Divisor divisor = Divisor::by(d);
    for (const std::int64_t n :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{d} - 1, std::int64_t{d},
          std::int64_t{d} + 1, 5 * std::int64_t{d} - 1, std::int64_t{2147483647} / d * d - 1,
          std::int64_t{2147483647} / d * d, std::int64_t{2147483647}}) {
      if (n > 2147483647) continue;
      EXPECT_EQ(divisor(static_cast<int>(n)), n / d) << n << " / " << d;
    }
  }
}

}  // namespace
}  // namespace ermine
