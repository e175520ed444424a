#include "reference/slab.hpp"

#include <ermine/output.hpp>

#include "support/problems.hpp"
#include "support/statistics.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

using test::parabola;

/// Largest difference of the profile from the reference, in per cent of max|Q|, less 4 standard
/// errors: what noise cannot explain.
double unexplained(const Profile& profile, const std::vector<double>& exact) {
  double largest = 0.0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double difference = std::abs(profile.flux_divergence[i] - exact[i]);
    largest = std::max(largest, difference - 4 * profile.standard_error[i]);
  }
  return 100 * largest / test::largest_magnitude(exact);
}

struct SlabRun {
  Profile profile;
  Result result;
};

class Slab : public testing::TestWithParam<RaySampler> {};

SlabRun run_slab(const Medium& medium, const Wall& low, const Wall& high, int cells = 32) {
  const Grid grid = test::slab_grid(cells, 4);
  const auto temperature = test::parabola_field(grid);
  const Tracer tracer(grid, test::plates(grid, low, high), medium,
                      {.sampler = Slab::GetParam(),
                       .levels = 1,
                       .rays_per_cell = 4000,
                       .rays_per_wall_face = 4000});
  Result result = tracer.solve(temperature);
  return {plane_average(grid, temperature, result, 0), std::move(result)};
}

reference::SlabPoint grey_point(double absorption, double low, double high) {
  return {[=](double) { return absorption; },
          [](double x) { return test::intensity(parabola(x)); },
          {test::intensity(low), test::intensity(high)}};
}

TEST_P(Slab, GreyBetweenGreyDiffuseWalls) {
  const SlabRun run = run_slab(GreyMedium(1.0), test::wall(600, 0.4), test::wall(500, 0.7));
  const auto point = grey_point(1.0, 600, 500);
  const auto exact = reference::solve_slab({0, 1, {0.4, 0.7}}, {&point, 1}, run.profile.coordinate);
  EXPECT_LT(unexplained(run.profile, exact.flux_divergence), 0.15);
  for (const std::size_t side : {0, 1}) {
    const WallFlux& wall = run.result.wall_flux[side];
    const double error = wall.standard_error[0] / std::sqrt(double(wall.net_flux.size()));
    EXPECT_NEAR(test::mean(wall.net_flux), exact.wall_flux[side],
                5 * error + 1e-3 * std::abs(exact.wall_flux[side]));
  }
}

TEST_P(Slab, BetweenAMirrorAndABlackWall) {
  const SlabRun run = run_slab(GreyMedium(2.0), test::wall(500, 0.0), test::wall(500));
  const auto point = grey_point(2.0, 500, 500);
  const auto exact = reference::solve_slab({0, 1, {0.0, 1.0}}, {&point, 1}, run.profile.coordinate);
  EXPECT_LT(unexplained(run.profile, exact.flux_divergence), 0.15);
  for (const double q : run.result.wall_flux[0].net_flux) EXPECT_EQ(q, 0.0);
}

TEST_P(Slab, SpectralListSumsOverItsPoints) {
  const SlabRun run = run_slab(test::three_points(), test::wall(500), test::wall(500), 64);
  std::vector<reference::SlabPoint> points;
  const std::array<double, 3> strength{0.3, 2.0, 8.0};
  const std::array<double, 3> share{0.5, 0.3, 0.2};
  for (std::size_t s = 0; s < 3; ++s) {
    points.push_back({[=](double x) { return strength[s] * (1.5 - parabola(x) / 2000); },
                      [=](double x) { return share[s] * test::intensity(parabola(x)); },
                      {share[s] * test::intensity(500), share[s] * test::intensity(500)}});
  }
  const auto exact = reference::solve_slab({0, 1, {1, 1}}, points, run.profile.coordinate);
  EXPECT_LT(unexplained(run.profile, exact.flux_divergence), 0.15);
}

TEST_P(Slab, ThickGasDiffuses) {
  // 20 mean free paths, cells of 0.2: Q tends to -(4 pi / 3 k) I'' away from the walls.
  const double absorption = 20;
  const SlabRun run = run_slab(GreyMedium(absorption), test::wall(500), test::wall(500), 100);
  const double middle = (run.profile.flux_divergence[49] + run.profile.flux_divergence[50]) / 2;
  const double error = run.profile.standard_error[49] / std::sqrt(2.0);
  const auto blackbody = [](double x) { return test::intensity(parabola(x)); };
  const double h = 1e-3;
  const double curvature = (blackbody(0.5 + h) - 2 * blackbody(0.5) + blackbody(0.5 - h)) / (h * h);
  const double diffusion = -4 * std::numbers::pi / (3 * absorption) * curvature;
  // Next terms of the expansion, 1 + (3/5) I4/(k^2 I2) + (3/7) I6/(k^4 I2) with the derivatives of
  // I ~ (1 - 2 u^2)^4 about the middle. The grid would add tau^2/8 for cells of tau = 0.2, which
  // the mesh correction takes away.
  const double square = absorption * absorption;
  const double expected = 1 - 0.6 * 36 / square + 3.0 / 7 * 1440 / (square * square);
  EXPECT_NEAR(middle / diffusion, expected, 0.003 + 4 * error / std::abs(diffusion));
}

INSTANTIATE_TEST_SUITE_P(Samplers, Slab, testing::ValuesIn(test::both_samplers),
                         [](const auto& param) {
                           return param.param == RaySampler::net ? "net" : "random";
                         });

}  // namespace
}  // namespace ermine
