#include "reference/slab.hpp"

#include "reference/exponential_integral.hpp"
#include "reference/quadrature.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

namespace ermine::reference {
namespace {

using std::numbers::pi;

double e(int n, double x) { return exponential_integral(n, x); }

std::function<double(double)> uniform(double value) {
  return [value](double) { return value; };
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double result = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) result = std::max(result, std::abs(a[i] - b[i]));
  return result;
}

double largest(const std::vector<double>& values) {
  return largest_difference(values, std::vector<double>(values.size()));
}

const std::vector<double> some_positions{0.0, 1e-6, 0.03, 0.25, 0.5, 0.61803, 0.99, 1.0};
const std::vector<std::array<double, 2>> some_emissivities{
    {1.0, 1.0}, {0.3, 0.8}, {0.0, 1.0}, {0.1, 0.1}, {0.0, 0.0}};

/// Hot in the middle, with absorption that varies by a factor of two.
SlabPoint varied_point(double scale = 1.0) {
  return {.absorption = [scale](double x) { return scale * (1.5 + 0.5 * std::sin(5.0 * x)); },
          .intensity = [](double x) { return 1.0 + 2.0 * x + std::sin(pi * x); },
          .wall_intensity = {0.5, 4.0}};
}

TEST(Slab, IsothermalSlabHasNoFlux) {
  for (const auto& emissivity : some_emissivities) {
    for (const double scale : {0.0, 1e-4, 1.0, 1e5}) {
      SlabPoint point = varied_point(scale);
      point.intensity = uniform(3.0);
      point.wall_intensity = {3.0, 3.0};
      const auto [values, walls] = solve_slab({0.0, 1.0, emissivity}, {&point, 1}, some_positions);
      EXPECT_EQ(largest(values), 0.0);
      EXPECT_EQ(walls, (std::array<double, 2>{0.0, 0.0}));
    }
  }
}

TEST(Slab, TransparentGapExchangesBetweenWalls) {
  const SlabPoint point = varied_point(0.0);
  for (const auto& [e0, e1] : some_emissivities) {
    const SlabSolution solution = solve_slab({0.0, 1.0, {e0, e1}}, {&point, 1}, some_positions);
    const double exchange = e0 * e1 > 0.0 ? 1.0 / (1.0 / e0 + 1.0 / e1 - 1.0) : 0.0;
    EXPECT_EQ(largest(solution.flux_divergence), 0.0);
    EXPECT_NEAR(solution.wall_flux[0], pi * (0.5 - 4.0) * exchange, 1e-13);
    EXPECT_NEAR(solution.wall_flux[1], pi * (4.0 - 0.5) * exchange, 1e-13);
  }
}

// Radiosity of either wall: J = (1 - emissivity) H / pi, where H / pi = I - 2 (I - J) E_3.
TEST(Slab, HotGasBetweenEqualColdWallsHasClosedForm) {
  for (const double emissivity : {1.0, 0.4, 0.05}) {
    for (const double k : {1e-3, 0.2, 1.0, 30.0, 1e4}) {
      const double tau = 2.0 * k;
      const double lack = emissivity / (1.0 - (1.0 - emissivity) * 2.0 * e(3, tau));
      const SlabPoint point{uniform(k), uniform(7.0), {0.0, 0.0}};
      const Slab slab{-1.0, 1.0, {emissivity, emissivity}};
      const std::vector<double> positions{-1.0, -0.3, 0.0, 0.999};
      const SlabSolution solution = solve_slab(slab, {&point, 1}, positions);
      for (std::size_t i = 0; i < positions.size(); ++i) {
        const double below = k * (positions[i] + 1.0);
        const double exact = 2.0 * pi * k * 7.0 * lack * (e(2, below) + e(2, tau - below));
        EXPECT_NEAR(solution.flux_divergence[i], exact, 1e-11 * 4.0 * pi * k * 7.0);
      }
      const double absorbed = emissivity * pi * 7.0 * (1.0 - 2.0 * lack * e(3, tau));
      EXPECT_NEAR(solution.wall_flux[0], -absorbed, 1e-12);
    }
  }
}

TEST(Slab, DiffuseMirrorFacingColdWallHasClosedForm) {
  const double tau = 1.7;
  const SlabPoint point{uniform(tau), uniform(1.0), {55.0, 0.0}};
  const auto [values, walls] = solve_slab({0.0, 1.0, {0.0, 1.0}}, {&point, 1}, std::vector{0.4});
  const double exact = 2.0 * pi * tau * (2.0 * e(3, tau) * e(2, 0.4 * tau) + e(2, 0.6 * tau));
  EXPECT_NEAR(values[0], exact, 1e-13);
  EXPECT_NEAR(walls[0], 0.0, 1e-14);
  EXPECT_NEAR(walls[1], -pi * (1.0 - 4.0 * e(3, tau) * e(3, tau)), 1e-13);
}

// For I = tau^2 the integral of I E_1(|tau - tau'|) over the slab is elementary in E_2 to E_4. The
// absorption scale (1 + x) makes I a quartic in x.
TEST(Slab, QuadraticInOpticalDepthHasClosedForm) {
  for (const double scale : {1e-4, 0.01, 1.0, 20.0, 1000.0}) {
    const auto depth = [scale](double x) { return scale * (x + 0.5 * x * x); };
    const double all = depth(1.0);
    const SlabPoint point{[scale](double x) { return scale * (1.0 + x); },
                          [depth](double x) { return depth(x) * depth(x); },
                          {0.3 * all * all, 0.6 * all * all}};
    const SlabSolution solution = solve_slab({0.0, 1.0, {1.0, 1.0}}, {&point, 1}, some_positions);
    std::vector<double> exact;
    for (const double x : some_positions) {
      const double tau = depth(x);
      const double above = all - tau;
      const double gas = 2.0 * (e(4, tau) + e(4, above) + all * e(3, above) - 2.0 / 3.0);
      const double walls = -0.3 * all * all * e(2, tau) + 0.4 * all * all * e(2, above);
      exact.push_back(2.0 * pi * scale * (1.0 + x) * (walls + gas));
    }
    EXPECT_LT(largest_difference(solution.flux_divergence, exact), 1e-7 * largest(exact)) << scale;
  }
}

// For I = |tau - c|, with walls in equilibrium with the gas beside them.
TEST(Slab, KinkedIntensityHasClosedForm) {
  for (const double k : {0.1, 1.0, 1000.0}) {
    const auto intensity = [k](double x) { return k * std::abs(x - 0.37); };
    const SlabPoint point{uniform(k), intensity, {0.37 * k, 0.63 * k}};
    const Slab slab{0.0, 1.0, {1.0, 1.0}, {0.37}};
    const SlabSolution solution = solve_slab(slab, {&point, 1}, some_positions);
    std::vector<double> exact;
    for (const double x : some_positions) {
      exact.push_back(2.0 * pi * k * (e(3, k * x) + e(3, k - k * x) - 2.0 * e(3, intensity(x))));
    }
    EXPECT_LT(largest_difference(solution.flux_divergence, exact), 1e-7 * largest(exact)) << k;
  }
}

TEST(Slab, ThickGasTendsToDiffusion) {
  for (const double scale : {2e3, 1e5}) {
    SlabPoint point = varied_point(scale);
    point.wall_intensity = {point.intensity(0.0), point.intensity(1.0)};
    const std::vector<double> positions{0.2, 0.35, 0.5, 0.81};
    const SlabSolution solution = solve_slab({0.0, 1.0, {0.5, 0.5}}, {&point, 1}, positions);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const double x = positions[i];
      const double k = point.absorption(x);
      const double k_slope = 2.5 * scale * std::cos(5.0 * x);
      const double slope = 2.0 + pi * std::cos(pi * x);
      const double curvature = -pi * pi * std::sin(pi * x);
      // Rosseland: q = -(4 pi / 3 k) dI/dx.
      const double exact = -4.0 * pi / 3.0 * (curvature / k - slope * k_slope / (k * k));
      EXPECT_NEAR(solution.flux_divergence[i] / exact, 1.0, 1e-4) << scale << ' ' << x;
    }
  }
}

TEST(Slab, CellsBalanceWalls) {
  const std::vector<double> faces{0.0, 0.01, 0.3, 0.75, 1.0};
  for (const auto& emissivity : some_emissivities) {
    for (const double scale : {0.01, 1.0, 100.0}) {
      const SlabPoint point = varied_point(scale);
      const auto [cells, walls] = solve_slab_cells({0.0, 1.0, emissivity}, {&point, 1}, faces);
      double lost = walls[0] + walls[1];
      for (std::size_t i = 0; i < 4; ++i) lost += cells[i] * (faces[i + 1] - faces[i]);
      EXPECT_NEAR(lost, 0.0, 1e-12);
      EXPECT_GT(largest(cells), 0.01);
    }
  }
}

TEST(Slab, CellAverageIsIntegralOfPointValues) {
  const SlabPoint point = varied_point(2.0);
  const Slab slab{0.0, 1.0, {0.7, 0.2}};
  const SlabSolution cells = solve_slab_cells(slab, {&point, 1}, std::vector{0.1, 0.5});
  const Quadrature rule = gauss_legendre(16, 0.1, 0.5);
  const SlabSolution values = solve_slab(slab, {&point, 1}, rule.nodes);
  const double integral = std::inner_product(rule.weights.begin(), rule.weights.end(),
                                             values.flux_divergence.begin(), 0.0);
  EXPECT_NEAR(cells.flux_divergence[0], integral / 0.4, 1e-7);
}

TEST(Slab, ConvergesWithIntervalsAndDirections) {
  const SlabPoint point = varied_point(3.0);
  const std::vector<double> positions{0.0, 0.25, 0.5, 0.75, 1.0};
  const auto solve = [&](const SlabResolution& resolution) {
    return solve_slab({0.0, 1.0, {0.7, 0.2}}, {&point, 1}, positions, resolution).flux_divergence;
  };
  const std::vector<double> fine = solve({1024, 64});
  const auto error = [&](const SlabResolution& resolution) {
    return largest_difference(solve(resolution), fine) / largest(fine);
  };
  EXPECT_GT(error({16, 24}) / error({64, 24}), 0.8 * 256.0);
  EXPECT_GT(error({256, 8}), 1e-6);
  EXPECT_LT(error({256, 24}), 1e-8);
}

// Gas that is transparent below x = 0.5 only moves the wall; the intensity there has no effect.
TEST(Slab, TransparentPartDoesNotMatter) {
  const SlabPoint half{[](double x) { return 4.0 * std::max(0.0, x - 0.5); },
                       [](double x) { return std::exp(x); },
                       {2.0, 1.0}};
  const std::vector<double> positions{0.5, 0.6, 0.9, 1.0};
  const std::array<double, 2> emissivity{0.6, 0.9};
  const SlabSolution whole = solve_slab({0.0, 1.0, emissivity}, {&half, 1}, positions);
  const SlabSolution gas = solve_slab({0.5, 1.0, emissivity}, {&half, 1}, positions);
  EXPECT_LT(largest_difference(whole.flux_divergence, gas.flux_divergence), 1e-5);
  EXPECT_NEAR(whole.wall_flux[1], gas.wall_flux[1], 1e-5);
}

TEST(Slab, SumsSpectralPointsAtPositionsInAnyOrder) {
  const std::vector<SlabPoint> points{varied_point(0.3), varied_point(30.0)};
  const Slab slab{0.0, 1.0, {0.7, 0.2}};
  const std::vector<double> sorted{0.1, 0.3, 0.3, 0.8};
  const std::vector<double> reversed(sorted.rbegin(), sorted.rend());
  const SlabSolution both = solve_slab(slab, points, reversed);
  const SlabSolution thin = solve_slab(slab, {&points[0], 1}, sorted);
  const SlabSolution thick = solve_slab(slab, {&points[1], 1}, sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double sum = thin.flux_divergence[i] + thick.flux_divergence[i];
    EXPECT_NEAR(both.flux_divergence[sorted.size() - 1 - i], sum, 1e-13 * std::abs(sum));
  }
  EXPECT_NEAR(both.wall_flux[0], thin.wall_flux[0] + thick.wall_flux[0], 1e-13);
}

TEST(Slab, ToleratesPositionsCloseTogether) {
  const SlabPoint point = varied_point();
  const auto at = [&](std::span<const double> positions) {
    return solve_slab({0.0, 1.0, {0.7, 0.2}}, {&point, 1}, positions).flux_divergence;
  };
  for (const double gap : {1e-4, 1e-7, 1e-9, 1e-11, 1e-14, 1e-16}) {
    const std::vector<double> positions{0.3, 0.3 + gap};
    EXPECT_NEAR(at(positions)[0], at({&positions[0], 1})[0], 1e-7) << gap;
    EXPECT_NEAR(at(positions)[1], at({&positions[1], 1})[0], 1e-7) << gap;
  }
}

TEST(Slab, RejectsBadInput) {
  const SlabPoint point = varied_point();
  const std::span<const SlabPoint> points{&point, 1};
  const Slab slab{0.0, 1.0, {1.0, 1.0}};
  EXPECT_THROW(solve_slab({1.0, 1.0, {1.0, 1.0}}, points, {}), std::invalid_argument);
  EXPECT_THROW(solve_slab({0.0, 1.0, {1.1, 1.0}}, points, {}), std::invalid_argument);
  EXPECT_THROW(solve_slab(slab, points, {}, {2, 24}), std::invalid_argument);
  EXPECT_THROW(solve_slab(slab, points, std::vector{1.1}), std::invalid_argument);
  EXPECT_THROW(solve_slab_cells(slab, points, std::vector{0.5, 0.5}), std::invalid_argument);
}

}  // namespace
}  // namespace ermine::reference
