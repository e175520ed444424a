#include <ermine/error.hpp>
#include <ermine/history.hpp>
#include <ermine/tracer.hpp>

#include "support/net_problems.hpp"
#include "support/same_bits.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ermine {
namespace {

using test::Problem;

/// A slab of so many cells across, whose temperature is a function of x.
Problem slab_of(int cells, double length, double (*temperature)(double)) {
  const double width = length * 8 / cells;
  const Grid grid({Axis::uniform(cells, 0, length), Axis::uniform(8, 0, width, Boundary::periodic),
                   Axis::uniform(8, 0, width, Boundary::periodic)});
  std::vector<double> field;
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    field.push_back(temperature(grid.centre(i)[0]));
  }
  const GasMedium gas(test::atmosphere, {{Species::h2o, {0.1}}}, test::coarse());
  return {"slab", grid, test::plates(grid, test::wall(500), test::wall(500)), gas, field};
}

Problem smooth() {
  return slab_of(48, 1.0, [](double x) { return 500 + 2000 * x * (1 - x); });
}

/// Hot gas emits in lines that cold gas does not absorb: cells of a mean temperature do neither.
Problem flame() {
  return slab_of(
      48, 0.3, [](double x) { return 500 + 1500 * std::max(0.0, 1 - std::abs(x - 0.15) / 0.05); });
}

Options with_walls(std::int64_t rays) {
  Options options = test::net(rays);
  options.rays_per_wall_face = automatic_rays;
  return options;
}

Result on_one_level(const Problem& problem) {
  Options options = with_walls(2048);
  options.levels = 1;
  options.thin_starts = ThinStarts::cells;
  options.seed = 99;
  return problem.solve(options);
}

const Estimate& heat(const Result& result, Face face) {
  return result.wall_flux[static_cast<std::size_t>(face)].heat;
}

TEST(LevelChoice, KeepsLevelsOfSmoothFields) {
  const Result result = smooth().solve(with_walls(256));
  EXPECT_GT(result.levels, 1);
  EXPECT_TRUE(result.accuracy.bias_estimated);
  // So small that noise may hide it.
  const Estimate& bias = result.accuracy.bias;
  EXPECT_GT(bias.standard_error, 0.0);
  EXPECT_LT(bias.value + bias.standard_error,
            0.005 * test::root_mean_square(result.flux_divergence));
}

TEST(LevelChoice, IsRightInAFlame) {
  const Problem problem = flame();
  const Result right = on_one_level(problem);
  const Result chosen = problem.solve(with_walls(512));
  Options all_levels = with_walls(512);
  all_levels.levels = 0;
  const Result wrong = problem.solve(all_levels);
  EXPECT_GT(wrong.levels, 1);
  for (const Face face : {Face::x_low, Face::x_high}) {
    const double exact = heat(right, face).value;
    const double noise =
        std::hypot(heat(right, face).standard_error, heat(chosen, face).standard_error);
    EXPECT_LT(noise, 0.01 * std::abs(exact));
    EXPECT_NEAR(heat(chosen, face).value, exact, 0.005 * std::abs(exact) + 3 * noise);
    // Levels that are asked for are wrong, and their error says so.
    const double off = heat(wrong, face).value - exact;
    EXPECT_LT(off, -0.08 * std::abs(exact));
    EXPECT_NEAR(std::abs(off), heat(wrong, face).standard_error, 0.4 * std::abs(off));
  }
  const double rms = test::root_mean_square(right.flux_divergence);
  EXPECT_LT(chosen.accuracy.bias.value, 0.005 * rms);
  EXPECT_GT(wrong.accuracy.bias.value, 0.02 * rms);
  const double off = test::difference(wrong.flux_divergence, right.flux_divergence);
  EXPECT_NEAR(wrong.accuracy.error, off, 0.25 * off);
}

/// Hot gas in a ball, whose front is a few of its 32 cells across.
Problem ball() {
  const Grid grid = test::box_grid(32);
  const auto temperature = [](std::array<double, 3> at) {
    const double radius = std::hypot(at[0] - 0.5, at[1] - 0.5, at[2] - 0.5);
    return 600 + 650 * (1 + std::tanh((0.25 - radius) / 0.05));
  };
  const GasMedium gas(test::atmosphere, {{Species::h2o, {0.1}}}, test::coarse());
  return {"ball", grid, test::enclosure(grid, test::wall(600)), gas,
          test::evaluate(grid, temperature)};
}

TEST(LevelChoice, TakesFewerLevelsAtAFront) {
  const Problem problem = ball();
  Options options = with_walls(256);
  options.target.error = 0.02;
  const Result chosen = problem.solve(options);
  Options all = with_walls(64);
  all.levels = 0;
  EXPECT_GT(chosen.levels, 1);
  EXPECT_LT(chosen.levels, problem.solve(all).levels);
  const Result right = on_one_level(problem);
  EXPECT_LE(chosen.accuracy.bias.value, 0.01 * test::root_mean_square(right.flux_divergence));
  const double noise =
      std::hypot(chosen.ledger.gas.standard_error, right.ledger.gas.standard_error);
  EXPECT_LT(noise, 0.01 * right.ledger.exchanged);
  EXPECT_NEAR(chosen.ledger.gas.value, right.ledger.gas.value, 2.5 * noise);
  // That is worth it: rays of cells cross fewer cells.
  const auto crossings = [&](int levels, int steps) {
    Options given = test::net(64);
    given.levels = levels;
    given.steps_per_level = steps;
    given.estimate_bias = false;
    return problem.solve(given).rays.crossings;
  };
  EXPECT_LT(static_cast<double>(crossings(chosen.levels, chosen.steps_per_level)),
            0.85 * static_cast<double>(crossings(1, 8)));
}

/// Half as much of the heat may be out of balance as with a target of 1 %.
TEST(LevelChoice, BalancesHeatWithoutATarget) {
  for (const Problem& problem : {flame(), ball()}) {
    for (const double target : {0.0, 0.01}) {
      Options options = with_walls(256);
      options.target.error = target;
      const Result result = problem.solve(options);
      const Estimate& bias = result.ledger.gas_bias;
      const double allowed = target > 0 ? 0.0055 : 0.00275;
      EXPECT_LE(std::abs(bias.value) + bias.standard_error, allowed * result.ledger.exchanged)
          << problem.name << " with a target of " << target;
    }
  }
}

TEST(LevelChoice, OfASmallGridIsOneLevel) {
  const Result result = test::cube().solve(with_walls(64));
  EXPECT_EQ(result.levels, 1);
  EXPECT_EQ(result.wall_levels, 1);
  EXPECT_TRUE(result.accuracy.bias_estimated);
  EXPECT_EQ(result.accuracy.bias.value, 0.0);
}

TEST(LevelChoice, OfFewRaysOfWallsIsOneLevel) {
  Options options = with_walls(64);
  options.rays_per_wall_face = 512;  // four times as many as the choice would follow
  const Result few = smooth().solve(options);
  EXPECT_EQ(few.wall_levels, 1);
  EXPECT_EQ(few.wall_flux[0].bias.value, 0.0);
  options.rays_per_wall_face = 2048;
  EXPECT_GT(smooth().solve(options).wall_levels, 1);
}

TEST(LevelChoice, DoesNotDependOnThreads) {
  Options options = with_walls(32);
  options.threads = 1;
  const Result one = flame().solve(options);
  options.threads = 3;
  const Result three = flame().solve(options);
  test::expect_same_bits(one, three);
  EXPECT_EQ(one.levels, three.levels);
  EXPECT_EQ(one.wall_levels, three.wall_levels);
  EXPECT_EQ(one.wall_steps_per_level, three.wall_steps_per_level);
}

TEST(LevelChoice, StaysForTheLifeOfAHistory) {
  const Problem first = smooth();
  Problem second = first;
  second.temperature =
      slab_of(48, 1.0, [](double x) { return x < 0.5 ? 500.0 : 1900.0; }).temperature;
  const Options options = with_walls(32);
  const Tracer tracer(first.grid, first.walls, first.medium, options);
  History history;
  const Result before = tracer.solve(first.temperature, 0, history);
  const Result after = tracer.solve(second.temperature, 1, history);
  EXPECT_GT(before.levels, 1);
  EXPECT_EQ(after.levels, before.levels);
  EXPECT_EQ(after.steps_per_level, before.steps_per_level);
  EXPECT_EQ(after.wall_levels, before.wall_levels);
  EXPECT_EQ(history.levels, before.levels);
  // Errors know what the levels do to this field, though they were chosen for another.
  EXPECT_TRUE(after.accuracy.bias_estimated);
  Options one_level = with_walls(512);
  one_level.levels = 1;
  const Result right = second.solve(one_level);
  for (const Face face : {Face::x_low, Face::x_high}) {
    const double off = std::abs(heat(after, face).value - heat(right, face).value);
    EXPECT_LT(off, 3 * heat(after, face).standard_error);
  }
  const double off = test::difference(after.flux_divergence, right.flux_divergence);
  EXPECT_NEAR(after.accuracy.error, off, 0.4 * off);
  // Of its own it would have chosen otherwise.
  const Result alone = second.solve(options);
  EXPECT_NE(std::pair(alone.levels, alone.steps_per_level),
            std::pair(before.levels, before.steps_per_level));
}

TEST(LevelChoice, BiasOfATemperatureIsThatOfItsClass) {
  Accuracy accuracy;
  accuracy.bias_by_temperature = {{600, 1.0}, {900, 2.0}, {2000, 3.0}};
  EXPECT_EQ(accuracy.bias_at(600), 1.0);
  EXPECT_EQ(accuracy.bias_at(600.1), 2.0);
  EXPECT_EQ(accuracy.bias_at(2000), 3.0);
  // One temperature: all cells are of the first class.
  accuracy.bias_by_temperature = {{700, 1.0}, {700, 0.0}, {700, 0.0}};
  EXPECT_EQ(accuracy.bias_at(700), 1.0);
}

TEST(WallRays, TargetNeedsWallsAndRays) {
  Options options = test::net(16);
  options.target.wall_error = 0.01;
  EXPECT_THROW(test::slab().solve(options), Error);  // no rays of walls
  options.rays_per_wall_face = 16;
  const Grid grid({Axis::uniform(4, 0, 1, Boundary::periodic),
                   Axis::uniform(4, 0, 1, Boundary::periodic),
                   Axis::uniform(4, 0, 1, Boundary::periodic)});
  EXPECT_THROW(Tracer(grid, Walls(grid, {}), GreyMedium(1.0), options), Error);
}

TEST(WallRays, AreNeverLoweredByATarget) {
  Options options = test::net(64);
  options.target.error = 0.1;
  options.rays_per_wall_face = 20000;
  EXPECT_GE(test::slab().solve(options).rays_per_wall_face, 20000);
}

/// Walls with a target use one level: cells are corrected alone.
TEST(WallRays, HaveATargetBesideCorrectedCells) {
  Options options = with_walls(32);
  options.levels = 0;
  options.unbiased = true;
  options.target.wall_error = 0.5;
  const Result result = smooth().solve(options);
  EXPECT_TRUE(result.accuracy.corrected);
  EXPECT_LE(result.accuracy.wall_error, result.accuracy.wall_target);
  EXPECT_LT(heat(result, Face::x_low).value, 0.0);
}

TEST(WallRays, ReachATargetOfTheirOwn) {
  const Grid grid = test::box_grid(10);
  const Problem problem{"grey", grid, test::six_walls(grid), GreyMedium(0.5),
                        test::parabola_field(grid)};
  Options options = with_walls(16);
  options.target.wall_error = 0.003;
  const Result result = problem.solve(options);
  EXPECT_LE(result.accuracy.wall_error, result.accuracy.wall_target);
  Options many = with_walls(16);
  many.seed = 5;
  many.rays_per_wall_face = 1 << 15;
  const Result right = problem.solve(many);
  double squares = 0.0, differences = 0.0, reported = 0.0;
  for (std::size_t side = 0; side < 6; ++side) {
    const WallFlux& found = result.wall_flux[side];
    const WallFlux& reference = right.wall_flux[side];
    for (std::size_t i = 0; i < found.net_flux.size(); ++i) {
      squares += std::pow(reference.net_flux[i], 2);
      differences += std::pow(found.net_flux[i] - reference.net_flux[i], 2);
      reported += std::pow(found.standard_error[i], 2) + std::pow(reference.standard_error[i], 2);
    }
  }
  EXPECT_LT(std::sqrt(differences / squares), 0.004);
  EXPECT_NEAR(std::sqrt(differences / reported), 1.0, 0.2);
}

}  // namespace
}  // namespace ermine
