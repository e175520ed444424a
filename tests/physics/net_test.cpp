#include <ermine/tracer.hpp>

#include "support/gas.hpp"
#include "support/isothermal.hpp"
#include "support/problems.hpp"
#include "support/statistics.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace ermine {
namespace {

struct Problem {
  const char* name;
  Grid grid;
  Walls walls;
  Medium medium;
  std::vector<double> temperature;

  Result solve(const Options& options, std::uint32_t update = 0) const {
    return Tracer(grid, walls, medium, options).solve(temperature, update);
  }
};

GasMedium steam() { return GasMedium(test::atmosphere, {{Species::h2o, {1.0}}}, test::coarse()); }

Problem slab() {
  const Grid grid = test::slab_grid(16, 8);
  return {"slab", grid, test::plates(grid, test::wall(500), test::wall(500)), steam(),
          test::parabola_field(grid)};
}

Problem cube() {
  const Grid grid = test::box_grid(9);
  return {"cube", grid, test::enclosure(grid, test::wall(750)), steam(),
          test::evaluate(grid, [](std::array<double, 3> at) {
            return 750 + 150 * std::sin(9 * at[0] + 1) * std::cos(7 * at[1]) +
                   100 * std::sin(12 * at[2]);
          })};
}

Problem channel() {
  const Grid grid({Axis::stretched(12, 0, 2, 1.2), Axis::uniform(8, 0, 6, Boundary::periodic),
                   Axis::uniform(8, 0, 12, Boundary::periodic)});
  return {"channel", grid, test::plates(grid, test::wall(573), test::wall(955)), steam(),
          test::evaluate(grid, [](std::array<double, 3> at) {
            return 764 + 150 * (at[0] - 1) +
                   60 * at[0] * (2 - at[0]) * std::sin(2.1 * at[1]) * std::cos(1.05 * at[2]);
          })};
}

Options net(std::int64_t rays, std::uint64_t seed = 1) {
  Options options{.rays_per_cell = rays, .rays_per_wall_face = 0, .seed = seed};
  set_method(options, Method::net);
  return options;
}

double root_mean_square(const std::vector<double>& values) {
  double squares = 0.0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  return root_mean_square(differences);
}

/// Reported errors against those found over 50 runs of 4 replicates.
TEST(Net, ErrorBarsAreTrue) {
  for (const Problem& problem : {slab(), cube(), channel()}) {
    constexpr int runs = 50;
    const std::size_t cells = problem.temperature.size();
    std::vector<Result> results;
    std::vector<double> mean(cells);
    double reported = 0.0;
    for (int run = 0; run < runs; ++run) {
      results.push_back(problem.solve(net(128, static_cast<std::uint64_t>(run) + 1)));
      for (std::size_t i = 0; i < cells; ++i) {
        mean[i] += results.back().flux_divergence[i] / runs;
        reported += std::pow(results.back().standard_error[i], 2) / runs;
      }
    }
    double found = 0.0;
    int within = 0;
    for (const Result& result : results) {
      for (std::size_t i = 0; i < cells; ++i) {
        const double error = (result.flux_divergence[i] - mean[i]) / std::sqrt(1 - 1.0 / runs);
        found += error * error / runs;
        within += std::abs(error) < 2 * result.standard_error[i];
      }
    }
    const double ratio = std::sqrt(reported / found);
    EXPECT_GT(ratio, 0.9) << problem.name;
    EXPECT_LT(ratio, 1.1) << problem.name;
    const double share = within / static_cast<double>(runs * cells);
    EXPECT_GT(share, 0.90) << problem.name;
    EXPECT_LT(share, 0.99) << problem.name;
  }
}

/// The net must be far ahead of random numbers: that is what it is for.
TEST(Net, NeedsFewerRays) {
  for (const Problem& problem : {slab(), cube(), channel()}) {
    Options random = net(1024);
    random.sampler = RaySampler::random;
    const double gain = problem.solve(random).relative_standard_error() /
                        problem.solve(net(1024)).relative_standard_error();
    EXPECT_GT(gain, 2.5) << problem.name;
  }
}

TEST(Net, UpdatesDrawFreshRays) {
  const Problem problem = slab();
  const Options options = net(1 << 14);
  const std::vector<double> reference = problem.solve(options).flux_divergence;
  constexpr int updates = 32;
  std::vector<double> mean(reference.size());
  double one = 0.0;
  for (std::uint32_t update = 1; update <= updates; ++update) {
    const Result result = problem.solve(net(64), update);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += result.flux_divergence[i] / updates;
    one += std::pow(difference(result.flux_divergence, reference), 2) / updates;
  }
  EXPECT_LT(difference(mean, reference), std::sqrt(one) / 5);
}

TEST(Net, IsothermalEnclosureHasNoSourceAndNoFlux) {
  const Grid grid(
      {Axis::uniform(9, 0, 1), Axis::stretched(5, 0, 2, 1.3), Axis::uniform(6, 0, 0.7)});
  for (const double emissivity : {1.0, 0.3}) {
    const Walls walls = test::enclosure(grid, test::wall(777.7, emissivity));
    for (const Medium& medium :
         {Medium(GreyMedium(0.8)), Medium(test::three_points()), Medium(test::h2o_co2())}) {
      for (const Termination termination : {Termination::cutoff, Termination::roulette}) {
        Options options = net(32);
        options.rays_per_wall_face = 32;
        options.termination = termination;
        test::expect_exactly_zero(Tracer(grid, walls, medium, options), 777.7);
      }
    }
  }
}

/// Levels with a single step have a large bias; the correction takes it out.
TEST(Net, CorrectionRemovesTheBiasOfLevels) {
  const Problem problem = slab();
  Options options = net(8192);
  options.levels = 1;
  const Result fine = problem.solve(options);
  options.levels = 0;
  options.steps_per_level = 1;
  options.seed = 2;
  options.estimate_bias = true;
  const Result coarse = problem.solve(options);
  options.unbiased = true;
  options.estimate_bias = false;
  const Result corrected = problem.solve(options);
  const double noise = std::hypot(root_mean_square(corrected.standard_error),
                                  root_mean_square(fine.standard_error));
  const double bias = difference(coarse.flux_divergence, fine.flux_divergence);
  ASSERT_GT(bias, 4 * noise);
  EXPECT_LT(difference(corrected.flux_divergence, fine.flux_divergence), 1.3 * noise);
  EXPECT_TRUE(corrected.accuracy.corrected);
  ASSERT_TRUE(coarse.accuracy.bias_estimated);
  EXPECT_NEAR(coarse.accuracy.bias.value, bias, 0.2 * bias);
}

TEST(Net, RouletteLeavesNothingOut) {
  // Nearly transparent between mirrors: a cut-off at a high tolerance would miss a lot.
  const Grid grid = test::slab_grid(6, 4);
  const Walls walls = test::plates(grid, test::wall(500, 0.2), test::wall(1000, 0.2));
  const auto solve = [&](Termination termination, double tolerance, std::uint64_t seed) {
    Options options = net(4096, seed);
    options.termination = termination;
    options.tolerance = tolerance;
    return Tracer(grid, walls, GreyMedium(0.1), options)
        .solve(std::vector<double>(grid.cell_count(), 700.0));
  };
  const Result exact = solve(Termination::cutoff, 1e-9, 1);
  const Result roulette = solve(Termination::roulette, 0.4, 2);
  const Result cut = solve(Termination::cutoff, 0.4, 3);
  const auto off = [&](const Result& result) {
    double chi = 0.0;
    for (std::size_t i = 0; i < exact.standard_error.size(); ++i) {
      const double noise = std::hypot(exact.standard_error[i], result.standard_error[i]);
      chi += std::pow((exact.flux_divergence[i] - result.flux_divergence[i]) / noise, 2);
    }
    return chi / static_cast<double>(exact.standard_error.size());
  };
  EXPECT_LT(off(roulette), 2.0);
  EXPECT_GT(off(cut), 10.0);
}

TEST(ErrorTarget, IsReachedAndTrue) {
  for (const Problem& problem : {slab(), cube(), channel()}) {
    Options exact = net(1 << 13);
    exact.levels = 1;
    const std::vector<double> reference = problem.solve(exact).flux_divergence;
    for (const double target : {0.05, 0.02}) {
      int missed = 0;
      for (std::uint64_t seed = 10; seed < 15; ++seed) {
        Options options = net(1000, seed);
        options.target.error = target;
        const Result result = problem.solve(options);
        ASSERT_EQ(result.accuracy.stopped_by, StoppedBy::target) << problem.name;
        EXPECT_LE(result.accuracy.error, result.accuracy.target);
        const double error =
            difference(result.flux_divergence, reference) / root_mean_square(reference);
        missed += error > 1.1 * target;
      }
      EXPECT_LE(missed, 1) << problem.name << " " << target;
    }
  }
}

TEST(ErrorTarget, OfTheLargestErrorAndOfAQuantile) {
  const Problem problem = channel();
  const auto solve = [&](ErrorNorm norm) {
    Options options = net(1000);
    options.target = {.error = 80, .absolute = true, .norm = norm, .quantile = 0.9};
    return problem.solve(options);
  };
  const auto above = [](const Result& result) {
    int count = 0;
    for (const double error : result.standard_error) count += error > 80;
    return count / static_cast<double>(result.standard_error.size());
  };
  const Result rms = solve(ErrorNorm::rms);
  const Result quantile = solve(ErrorNorm::quantile);
  const Result maximum = solve(ErrorNorm::maximum);
  for (const Result* result : {&rms, &quantile, &maximum}) {
    EXPECT_EQ(result->accuracy.stopped_by, StoppedBy::target);
    EXPECT_DOUBLE_EQ(result->accuracy.target, 80.0);
  }
  EXPECT_LE(root_mean_square(rms.standard_error), 80.0);
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
  const auto start = std::chrono::steady_clock::now();
  const Result result = problem.solve(options);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(result.accuracy.stopped_by, StoppedBy::time_limit);
  EXPECT_LT(seconds, 1.5);
  EXPECT_GT(seconds, 0.5);
  EXPECT_GT(result.accuracy.error, result.accuracy.target);
}

TEST(ErrorTarget, OfNoSourceIsReachedAtOnce) {
  const Grid grid = test::box_grid(5);
  Options options = net(1000);
  options.target.error = 0.01;
  const Result result = Tracer(grid, test::enclosure(grid, test::wall(600)), GreyMedium(1.0), options)
                            .solve(std::vector<double>(grid.cell_count(), 600.0));
  EXPECT_EQ(result.accuracy.stopped_by, StoppedBy::target);
  EXPECT_EQ(root_mean_square(result.flux_divergence), 0.0);
}

}  // namespace
}  // namespace ermine
