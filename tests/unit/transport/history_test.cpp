#include <ermine/error.hpp>

#include "support/net_problems.hpp"
#include "support/same_bits.hpp"
#include "transport/scene/rough_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace ermine::test {
namespace {

/// Fields of a coupled run, within the temperatures of the walls and steepest along x: so that
/// spectral points and directions are drawn alike, whatever fields are looked at.
std::vector<double> coupled_field(const Grid& grid, int update) {
  return evaluate(grid, [update](std::array<double, 3> at) {
    return 764 + 100 * (at[0] - 1) +
           60 * std::sin(2.5 * at[0] + 0.3 * update) * std::cos(1.05 * at[1] - 0.4 * update);
  });
}

Options differences(std::int64_t rays = 32) {
  Options options = net(rays);
  options.rays_per_wall_face = rays;
  options.replicates = 4;
  options.temporal = Temporal::difference;
  options.forgetting = 0.4;
  options.mesh_correction = false;
  return options;
}

struct CoupledRun {
  Problem problem;
  Options options;
  History history = {};

  Result update(int number) {
    return Tracer(problem.grid, problem.walls, problem.medium, options)
        .solve(coupled_field(problem.grid, number), static_cast<std::uint32_t>(number), history);
  }
  /// One of the fields, with rays of any update.
  Result alone(int number, int rays_of) const {
    return Tracer(problem.grid, problem.walls, problem.medium, options)
        .solve(coupled_field(problem.grid, number), static_cast<std::uint32_t>(rays_of));
  }
};

std::vector<double> wall_fluxes(const Result& result) {
  std::vector<double> all;
  for (const WallFlux& wall : result.wall_flux) {
    all.insert(all.end(), wall.net_flux.begin(), wall.net_flux.end());
  }
  return all;
}

/// Largest difference from the recursion over the root mean square. `keep`: b, one for each.
double error_of_recursion(const std::vector<double>& found, const std::vector<double>& before,
                          const std::vector<double>& now, const std::vector<double>& earlier,
                          const std::vector<double>& keep) {
  double largest = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double expected = now[i] + keep[i] * (before[i] - earlier[i]);
    largest = std::max(largest, std::abs(found[i] - expected));
  }
  return largest / root_mean_square(found);
}

/// Q_n = b Q_{n-1} + q(T_n; x_n) - b q(T_{n-1}; x_n), where b is 0.6, and 1/2 at first. Cells whose
/// rays start in another way than in the update before have b = 0.
TEST(History, UpdatesFollowTheRecursion) {
  Problem grey = channel();
  grey.medium = GreyMedium(0.8);
  for (const Problem& problem : {channel(), grey}) {
    CoupledRun run{problem, differences()};
    const Tracer tracer(problem.grid, problem.walls, problem.medium, run.options);
    std::size_t changed = 0;
    Result before = run.update(0);
    EXPECT_EQ(before.flux_divergence, run.alone(0, 0).flux_divergence);
    for (int n = 1; n < 5; ++n) {
      const double keep = n == 1 ? 0.5 : 0.6;
      const Result result = run.update(n);
      const Result now = run.alone(n, n);
      const Result earlier = run.alone(n - 1, n);
      const std::vector<double> field = coupled_field(problem.grid, n);
      const std::vector<char> anew =
          changed_starts(rough_cells(tracer, field), tracer, coupled_field(problem.grid, n - 1));
      ASSERT_EQ(anew.size(), field.size());
      std::vector<double> keep_of_cells(field.size(), keep);
      double gas = now.ledger.gas.value;  // [W]
      for (std::size_t i = 0; i < field.size(); ++i) {
        changed += anew[i] != 0;
        if (anew[i]) keep_of_cells[i] = 0.0;
        gas += problem.grid.volume(i) * keep_of_cells[i] *
               (before.flux_divergence[i] - earlier.flux_divergence[i]);
      }
      EXPECT_LT(error_of_recursion(result.flux_divergence, before.flux_divergence,
                                   now.flux_divergence, earlier.flux_divergence, keep_of_cells),
                1e-5);
      EXPECT_LT(error_of_recursion(wall_fluxes(result), wall_fluxes(before), wall_fluxes(now),
                                   wall_fluxes(earlier),
                                   std::vector<double>(wall_fluxes(now).size(), keep)),
                1e-5);
      EXPECT_NEAR(result.ledger.gas.value, gas, 1e-4 * std::abs(gas));
      EXPECT_NEAR(result.rays_per_cell, 2 * now.rays_per_cell, 1e-9);
      before = result;
    }
    EXPECT_GT(changed, 0u);
    EXPECT_LT(changed, problem.temperature.size());  // of four times as many
    EXPECT_EQ(run.history.updates, 5u);
    EXPECT_EQ(run.history.temperature, coupled_field(problem.grid, 4));
  }
}

TEST(History, GoesOnFromCopiesWithTheSameBits) {
  CoupledRun run{channel(), differences(16)};
  for (int n = 0; n < 3; ++n) run.update(n);
  const History& kept = run.history;
  CoupledRun restarted{
      channel(), run.options,
      History{kept.updates, kept.temperature, kept.flux_divergence, kept.wall_flux}};
  for (int n = 3; n < 5; ++n) expect_same_bits(run.update(n), restarted.update(n));
  EXPECT_EQ(run.history, restarted.history);
}

TEST(History, SubmissionsBringItUpToDate) {
  CoupledRun run{channel(), differences(16)};
  const Tracer tracer(run.problem.grid, run.problem.walls, run.problem.medium, run.options);
  History history;
  for (int n = 0; n < 3; ++n) {
    const auto temperature = coupled_field(run.problem.grid, n);
    Submission submission = tracer.submit(temperature, static_cast<std::uint32_t>(n), history);
    EXPECT_EQ(history.updates, static_cast<std::uint64_t>(n));
    expect_same_bits(submission.wait(), run.update(n));
  }
  EXPECT_EQ(history, run.history);
}

TEST(History, KeepsNothingButLevelsWhereNobodyAsksForDifferences) {
  CoupledRun run{channel(), differences(16)};
  run.options.temporal = Temporal::continued;
  const Result first = run.update(1);
  expect_same_bits(first, run.alone(1, 1));
  History levels;
  levels.levels = first.levels;
  levels.steps_per_level = first.steps_per_level;
  levels.wall_levels = first.wall_levels;
  levels.wall_steps_per_level = first.wall_steps_per_level;
  EXPECT_GT(first.levels, 0);
  EXPECT_EQ(run.history, levels);
}

TEST(History, IsothermalEnclosuresHaveExactlyNoSource) {
  Problem problem = cube();
  problem.temperature.assign(problem.temperature.size(), 750);
  for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
    Options options = differences(16);
    options.precision = precision;
    const Tracer tracer(problem.grid, problem.walls, problem.medium, options);
    History history;
    for (std::uint32_t n = 0; n < 3; ++n) {
      const Result result = tracer.solve(problem.temperature, n, history);
      for (const double q : result.flux_divergence) ASSERT_EQ(q, 0.0);
      for (const double q : wall_fluxes(result)) ASSERT_EQ(q, 0.0);
    }
  }
}

void expect_complaint(const std::function<void()>& act, const std::string& part) {
  try {
    act();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(History, OthersAreRefused) {
  CoupledRun run{channel(), differences(16)};
  run.update(0);
  const History right = run.history;
  run.options.replicates = 5;
  expect_complaint([&] { run.update(1); }, "number of replicates");
  run.options = differences(16);
  run.options.rays_per_wall_face = 0;
  expect_complaint([&] { run.update(1); }, "wall face cells");
  run.problem = cube();
  expect_complaint([&] { run.update(1); }, "temperatures");
  EXPECT_EQ(run.history, right);
}

TEST(History, DifferencesNeedNetsOfSoManyRays) {
  const auto make = [](const auto& change) {
    Options options = differences();
    change(options);
    const Problem problem = channel();
    Tracer(problem.grid, problem.walls, problem.medium, options);
  };
  expect_complaint([&] { make([](Options& o) { o.sampler = RaySampler::random; }); },
                   "needs the net");
  expect_complaint([&] { make([](Options& o) { o.target.error = 0.1; }); }, "as many rays");
  expect_complaint([&] { make([](Options& o) { o.unbiased = true; }); }, "without corrections");
  expect_complaint([&] { make([](Options& o) { o.forgetting = 0; }); }, "forgetting is 0");
}

}  // namespace
}  // namespace ermine::test
