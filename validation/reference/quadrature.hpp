#pragma once

#include <vector>

namespace ermine::reference {

/// Integral of f is the sum of weights[i] * f(nodes[i]); nodes ascend.
struct Quadrature {
  std::vector<double> nodes;
  std::vector<double> weights;
};

/// Gauss-Legendre rule with `count` nodes on [from, to]: exact for polynomials of degree
/// 2 count - 1 (Abramowitz & Stegun 25.4.29).
Quadrature gauss_legendre(int count, double from, double to);

}  // namespace ermine::reference
