#include "reference/quadrature.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace ermine::reference {
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

double legendre_root(int degree, int index) {
  // The estimate is close enough for Newton to reach rounding in three to five steps.
  double x = std::cos(std::numbers::pi * (index + 0.75) / (degree + 0.5));
  for (int step = 0; step < 10; ++step) {
    const Legendre p = legendre(degree, x);
    const double change = p.value / p.slope;
    x -= change;
    if (std::abs(change) < 1e-15) break;
  }
  return x;
}

}  // namespace

Quadrature gauss_legendre(int count, double from, double to) {
  if (count < 1) throw std::invalid_argument("Gauss-Legendre rule needs at least one node");
  Quadrature rule;
  const double half = 0.5 * (to - from);
  for (int i = count - 1; i >= 0; --i) {
    const double x = legendre_root(count, i);
    const double slope = legendre(count, x).slope;
    rule.nodes.push_back(0.5 * (from + to) + half * x);
    rule.weights.push_back(half * 2.0 / ((1.0 - x * x) * slope * slope));
  }
  return rule;
}

}  // namespace ermine::reference
