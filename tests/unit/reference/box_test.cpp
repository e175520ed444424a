#include "reference/box.hpp"

#include "reference/exponential_integral.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace ermine::reference {
namespace {

using std::numbers::pi;

using Field = std::function<double(double, double, double)>;

Field everywhere(double value) {
  return [value](double, double, double) { return value; };
}

/// Unit cube, sigma T^4 = pi sin(pi x) sin(pi y) sin(pi z), cold walls.
BoxProblem sine_cube(double k) {
  return {
      .box = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}},
      .absorption = everywhere(k),
      .intensity = [](double x, double y,
                      double z) { return std::sin(pi * x) * std::sin(pi * y) * std::sin(pi * z); },
      .kinks = {},
      .wall_intensity = {}};
}

/// Burns & Christon, Numerical Heat Transfer B 31 (1997) 401: isothermal, cold walls.
BoxProblem burns_christon() {
  return {.box = {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}},
          .absorption =
              [](double x, double y, double z) {
                return 0.9 * (1.0 - 2.0 * std::abs(x)) * (1.0 - 2.0 * std::abs(y)) *
                           (1.0 - 2.0 * std::abs(z)) +
                       0.1;
              },
          .intensity = everywhere(1.0 / pi),
          .kinks = {{{0.0}, {0.0}, {0.0}}},
          .wall_intensity = {}};
}

/// No symmetry, nothing uniform, a hot wall.
BoxProblem lopsided() {
  return {.box = {{0.0, -1.0, 2.0}, {1.0, 0.5, 2.8}},
          .absorption = [](double x, double y, double z) { return 1.0 + x + 0.3 * y * z; },
          .intensity = [](double x, double y, double z) { return x + std::exp(y) / z; },
          .kinks = {},
          .wall_intensity = {0.0, 1.0, 0.2, 0.0, 3.0, 0.5}};
}

/// Product midpoint rule on the sphere and along the ray: slow, and nothing in common.
double brute_force(const BoxProblem& problem, const std::array<double, 3>& p) {
  constexpr int polar = 100;
  constexpr int azimuthal = 200;
  constexpr int steps = 60;
  double incident = 0.0;
  for (int i = 0; i < polar; ++i) {
    for (int j = 0; j < azimuthal; ++j) {
      const double mu = -1.0 + (2 * i + 1.0) / polar;
      const double phi = pi * (2 * j + 1.0) / azimuthal;
      const double sine = std::sqrt(1.0 - mu * mu);
      const std::array<double, 3> way{sine * std::cos(phi), sine * std::sin(phi), mu};
      double length = 1e300;
      std::size_t wall = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        const std::size_t up = way[a] > 0.0 ? 1 : 0;
        const double end = up == 1 ? problem.box.high[a] : problem.box.low[a];
        if ((end - p[a]) / way[a] < length) {
          length = (end - p[a]) / way[a];
          wall = 2 * a + up;
        }
      }
      double transmission = 1.0;
      for (int m = 0; m < steps; ++m) {
        const double s = (m + 0.5) * length / steps;
        const double x = p[0] + s * way[0];
        const double y = p[1] + s * way[1];
        const double z = p[2] + s * way[2];
        const double step_transmission = std::exp(-problem.absorption(x, y, z) * length / steps);
        incident += transmission * (1.0 - step_transmission) * problem.intensity(x, y, z);
        transmission *= step_transmission;
      }
      incident += transmission * problem.wall_intensity[wall];
    }
  }
  incident *= 4.0 * pi / (polar * azimuthal);
  return problem.absorption(p[0], p[1], p[2]) *
         (4.0 * pi * problem.intensity(p[0], p[1], p[2]) - incident);
}

TEST(Box, EquilibriumHasNoFluxDivergence) {
  BoxProblem problem = burns_christon();
  problem.wall_intensity.fill(1.0 / pi);
  EXPECT_EQ(box_flux_divergence(problem, {0.1, -0.2, 0.45}, 8), 0.0);
}

// Cold thin gas and one hot wall: Q = -k I times the solid angle of the wall, which for a rectangle
// with one corner at the foot of the point is atan(b c / (d sqrt(d^2 + b^2 + c^2))).
TEST(Box, ThinGasSeesSolidAngleOfEachWall) {
  const Box box{{0.0, -1.0, 2.0}, {1.0, 0.5, 2.8}};
  const std::array<double, 3> point{0.3, 0.35, 2.1};
  for (std::size_t side = 0; side < 6; ++side) {
    BoxProblem problem{box, everywhere(1e-12), everywhere(0.0), {}, {}};
    problem.wall_intensity[side] = 2.0;
    const std::size_t axis = side / 2;
    const auto reach = [&](std::size_t a, std::size_t end) {
      return end == 0 ? point[a] - box.low[a] : box.high[a] - point[a];
    };
    const double d = reach(axis, side % 2);
    double solid_angle = 0.0;
    for (std::size_t quarter = 0; quarter < 4; ++quarter) {
      const double b = reach((axis + 1) % 3, quarter / 2);
      const double c = reach((axis + 2) % 3, quarter % 2);
      solid_angle += std::atan(b * c / (d * std::sqrt(d * d + b * b + c * c)));
    }
    EXPECT_NEAR(box_flux_divergence(problem, point, 24) / (-2e-12 * solid_angle), 1.0, 1e-10)
        << side;
  }
}

TEST(Box, WideFlatBoxIsSlab) {
  BoxProblem problem{
      {{-20.0, 0.0, -20.0}, {20.0, 1.0, 20.0}}, everywhere(2.0), everywhere(3.0), {}, {}};
  for (const double y : {0.5, 0.1}) {
    const double exact =
        2.0 * pi * 2.0 * 3.0 *
        (exponential_integral(2, 2.0 * y) + exponential_integral(2, 2.0 - 2.0 * y));
    EXPECT_NEAR(box_flux_divergence(problem, {0.0, y, 0.0}, 40) / exact, 1.0, 1e-8) << y;
  }
}

// Same slab, but emission and absorption along the ray have to be integrated: for I = tau the
// integral of I E_1 is elementary in E_2 and E_3.
TEST(Box, WideFlatBoxWithGradientIsSlab) {
  for (const double k : {2.0, 25.0}) {
    BoxProblem problem{{{0.0, -30.0, -30.0}, {1.0, 30.0, 30.0}},
                       everywhere(k),
                       [k](double x, double, double) { return k * x; },
                       {},
                       {}};
    const double below = 0.3 * k;
    const double above = 0.7 * k;
    const double exact = 2.0 * pi * k *
                         (k * exponential_integral(2, above) + exponential_integral(3, above) -
                          exponential_integral(3, below));
    EXPECT_NEAR(box_flux_divergence(problem, {0.3, 0.0, 0.0}, 48) / exact, 1.0, 1e-7) << k;
  }
}

TEST(Box, AgreesWithBruteForce) {
  const std::array<double, 3> point{0.4, -0.3, 2.3};
  const double exact = brute_force(lopsided(), point);
  EXPECT_NEAR(box_flux_divergence(lopsided(), point, 12) / exact, 1.0, 1e-3);
  const std::array<double, 3> off_kinks{0.13, -0.21, 0.05};
  const double kinked = brute_force(burns_christon(), off_kinks);
  EXPECT_NEAR(box_flux_divergence(burns_christon(), off_kinks, 12) / kinked, 1.0, 1e-4);
}

// The two direction variables are not alike, so a turned box is integrated at other directions.
TEST(Box, DoesNotDependOnOrientation) {
  const BoxProblem given = lopsided();
  BoxProblem turned = given;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::size_t from = (a + 1) % 3;
    turned.box.low[a] = given.box.low[from];
    turned.box.high[a] = given.box.high[from];
    turned.wall_intensity[2 * a] = given.wall_intensity[2 * from];
    turned.wall_intensity[2 * a + 1] = given.wall_intensity[2 * from + 1];
  }
  turned.absorption = [&](double y, double z, double x) { return given.absorption(x, y, z); };
  turned.intensity = [&](double y, double z, double x) { return given.intensity(x, y, z); };
  const double expected = box_flux_divergence(given, {0.4, -0.3, 2.3}, 14);
  EXPECT_NEAR(box_flux_divergence(turned, {-0.3, 2.3, 0.4}, 14) / expected, 1.0, 1e-9);
}

TEST(Box, SineCubeIsConverged) {
  for (const double k : {0.5, 5.0}) {
    const BoxProblem problem = sine_cube(k);
    const double centre = box_flux_divergence(problem, {0.5, 0.5, 0.5}, 24);
    for (const double x : {1.0 / 64.0, 0.2, 0.5}) {
      for (const double y : {0.5, 0.5 + 1.0 / 64.0, 1.0 / 64.0}) {
        const double value = box_flux_divergence(problem, {x, y, 0.5}, 12);
        EXPECT_NEAR(value, box_flux_divergence(problem, {x, y, 0.5}, 24), 1e-8 * centre);
      }
    }
  }
}

TEST(Box, BurnsChristonCubeIsConverged) {
  const BoxProblem problem = burns_christon();
  const double centre = box_flux_divergence(problem, {0.0, 0.0, 0.0}, 24);
  for (const double x : {-0.5 + 0.5 / 41.0, -0.25, -1.0 / 41.0, 0.0, 0.01}) {
    const double value = box_flux_divergence(problem, {x, 0.0, 0.0}, 12);
    EXPECT_NEAR(value, box_flux_divergence(problem, {x, 0.0, 0.0}, 24), 3e-7 * centre) << x;
  }
  const double off_planes = box_flux_divergence(problem, {0.2, 0.1, 0.15}, 12);
  EXPECT_NEAR(off_planes, box_flux_divergence(problem, {0.2, 0.1, 0.15}, 24), 1e-7 * centre);
}

TEST(Box, KinkPlanesInSmoothGasChangeNothing) {
  const std::array<double, 3> point{0.4, -0.3, 2.3};
  BoxProblem problem = lopsided();
  const double expected = box_flux_divergence(problem, point, 14);
  problem.kinks = {{{0.4, 0.7}, {-0.6}, {2.0, 2.5, 9.0}}};
  EXPECT_NEAR(box_flux_divergence(problem, point, 14) / expected, 1.0, 1e-9);
}

TEST(Box, KinkPlanesRestoreAccuracy) {
  BoxProblem unaware = burns_christon();
  for (auto& planes : unaware.kinks) planes.clear();
  const std::array<double, 3> point{-0.25, 0.0, 0.0};
  const double exact = box_flux_divergence(burns_christon(), point, 24);
  EXPECT_NEAR(box_flux_divergence(burns_christon(), point, 12) / exact, 1.0, 1e-12);
  const double error = std::abs(box_flux_divergence(unaware, point, 12) / exact - 1.0);
  EXPECT_GT(error, 1e-6);
  EXPECT_LT(error, 1e-4);
}

TEST(Box, RejectsPointOutside) {
  EXPECT_THROW(box_flux_divergence(sine_cube(1.0), {0.0, 0.5, 0.5}, 8), std::invalid_argument);
  EXPECT_THROW(box_flux_divergence(sine_cube(1.0), {0.5, 0.5, 1.2}, 8), std::invalid_argument);
  EXPECT_THROW(box_flux_divergence(sine_cube(1.0), {0.5, 0.5, 0.5}, 0), std::invalid_argument);
}

}  // namespace
}  // namespace ermine::reference
