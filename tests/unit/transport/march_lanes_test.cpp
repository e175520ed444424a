#include "transport/ray/march_lanes.hpp"

#include "support/cell_tracers.hpp"
#include "support/host_segments.hpp"
#include "support/portable_pack.hpp"
#include "support/same_bits.hpp"
#include "support/statistics.hpp"
#include "transport/ray/tile_lanes.hpp"
#include "transport/run/tracer_host.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ermine {
namespace {

/// A march of many cells at once, in the instructions of this machine and in none.
struct Code {
  std::string name;
  TraceLanes (*tracer)(LaneMedium, bool);
};

std::vector<Code> all_codes() {
  std::vector<Code> codes{{"portable", tracer_of_lanes<test::PortablePack<16>>}};
  for (const Instructions instructions : usable_instructions()) {
    if (instructions == Instructions::avx2) codes.push_back({"AVX2", lanes_tracer_avx2});
    if (instructions == Instructions::avx512) codes.push_back({"AVX-512", lanes_tracer_avx512});
  }
  return codes;
}

using test::Ends;
using test::grid_of;
using test::hottest;
using test::long_table;
using test::net_options;
using test::with_cell_tracer;

Medium table() { return test::three_points(); }

template <class CellTrace>
TileLanes<CellTrace> lanes_of(const CellTrace& trace, const Code& code) {
  using March = typename CellTrace::March;
  const LaneMedium kind = TileLanes<CellTrace>::kind(trace.march.medium);
  return {trace, code.tracer(kind, March::spacing == Spacing::uniform), 1};
}

/// Nets of all cells of some tiles find the same as those of the scalar march.
template <class CellTrace>
void expect_same(const CellTrace& trace, const Code& code, std::uint32_t nets, std::uint32_t rays) {
  const auto lanes = lanes_of(trace, code);
  const float hot = hottest(trace);
  std::int64_t crossings = 0, scalar_crossings = 0;
  for (int tile = 0; tile < trace.tiles().count(); tile += 5) {
    for (std::uint32_t number = 0; number < nets; ++number) {
      const Replicate replicate{number, rays};
      const LaneScores scores = lanes(trace.rays, tile, replicate, resolution_of(trace));
      std::size_t i = 0;
      std::int64_t traced = 0, lost = 0;
      for (int lane = 0; lane < cells_per_tile; ++lane) {
        const CellId cell = trace.tiles().at(tile, lane);
        if (cell.value < 0) continue;
        const BatchScore score = trace(cell, replicate);
        ASSERT_NEAR(scores.sum[i], score.sum, 1e-5 * test::most_found(trace, cell, replicate, hot))
            << code.name << ", cell " << cell.value << ", net " << number;
        traced += score.traced;
        lost += score.lost;
        scalar_crossings += score.crossings;
        ++i;
      }
      EXPECT_EQ(scores.traced, traced);
      EXPECT_EQ(scores.lost, lost);
      crossings += scores.crossings;
    }
  }
  // Rays end at the end of a segment.
  EXPECT_GE(crossings, scalar_crossings - scalar_crossings / 100) << code.name;
  EXPECT_LE(crossings, scalar_crossings + scalar_crossings / 2) << code.name;
}

void expect_same(const Tracer& tracer, std::uint32_t nets, std::uint32_t rays) {
  with_cell_tracer(tracer, test::wavy_field(tracer.grid()), [&](const auto& trace) {
    for (const Code& code : all_codes()) expect_same(trace, code, nets, rays);
  });
}

void expect_same_rays(const Tracer& tracer) { expect_same(tracer, 6, 1); }

class LaneMarchTest : public testing::TestWithParam<test::MarchSetting> {
 protected:
  Grid grid() const { return grid_of(GetParam().cells, GetParam().ends, GetParam().stretched); }
  Options options() const { return net_options(GetParam().levels, GetParam().steps); }
  Walls black() const { return test::enclosure(grid(), test::wall(900)); }
};

TEST_P(LaneMarchTest, MatchesTheScalarMarchAmongBlackWalls) {
  expect_same_rays(Tracer(grid(), black(), table(), options()));
  expect_same_rays(Tracer(grid(), black(), test::uneven_grey(grid()), options()));
  expect_same_rays(Tracer(grid(), black(), test::uneven_gas(grid()), options()));
  expect_same_rays(Tracer(grid(), black(), test::four_gases(grid()), options()));
  expect_same_rays(Tracer(grid(), black(), test::five_components(grid()), options()));
}

TEST_P(LaneMarchTest, MatchesTheScalarMarchAmongWallsThatReflect) {
  const Walls walls = test::six_walls(grid());
  expect_same_rays(Tracer(grid(), walls, table(), options()));
  expect_same_rays(Tracer(grid(), walls, test::uneven_grey(grid()), options()));
  expect_same_rays(Tracer(grid(), walls, test::uneven_gas(grid()), options()));
}

/// Temperature and emissivity differ from face cell to face cell.
Wall patches(int faces, Reflection reflection) {
  Wall wall{{}, {}, reflection};
  for (int i = 0; i < faces; ++i) {
    wall.temperature.push_back(400 + 37 * (i % 23));
    wall.emissivity.push_back(i % 3 == 0 ? 1.0 : 0.1 * (i % 10));
  }
  return wall;
}

std::vector<Walls> reflecting_walls(const Grid& grid) {
  using enum Reflection;
  std::vector<Walls> list;
  for (const Reflection reflection : {diffuse, specular}) {
    for (const double emissivity : {0.1, 0.5}) {
      list.push_back(test::enclosure(grid, test::wall(900, emissivity, reflection)));
    }
  }
  const auto wall = [](double emissivity, Reflection reflection) {
    return test::wall(900, emissivity, reflection);
  };
  list.push_back(Walls(grid, {wall(0, diffuse), wall(1, diffuse), wall(0, specular),
                              wall(0.5, diffuse), wall(0.1, specular), wall(1, diffuse)}));
  std::array<Wall, 6> sides;
  for (std::size_t side = 0; side < 6; ++side) {
    const std::size_t axis = side / 2;
    const int faces =
        static_cast<int>(grid.cells(axis == 0 ? 1 : 0) * grid.cells(axis == 2 ? 1 : 2));
    sides[side] = patches(faces, side % 3 == 0 ? specular : diffuse);
  }
  list.push_back(Walls(grid, sides));
  return list;
}

/// Each ray goes where it goes in segments, with the same draws, and finds the same.
template <class CellTrace>
void expect_rays_of_segments(const CellTrace& trace) {
  const test::HostSegments<CellTrace, true> segments(trace);
  const float hot = hottest(trace);
  for (const Code& code : all_codes()) {
    const auto lanes = lanes_of(trace, code);
    std::int64_t crossings = 0, of_segments = 0;
    for (int tile = 0; tile < trace.tiles().count(); tile += 7) {
      for (std::uint32_t number = 0; number < 3; ++number) {
        const Replicate replicate{number, 1};
        const LaneScores scores = lanes(trace.rays, tile, replicate, resolution_of(trace));
        std::size_t i = 0;
        std::int64_t traced = 0, lost = 0;
        for (int lane = 0; lane < cells_per_tile; ++lane) {
          const CellId cell = trace.tiles().at(tile, lane);
          if (cell.value < 0) continue;
          const BatchScore found = segments(cell, replicate);
          ASSERT_NEAR(scores.sum[i], found.sum,
                      1e-5 * test::most_found(trace, cell, replicate, hot))
              << code.name << ", cell " << cell.value << ", net " << number;
          traced += found.traced;
          lost += found.lost;
          of_segments += found.crossings;
          ++i;
        }
        EXPECT_EQ(scores.traced, traced);
        EXPECT_EQ(scores.lost, lost);
        crossings += scores.crossings;
      }
    }
    EXPECT_GT(of_segments, 0);
    // A ray whose transmissivity is the tolerance but for rounding ends here and goes on there.
    constexpr double one_ray = 32;
    EXPECT_NEAR(static_cast<double>(crossings), static_cast<double>(of_segments),
                1e-4 * static_cast<double>(of_segments) + one_ray)
        << code.name;
  }
}

void expect_rays_of_segments(const Grid& grid, const Walls& walls, const Options& options) {
  for (const Medium& medium : {table(), test::uneven_grey(grid)}) {
    with_cell_tracer(Tracer(grid, walls, medium, options), test::wavy_field(grid),
                     [](const auto& trace) { expect_rays_of_segments(trace); });
  }
}

TEST_P(LaneMarchTest, GoesWithTheSegmentsOfAGpuFromWallToWall) {
  for (const Walls& walls : reflecting_walls(grid())) {
    expect_rays_of_segments(grid(), walls, options());
  }
}

TEST(LaneMarch, GoesThroughBoxesThatAreOneCellWide) {
  for (const std::array<int, 3> cells :
       {std::array{1, 1, 9}, std::array{1, 7, 1}, std::array{5, 1, 2}, std::array{1, 1, 1}}) {
    for (const bool stretched : {false, true}) {
      const Grid grid = grid_of(cells, Ends::walls, stretched);
      for (const Walls& walls : reflecting_walls(grid)) {
        expect_rays_of_segments(grid, walls, net_options(0, 3));
      }
    }
  }
}

/// The tolerance and the roulette are seen to after the same steps, and with the same luck.
TEST(LaneMarch, PlaysRouletteAmongReflectingWallsAsSegmentsDo) {
  const Grid grid = grid_of({16, 12, 16}, Ends::walls, false);
  Options options = net_options(0, 5);
  options.termination = Termination::roulette;
  for (const Walls& walls : reflecting_walls(grid)) expect_rays_of_segments(grid, walls, options);
}

TEST(LaneMarch, LosesRaysAmongReflectingWallsAsSegmentsDo) {
  const Grid grid = grid_of({9, 4, 6}, Ends::walls, true);
  for (const int crossings : {1, 3, 5, 7, 10, 15, 16, 50}) {
    Options options = net_options(0, 5);
    options.max_crossings = crossings;
    expect_rays_of_segments(grid, test::enclosure(grid, test::wall(700, 0.1)), options);
  }
}

INSTANTIATE_TEST_SUITE_P(Grids, LaneMarchTest, test::march_settings());

TEST(LaneMarch, AddsUpTheRaysOfANet) {
  const Grid grid = grid_of({19, 6, 5}, Ends::walls, true);
  const Walls walls = test::six_walls(grid);
  for (const std::uint32_t rays : {2u, 7u, 300u}) {
    expect_same(Tracer(grid, walls, table(), net_options(0, 8)), 1, rays);
  }
}

TEST(LaneMarch, MeetsBlackAndReflectingPatchesOfAWall) {
  const Grid grid = grid_of({12, 6, 6}, Ends::slab, false);
  Wall patches = test::wall(0);
  for (int i = 0; i < 36; ++i) {
    patches.temperature.push_back(400 + 20 * i);
    patches.emissivity.push_back(i % 3 == 0 ? 1.0 : 0.1 * (i % 10));
  }
  patches.temperature.erase(patches.temperature.begin());
  patches.emissivity.erase(patches.emissivity.begin());
  const Walls walls = test::plates(grid, patches, test::wall(500));
  for (const int levels : {1, 0}) {
    expect_same_rays(Tracer(grid, walls, table(), net_options(levels, 3)));
  }
}

/// Rays from the face cells of walls, one by one. One of them may come so close to an edge of cells
/// that rounding decides which cell it passes first.
template <class CellTrace, class WallTrace>
void expect_same_from_walls(const CellTrace& cells, const WallTrace& walls, const Code& code) {
  const auto lanes = lanes_of(cells, code);
  const float hot = hottest(cells);
  int at_edges = 0;
  for (int tile = 0; tile < walls.tiles().count(); tile += 2) {
    for (std::uint32_t number = 0; number < 3; ++number) {
      const Replicate replicate{number, 1};
      const LaneScores scores = lanes.of_walls(walls, tile, replicate, resolution_of(walls));
      std::size_t i = 0;
      std::int64_t traced = 0, lost = 0;
      for (int lane = 0; lane < cells_per_tile; ++lane) {
        const WallCellId wall = walls.tiles().at(tile, lane);
        if (wall.value < 0) continue;
        const BatchScore score = walls(wall, replicate);
        const auto batch = walls.rays.batch(wall.value, tile, 0, replicate);
        Draw draw;
        RayStream stream;
        const PointId point = walls.rays.next(batch, 0, draw, stream);
        const double most =
            constants::pi * static_cast<double>(walls.rays.weight(point) *
                                                walls.march.medium.blackbody(point, hot));
        const bool at_edge = std::abs(scores.sum[i] - score.sum) > 1e-5 * most;
        ASSERT_NEAR(scores.sum[i], score.sum, (at_edge ? 1e-3 : 1e-5) * most)
            << code.name << ", face cell " << wall.value << ", net " << number;
        at_edges += at_edge;
        traced += score.traced;
        lost += score.lost;
        ++i;
      }
      EXPECT_EQ(scores.traced, traced);
      EXPECT_EQ(scores.lost, lost);
    }
  }
  EXPECT_LE(at_edges, 1) << code.name;
}

void expect_same_from_walls(const Tracer& tracer) {
  test::with_wall_tracer(tracer, test::wavy_field(tracer.grid()),
                         [](const auto& of_cells, const auto& of_walls) {
                           for (const Code& code : all_codes()) {
                             expect_same_from_walls(of_cells, of_walls, code);
                           }
                         });
}

TEST_P(LaneMarchTest, MatchesTheScalarMarchFromWalls) {
  std::vector<Walls> list = reflecting_walls(grid());
  list.push_back(black());
  for (const Walls& walls : list) {
    expect_same_from_walls(Tracer(grid(), walls, table(), options()));
    expect_same_from_walls(Tracer(grid(), walls, test::uneven_grey(grid()), options()));
  }
  expect_same_from_walls(Tracer(grid(), black(), test::uneven_gas(grid()), options()));
  expect_same_from_walls(
      Tracer(grid(), test::six_walls(grid()), test::uneven_gas(grid()), options()));
}

/// Gas and walls of one temperature, walls of all kinds.
void expect_nothing_found(const Grid& grid, double kelvin, Termination termination) {
  const auto wall = [&](double emissivity, Reflection reflection) {
    return test::wall(kelvin, emissivity, reflection);
  };
  const Walls walls(grid, {wall(1.0, Reflection::diffuse), wall(0.6, Reflection::diffuse),
                           wall(0.3, Reflection::specular), wall(0.8, Reflection::diffuse),
                           wall(0.0, Reflection::specular), wall(0.0, Reflection::diffuse)});
  Options options = net_options(0, 8);
  options.termination = termination;
  const std::vector<double> temperature(grid.cell_count(), kelvin);
  for (const Medium& medium : {long_table(), test::uneven_grey(grid), test::uneven_gas(grid)}) {
    const Tracer tracer(grid, walls, medium, options);
    test::with_wall_tracer(tracer, temperature, [](const auto& trace, const auto& of_walls) {
      for (const Code& code : all_codes()) {
        const auto lanes = lanes_of(trace, code);
        for (int tile = 0; tile < trace.tiles().count(); tile += 9) {
          const LaneScores scores = lanes(trace.rays, tile, {0, 64}, resolution_of(trace));
          EXPECT_GT(scores.traced, 0);
          for (const double sum : scores.sum) ASSERT_EQ(sum, 0.0) << code.name;
        }
        for (int tile = 0; tile < of_walls.tiles().count(); tile += 5) {
          const LaneScores scores = lanes.of_walls(of_walls, tile, {0, 16}, resolution_of(trace));
          for (const double sum : scores.sum) ASSERT_EQ(sum, 0.0) << code.name;
        }
      }
    });
  }
}

TEST(LaneMarch, IsothermalEnclosureFindsExactlyNothing) {
  for (const bool stretched : {false, true}) {
    const Grid grid = grid_of({17, 9, 12}, Ends::walls, stretched);
    for (const double kelvin : {400.0, 731.3, 1234.5, 1987.6}) {
      expect_nothing_found(grid, kelvin, Termination::cutoff);
    }
    expect_nothing_found(grid, 1111.1, Termination::roulette);
    expect_nothing_found(grid_of({7, 5, 1}, Ends::slab, stretched), 999.9, Termination::cutoff);
  }
}

TEST(LaneMarch, RouletteLeavesNothingOutOnAverage) {
  // Of a hot wall behind cold gas, seen with transmissivities of 1/100 and less.
  const Grid grid = grid_of({64, 4, 4}, Ends::slab, false);
  const Walls walls = test::plates(grid, test::wall(300), test::wall(3000));
  const std::vector<double> temperature(grid.cell_count(), 300.0);
  Options options = net_options(1, 8);
  options.tolerance = 1e-9;
  const Tracer cutoff(grid, walls, GreyMedium(6.0), options);
  options.termination = Termination::roulette;
  const Tracer roulette(grid, walls, GreyMedium(6.0), options);
  constexpr std::uint32_t nets = 100, rays = 256;
  for (const Code& code : all_codes()) {
    if (code.name == "portable") continue;  // takes long
    std::array<std::vector<double>, 2> found;
    std::array<std::int64_t, 2> crossings{};
    for (const std::size_t way : {0, 1}) {
      with_cell_tracer(way == 0 ? cutoff : roulette, temperature, [&](const auto& trace) {
        const auto lanes = lanes_of(trace, code);
        for (std::uint32_t number = 0; number < nets; ++number) {
          const LaneScores scores = lanes(trace.rays, 0, {number, rays, number * rays}, one_level);
          double sum = 0.0;
          for (const double of_cell : scores.sum) sum += of_cell;
          found[way].push_back(sum);
          crossings[way] += scores.crossings;
        }
      });
    }
    EXPECT_LT(crossings[1], 0.7 * static_cast<double>(crossings[0])) << code.name;
    std::vector<double> difference;
    for (std::size_t i = 0; i < nets; ++i) difference.push_back(found[1][i] - found[0][i]);
    const double error = test::standard_deviation(difference) / std::sqrt(nets);
    EXPECT_GT(error, 0.0);
    EXPECT_LT(error, 0.02 * std::abs(test::mean(found[0])));  // a wrong weight shows
    EXPECT_WITHIN_SIGMA(test::mean(difference), error, 0.0, 4) << code.name;
  }
}

TEST(LaneMarch, LosesRaysAfterSoManyCrossingsOnAnyLevel) {
  const Grid grid = grid_of({24, 12, 12}, Ends::periodic, false);
  for (const int crossings : {3, 5, 7, 10, 15, 16, 50}) {
    Options options = net_options(0, 5);
    options.max_crossings = crossings;
    const Tracer tracer(grid, Walls(grid, {}), GreyMedium(1e-9), options);
    with_cell_tracer(tracer, test::wavy_field(grid), [&](const auto& trace) {
      for (const Code& code : all_codes()) {
        const auto lanes = lanes_of(trace, code);
        const LaneScores few = lanes(trace.rays, 0, {0, 4}, resolution_of(trace));
        EXPECT_EQ(few.lost, 4 * 32);
        EXPECT_EQ(few.crossings, 4 * 32 * crossings) << code.name;
        EXPECT_FALSE(few.gave_up);
        EXPECT_TRUE(lanes(trace.rays, 0, {0, 4096}, resolution_of(trace)).gave_up);
      }
    });
  }
}

TEST(LaneMarch, SolvesAsOneRayAfterTheOther) {
  const Grid grid = grid_of({21, 6, 5}, Ends::walls, false);
  const auto temperature = test::wavy_field(grid);
  Options options = net_options(0, 8);
  options.rays_per_cell = 128;
  options.rays_per_wall_face = 16;
  const auto solve = [&](Instructions instructions, int threads, bool unbiased) {
    options.threads = threads;
    options.unbiased = unbiased;
    const Tracer tracer(grid, test::six_walls(grid), table(), options);
    return solve_on_host(tracer, temperature, {}, instructions);
  };
  for (const bool unbiased : {false, true}) {
    const Result scalar = solve(Instructions::scalar, 1, unbiased);
    const double largest = test::largest_magnitude(scalar.flux_divergence);
    for (const Instructions instructions : usable_instructions()) {
      const Result one = solve(instructions, 1, unbiased);
      test::expect_same_bits(one, solve(instructions, 3, unbiased));
      for (std::size_t i = 0; i < grid.cell_count(); ++i) {
        ASSERT_NEAR(one.flux_divergence[i], scalar.flux_divergence[i], 1e-4 * largest);
        ASSERT_NEAR(one.standard_error[i], scalar.standard_error[i], 1e-4 * largest);
      }
    }
  }
}

}  // namespace
}  // namespace ermine
