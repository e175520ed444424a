#include <ermine/spectral_table.hpp>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "core/fp_guard.hpp"

#include <cmath>

namespace ermine {
namespace {

struct Legendre {
  double value;
  double slope;
};

Legendre legendre(int degree, double x) {
  double before = 1.0;
  double value = x;
  for (int m = 2; m <= degree; ++m) {
    const double next = ((2 * m - 1) * x * value - (m - 1) * before) / m;
    before = value;
    value = next;
  }
  return {value, degree * (x * value - before) / (x * x - 1.0)};
}

/// The root with the given number, counted from the largest (Abramowitz & Stegun 22.16.6).
double legendre_root(int degree, int number) {
  double x = std::cos(constants::pi * (number + 0.75) / (degree + 0.5));
  for (int step = 0; step < 10; ++step) {
    const Legendre p = legendre(degree, x);
    const double change = p.value / p.slope;
    x -= change;
    if (std::abs(change) < 1e-15) break;
  }
  return x;
}

}  // namespace

Quadrature Quadrature::gauss_legendre(int points) {
  const FloatingPointGuard guard;
  ERMINE_REQUIRE(points >= 1 && points <= 1000,
                 "a Gauss-Legendre quadrature of {} points is not possible, ask for 1 to 1000",
                 points);
  Quadrature quadrature;
  for (int i = points - 1; i >= 0; --i) {
    const double x = legendre_root(points, i);
    const double slope = legendre(points, x).slope;
    quadrature.node.push_back(0.5 * (1.0 + x));
    quadrature.weight.push_back(1.0 / ((1.0 - x * x) * slope * slope));
  }
  return quadrature;
}

Quadrature Quadrature::skewed(int points) {
  const FloatingPointGuard guard;
  // With many more points the last node could not be told from 1.
  ERMINE_REQUIRE(points >= 1 && points <= 256,
                 "a skewed quadrature of {} points is not possible, ask for 1 to 256", points);
  Quadrature quadrature = gauss_legendre(points);
  double sum = 0.0;
  for (std::size_t i = 0; i < quadrature.size(); ++i) {
    const double rest = 1.0 - quadrature.node[i];
    quadrature.node[i] = 1.0 - rest * rest * rest;
    quadrature.weight[i] *= 3.0 * rest * rest;
    sum += quadrature.weight[i];
  }
  for (double& weight : quadrature.weight) weight /= sum;  // a single point would have 3/4
  return quadrature;
}

Quadrature Quadrature::equal_parts(int points) {
  const FloatingPointGuard guard;
  ERMINE_REQUIRE(points >= 1, "{} equal parts are not possible, ask for at least 1", points);
  Quadrature quadrature;
  for (int i = 0; i < points; ++i) {
    quadrature.node.push_back((i + 0.5) / points);
    quadrature.weight.push_back(1.0 / points);
  }
  return quadrature;
}

}  // namespace ermine
