#include <ermine/output.hpp>
#include <ermine/tracer.hpp>

#include "support/isothermal.hpp"
#include "support/net_problems.hpp"
#include "support/runs.hpp"
#include "support/same_bits.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ermine {
namespace {

using test::Problem;

Problem slab() {
  const Grid grid = test::slab_grid(16, 16);
  return {"slab", grid, test::plates(grid, test::wall(500), test::wall(500)), test::steam(),
          test::parabola_field(grid)};
}

Problem cube() {
  const Grid grid = test::box_grid(16);
  return {"cube", grid, test::enclosure(grid, test::wall(750)), test::steam(),
          test::evaluate(grid, [](std::array<double, 3> at) {
            return 750 + 150 * std::sin(9 * at[0] + 1) * std::cos(7 * at[1]) +
                   100 * std::sin(12 * at[2]);
          })};
}

Options starting_in(ThinStarts starts, std::int64_t rays, std::uint64_t seed = 1) {
  Options options = test::net(rays, seed);
  options.backend = Backend::cpu;
  options.thin_starts = starts;
  return options;
}

/// On a grid whose spacings differ and that does not fill whole tiles.
Problem channel() {
  Problem problem = test::channel();
  problem.grid = Grid({Axis::stretched(18, 0, 2, 1.1), Axis::uniform(20, 0, 6, Boundary::periodic),
                       Axis::uniform(22, 0, 12, Boundary::periodic)});
  problem.walls = test::plates(problem.grid, test::wall(573), test::wall(955));
  problem.temperature = test::evaluate(problem.grid, [](std::array<double, 3> at) {
    return 764 + 150 * (at[0] - 1) +
           60 * at[0] * (2 - at[0]) * std::sin(2.1 * at[1]) * std::cos(1.05 * at[2]);
  });
  return problem;
}

TEST(ThinStarts, IsothermalEnclosureHasNoSource) {
  for (const Problem& problem : {slab(), cube(), channel()}) {
    const Walls walls = test::enclosure(problem.grid, test::wall(777));
    Options options = starting_in(ThinStarts::blocks, 32);
    options.rays_per_wall_face = 8;
    for (const Shifts shifts : {Shifts::cell, Shifts::mirrored, Shifts::tile}) {
      options.shifts = shifts;
      test::expect_exactly_zero(Tracer(problem.grid, walls, problem.medium, options), 777);
    }
    const Walls reflecting = test::enclosure(problem.grid, test::wall(777, 0.6));
    test::expect_exactly_zero(Tracer(problem.grid, reflecting, problem.medium, options), 777);
  }
}

/// The difference is noise, which error bars know, and less than a third of a percent besides.
void expect_the_same_from_blocks(const Problem& problem, const Options& options,
                                 double largest_noise) {
  const Result blocks = problem.solve(options);
  EXPECT_GT(blocks.thin_below, 0.0);
  EXPECT_EQ(blocks.tile_cells, (std::array{8, 8, 4}));
  const Result cells = problem.solve([&] {
    Options other = options;
    other.thin_starts = ThinStarts::cells;
    other.seed = 2;
    return other;
  }());
  EXPECT_EQ(cells.thin_below, 0.0);
  EXPECT_EQ(cells.tile_cells, (std::array{4, 4, 2}));
  double squares = 0.0, noise = 0.0;
  for (std::size_t i = 0; i < cells.flux_divergence.size(); ++i) {
    squares += std::pow(blocks.flux_divergence[i] - cells.flux_divergence[i], 2);
    noise += std::pow(blocks.standard_error[i], 2) + std::pow(cells.standard_error[i], 2);
  }
  const double count = static_cast<double>(cells.flux_divergence.size());
  const double rms = test::root_mean_square(cells.flux_divergence);
  EXPECT_LT(std::sqrt(squares / count), 1.1 * std::sqrt(noise / count) + 0.003 * rms)
      << problem.name;
  EXPECT_LT(std::sqrt(noise / count), largest_noise * rms) << problem.name;
  const Estimate& gas = blocks.ledger.gas;
  const Estimate& other = cells.ledger.gas;
  const double error = std::hypot(gas.standard_error, other.standard_error);
  EXPECT_LT(std::abs(gas.value - other.value), 4 * error + 0.003 * std::abs(other.value))
      << problem.name;
}

TEST(ThinStarts, OfBlocksFindTheSameAsThoseOfCells) {
  for (const Problem& problem : {slab(), cube(), channel()}) {
    Options options = starting_in(ThinStarts::blocks, 8192);
    options.replicates = 16;
    options.target = {};
    expect_the_same_from_blocks(problem, options, 0.012);
  }
}

/// Diffuse walls and a mirror.
TEST(ThinStarts, OfBlocksFindTheSameBetweenReflectingWalls) {
  Problem problem = cube();
  auto sides = test::enclosure(problem.grid, test::wall(750, 0.5)).sides();
  sides[3].reflection = Reflection::specular;
  problem.walls = Walls(problem.grid, sides);
  Options options = starting_in(ThinStarts::blocks, 512);
  options.replicates = 8;
  options.rays_per_wall_face = 0;
  options.target = {};
  expect_the_same_from_blocks(problem, options, 0.05);
}

/// Reported errors against those found over many runs of 2 replicates.
TEST(ThinStarts, ErrorBarsAreTrue) {
  for (const Problem& problem : {slab(), cube(), channel()}) {
    test::Runs cells, planes, gas;
    for (std::uint64_t run = 1; run <= 100; ++run) {
      Options options = starting_in(ThinStarts::blocks, 64, run);
      options.replicates = 2;
      const Result result = problem.solve(options);
      cells.value.push_back(result.flux_divergence);
      cells.error.push_back(result.standard_error);
      const Profile profile = plane_average(problem.grid, problem.temperature, result, 0);
      planes.value.push_back(profile.flux_divergence);
      planes.error.push_back(profile.standard_error);
      gas.value.push_back({result.ledger.gas.value});
      gas.error.push_back({result.ledger.gas.standard_error});
    }
    const auto expect_true = [&](const char* what, const test::Runs& runs, double margin) {
      EXPECT_GT(runs.ratio(), 1 / margin) << what << " of the " << problem.name;
      EXPECT_LT(runs.ratio(), margin) << what << " of the " << problem.name;
    };
    expect_true("cells", cells, 1.1);
    expect_true("planes", planes, 1.25);
    expect_true("total", gas, 1.25);
    EXPECT_GT(cells.within_two(), 0.90) << problem.name;
  }
}

/// Rays are counted: those of cells, and twice as many of an eighth as many nodes.
TEST(ThinStarts, RaysAreThoseOfCellsAndNodes) {
  const Problem problem = cube();
  const Result result = problem.solve(starting_in(ThinStarts::blocks, 64));
  EXPECT_EQ(result.rays_per_cell, 64 * 1.25);
  EXPECT_EQ(result.rays.traced, 64 * 5120);
  // All points are thin in cells of a hair's breadth.
  const Axis thin = Axis::uniform(16, 0, 1e-5);
  const Grid grid({thin, thin, thin});
  const Result all_thin = Tracer(grid, test::enclosure(grid, test::wall(300)), problem.medium,
                                 starting_in(ThinStarts::blocks, 64))
                              .solve(problem.temperature);
  EXPECT_EQ(all_thin.rays_per_cell, 64 * 0.25);
  // And none in those of a kilometre.
  const Axis thick = Axis::uniform(16, 0, 1e8);
  const Grid large({thick, thick, thick});
  const Result none = Tracer(large, test::enclosure(large, test::wall(300)), problem.medium,
                             starting_in(ThinStarts::blocks, 64))
                          .solve(problem.temperature);
  EXPECT_EQ(none.thin_below, 0.0);
  EXPECT_EQ(none.rays_per_cell, 64);
}

/// Where there are no blocks, or no fast way to trace from them.
TEST(ThinStarts, OthersKeepToCells) {
  const Problem problem = cube();
  const auto thin_below = [&](const Problem& of, const auto& change) {
    Options options = starting_in(ThinStarts::blocks, 8);
    change(options);
    return of.solve(options).thin_below;
  };
  EXPECT_GT(thin_below(problem, [](Options&) {}), 0.0);
  EXPECT_EQ(thin_below(problem, [](Options& o) { o.unbiased = true; }), 0.0);
  EXPECT_GT(thin_below(problem, [](Options& o) { o.levels = 1; }), 0.0);
  EXPECT_GT(thin_below(problem, [](Options& o) { o.start = StartPoint::uniform; }), 0.0);
  EXPECT_EQ(thin_below(problem, [](Options& o) { o.precision = Precision::double_precision; }),
            0.0);
  EXPECT_EQ(thin_below(problem, [](Options& o) { o.thin_starts = ThinStarts::cells; }), 0.0);
  EXPECT_EQ(thin_below(test::slab(), [](Options&) {}), 0.0);  // 8 cells across
  Problem odd = test::cube();
  odd.grid = test::box_grid(17);
  odd.temperature.assign(odd.grid.cell_count(), 700.0);
  EXPECT_EQ(thin_below(odd, [](Options&) {}), 0.0);
  Problem grey = problem;
  grey.medium = GreyMedium(0.1);
  EXPECT_EQ(thin_below(grey, [](Options&) {}), 0.0);
}

TEST(ThinStarts, ThreadsDoNotChangeABit) {
  for (const Problem& problem : {cube(), channel()}) {
    Options options = starting_in(ThinStarts::blocks, 32);
    options.threads = 1;
    const Result one = problem.solve(options);
    EXPECT_GT(one.thin_below, 0.0);
    options.threads = 3;
    test::expect_same_bits(one, problem.solve(options));
  }
}

/// The thinner, the smaller the error asked for, and the rougher the field.
TEST(ThinStarts, ThicknessFollowsTheErrorAskedFor) {
  Problem problem = slab();
  const auto below = [&](const ErrorTarget& target) {
    Options options = starting_in(ThinStarts::blocks, 64);
    options.target = target;
    options.target.time_limit = 0.01;
    return problem.solve(options).thin_below;
  };
  // Rounded down, by 4 % at most.
  for (const double error : {0.01, 0.5}) {
    EXPECT_LE(below({.error = error}), 0.15 * 16);
    EXPECT_GE(below({.error = error}), 0.96 * 0.15 * 16);
  }
  EXPECT_LT(below({.error = 0.001}), 0.05 * 16);
  EXPECT_EQ(below({.error = 0.0001}), 0.0);
  EXPECT_EQ(below({.error = 100, .absolute = true}), 0.0);
  const auto set_along_x = [&](double (*value)(double)) {
    for (std::size_t i = 0; i < problem.temperature.size(); ++i) {
      problem.temperature[i] = 750 + 200 * value(static_cast<double>(i % 16));
    }
  };
  set_along_x([](double i) { return std::sin(0.72 * i); });
  EXPECT_LT(below({.error = 0.01}), 0.12 * 16);
  EXPECT_GT(below({.error = 0.01}), 0.02 * 16);
  set_along_x([](double i) { return std::sin(i); });
  EXPECT_EQ(below({.error = 0.01}), 0.0);
  // A front of two cells has third differences that no wave of its first and second ones has.
  set_along_x([](double i) { return std::tanh((i - 7.5) / 1.2); });
  EXPECT_EQ(below({.error = 0.01}), 0.0);
}

/// Some tiles get more rays than others, with the nodes around them.
TEST(ThinStarts, TargetOfTheLargestErrorIsReachedAndTrue) {
  const Problem problem = cube();
  Options options = starting_in(ThinStarts::cells, 16384);
  const Result reference = problem.solve(options);
  options = starting_in(ThinStarts::blocks, 64);
  options.target = {.error = 0.06, .norm = ErrorNorm::maximum};
  const Result result = problem.solve(options);
  EXPECT_GT(result.thin_below, 0.0);
  EXPECT_EQ(result.accuracy.stopped_by, StoppedBy::target);
  const double rms = test::root_mean_square(reference.flux_divergence);
  double largest = 0.0;
  double chi_square = 0.0;
  for (std::size_t i = 0; i < reference.flux_divergence.size(); ++i) {
    const double off = result.flux_divergence[i] - reference.flux_divergence[i];
    largest = std::max(largest, result.standard_error[i]);
    chi_square +=
        std::pow(off / std::hypot(result.standard_error[i], reference.standard_error[i]), 2);
  }
  EXPECT_LE(largest, 0.06 * rms);
  EXPECT_NEAR(std::sqrt(chi_square / static_cast<double>(reference.flux_divergence.size())), 1.0,
              0.2);
}

}  // namespace
}  // namespace ermine
