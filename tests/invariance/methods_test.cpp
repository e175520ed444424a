#include <ermine/error.hpp>

#include "support/gas.hpp"
#include "support/problems.hpp"
#include "support/same_bits.hpp"
#include "support/spectra.hpp"
#include "support/statistics.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace ermine {
namespace {

using test::expect_same_bits;

std::vector<double> weaker_swirl(const Grid& grid) {
  return test::evaluate(grid, [](std::array<double, 3> at) {
    return 600 + 250 * std::sin(4 * at[0]) * at[1] + 200 * at[2] * at[2];
  });
}

/// Grey, a list, a single gas, mixtures without and with fields of composition.
std::vector<Medium> all_media(const Grid& grid) {
  std::vector<double> absorption;
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    absorption.push_back(0.3 + 0.2 * static_cast<double>(i % 5));
  }
  return {GreyMedium(absorption), test::three_points(),
          GasMedium(test::atmosphere, {{Species::h2o, {0.3}}}, test::coarse()), test::h2o_co2(),
          test::h2o_co2_fields(grid.cell_count())};
}

/// Uniform on every level, and odd and stretched.
std::vector<Grid> grids() {
  return {Grid({Axis::uniform(12, 0, 1), Axis::uniform(6, 0, 1, Boundary::periodic),
                Axis::uniform(3, 0, 1)}),
          Grid({Axis::stretched(9, 0, 1, 1.2), Axis::uniform(11, 0, 1, Boundary::periodic),
                Axis::uniform(3, 0, 1)})};
}

/// Sums over cells and faces of squared differences in standard errors.
double chi_square(const Result& a, const Result& b, int& count) {
  double sum = 0.0;
  const auto add = [&](const std::vector<double>& x, const std::vector<double>& x_error,
                       const std::vector<double>& y, const std::vector<double>& y_error) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double variance = x_error[i] * x_error[i] + y_error[i] * y_error[i];
      if (!(variance > 0)) continue;  // white walls
      sum += std::pow(x[i] - y[i], 2) / variance;
      ++count;
    }
  };
  add(a.flux_divergence, a.standard_error, b.flux_divergence, b.standard_error);
  for (std::size_t side = 0; side < 6; ++side) {
    add(a.wall_flux[side].net_flux, a.wall_flux[side].standard_error, b.wall_flux[side].net_flux,
        b.wall_flux[side].standard_error);
  }
  return sum;
}

TEST(Samplers, AllAgree) {
  const Grid grid = test::box_grid(4);
  const auto temperature = weaker_swirl(grid);
  for (const Medium& medium : all_media(grid)) {
    const auto solve = [&](RaySampler sampler, int batches, std::uint64_t seed) {
      return Tracer(grid, test::six_walls(grid), medium,
                    {.sampler = sampler,
                     .levels = 1,
                     .rays_per_cell = 2000,
                     .rays_per_wall_face = 2000,
                     .batches = batches,
                     .seed = seed})
          .solve(temperature);
    };
    const Result random = solve(RaySampler::random, 0, 1);
    for (const auto& [sampler, batches] :
         {std::pair{RaySampler::sorted, 1}, {RaySampler::sorted, 0}, {RaySampler::net, 0}}) {
      const Result other = solve(sampler, batches, 2);
      int count = 0;
      const double sum = chi_square(random, other, count);
      EXPECT_GT(count, 100);
      EXPECT_WITHIN_SIGMA(sum, std::sqrt(2.0 * count), count, 4) << describe(medium);
    }
  }
}

TEST(Levels, WithoutACoarseStepChangeNoBit) {
  for (const Grid& grid : grids()) {
    const auto temperature = weaker_swirl(grid);
    for (const Medium& medium : all_media(grid)) {
      for (const RaySampler sampler : test::both_samplers) {
        for (const Precision precision :
             {Precision::single_precision, Precision::double_precision}) {
          const auto solve = [&](int levels, int steps) {
            return Tracer(grid, test::six_walls(grid), medium,
                          {.sampler = sampler,
                           .estimate_bias = false,
                           .levels = levels,
                           .steps_per_level = steps,
                           .rays_per_cell = 20,
                           .rays_per_wall_face = 20,
                           .precision = precision})
                .solve(temperature);
          };
          const Result one = solve(1, 5);
          const Result all = solve(0, 1'000'000);
          EXPECT_EQ(one.levels, 1);
          EXPECT_GT(all.levels, 1);
          expect_same_bits(one, all);
          EXPECT_NE(one.flux_divergence, solve(0, 1).flux_divergence);
        }
      }
    }
  }
}

TEST(FieldAccess, TextureIsGlobalMemoryOnTheCpu) {
  const Grid grid = grids()[0];
  const auto temperature = weaker_swirl(grid);
  for (const int levels : {1, 0}) {
    const auto solve = [&](FieldAccess access) {
      return Tracer(grid, test::six_walls(grid), test::three_points(),
                    {.backend = Backend::cpu,
                     .sampler = RaySampler::random,
                     .field_access = access,
                     .levels = levels,
                     .rays_per_cell = 50,
                     .rays_per_wall_face = 50})
          .solve(temperature);
    };
    expect_same_bits(solve(FieldAccess::global), solve(FieldAccess::texture));
  }
}

TEST(Methods, ThreadsDoNotChangeABit) {
  for (const Grid& grid : grids()) {
    const auto temperature = weaker_swirl(grid);
    for (const Medium& medium : all_media(grid)) {
      for (const Method method : {Method::classic, Method::multigrid, Method::net}) {
        const auto solve = [&](int threads) {
          Options options{.backend = Backend::cpu,
                          .rays_per_cell = 40,
                          .rays_per_wall_face = 20,
                          .threads = threads};
          set_method(options, method);
          return Tracer(grid, test::six_walls(grid), medium, options).solve(temperature);
        };
        const Result one = solve(1);
        for (const int threads : {2, 3, 8}) expect_same_bits(one, solve(threads));
      }
    }
  }
}

class Submitted : public testing::TestWithParam<Method> {
 protected:
  Submitted() : grid(test::box_grid(5)), warm(weaker_swirl(grid)), hot(warm) {
    for (double& t : hot) t += 300;
  }

  Tracer tracer(const Medium& medium = test::three_points()) const {
    return Tracer(grid, test::six_walls(grid), medium,
                  test::with_method(GetParam(), {.rays_per_cell = 200, .rays_per_wall_face = 100}));
  }

  Grid grid;
  std::vector<double> warm, hot;
};

TEST_P(Submitted, TwoAtOnceGiveWhatSolveGives) {
  const Tracer tracer = this->tracer();
  std::vector<double> copied = warm;
  Submission first = tracer.submit(copied, 3);
  Submission second = tracer.submit(hot, 4);
  copied.assign(copied.size(), 0.0);
  // In the other order than they were submitted.
  expect_same_bits(second.wait(), tracer.solve(hot, 4));
  expect_same_bits(first.wait(), tracer.solve(warm, 3));
}

TEST_P(Submitted, IsReadyInTheEnd) {
  const Tracer tracer = this->tracer();
  Submission submission = tracer.submit(warm);
  const auto start = std::chrono::steady_clock::now();
  while (!submission.ready()) {
    ASSERT_LT(std::chrono::steady_clock::now() - start, std::chrono::minutes(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  expect_same_bits(submission.wait(), tracer.solve(warm));
}

TEST_P(Submitted, GivesItsResultOnce) {
  const Tracer tracer = this->tracer();
  Submission submission = tracer.submit(warm);
  submission.wait();
  test::expect_error([&] { submission.wait(); }, {"the result of this submission was taken"});
  test::expect_error([&] { submission.ready(); }, {"the result of this submission was taken"});
  submission = tracer.submit(warm);
  expect_same_bits(submission.wait(), tracer.solve(warm));
}

TEST_P(Submitted, MayBeDropped) {
  const Tracer tracer = this->tracer();
  tracer.submit(warm);
  Submission replaced = tracer.submit(warm);
  replaced = tracer.submit(hot, 1);
  expect_same_bits(replaced.wait(), tracer.solve(hot, 1));
}

TEST_P(Submitted, ThrowsWhatWentWrong) {
  const Tracer tracer = this->tracer();
  EXPECT_THROW(tracer.submit(std::vector<double>(3, 500.0)), Error);
  std::vector<double> beyond = warm;
  beyond[7] = 2500;  // the list ends at 2000 K
  Submission submission = tracer.submit(beyond);
  test::expect_error([&] { submission.wait(); }, {"2500 K", "outside the spectral data"});
}

INSTANTIATE_TEST_SUITE_P(Methods, Submitted, testing::ValuesIn(test::both_methods),
                         [](const auto& param) { return name_of(param.param); });

/// Few of the rays, but of sorted ones the first, cross more cells than they may.
TEST(LostRays, AreAsManyInWhateverOrder) {
  const Axis periodic = Axis::uniform(8, 0, 1, Boundary::periodic);
  const Grid grid({periodic, periodic, periodic});
  const auto solve = [&](RaySampler sampler, double allowed) {
    return Tracer(grid, Walls(grid, {}), test::three_points(),
                  {.backend = Backend::cpu,
                   .sampler = sampler,
                   .levels = 1,
                   .rays_per_cell = 2000,
                   .max_crossings = 150,
                   .max_lost_fraction = allowed})
        .solve(test::parabola_field(grid));
  };
  const Result random = solve(RaySampler::random, 1.0);
  const Result sorted = solve(RaySampler::sorted, 1.0);
  EXPECT_EQ(random.rays.traced, sorted.rays.traced);
  const double lost = static_cast<double>(random.rays.lost);
  ASSERT_GT(lost, 1000);
  ASSERT_LT(lost, 0.2 * static_cast<double>(random.rays.traced));
  EXPECT_NEAR(static_cast<double>(sorted.rays.lost), lost, 5 * std::sqrt(2 * lost));
  EXPECT_THROW(solve(RaySampler::random, 1e-4), Error);
  EXPECT_THROW(solve(RaySampler::sorted, 1e-4), Error);
}

}  // namespace
}  // namespace ermine
