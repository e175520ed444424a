#pragma once

#include <cmath>

namespace ermine {

/// Value and derivative of a function at a point.
struct Slope {
  double value;
  double derivative;
};

/// Root of an increasing function between low and high: Newton's method, and bisection wherever
/// that leaves the interval or does not halve its step, so that it cannot fail.
template <class Function>
double increasing_root(const Function& function, double low, double high, double guess,
                       double tolerance) {
  double x = guess > low && guess < high ? guess : 0.5 * (low + high);
  double last_step = high - low;
  for (int i = 0; i < 200; ++i) {
    const Slope f = function(x);
    if (f.value == 0.0) return x;
    (f.value < 0.0 ? low : high) = x;
    double next = x - f.value / f.derivative;
    const bool trusted =
        next > low && next < high && std::abs(next - x) <= 0.5 * std::abs(last_step);
    if (!trusted) next = 0.5 * (low + high);
    last_step = next - x;
    x = next;
    if (std::abs(last_step) <= tolerance) break;
  }
  return x;
}

}  // namespace ermine
