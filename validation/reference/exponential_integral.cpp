#include "reference/exponential_integral.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace ermine::reference {
namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

/// Abramowitz & Stegun 5.1.11; the alternating terms cancel badly for x much above 1.
double first_by_series(double x) {
  double sum = -std::numbers::egamma - std::log(x);
  double power = -1.0;
  for (int k = 1; k < 40; ++k) {
    power *= -x / k;
    sum += power / k;
    if (std::abs(power) < rounding * std::abs(sum)) break;
  }
  return sum;
}

/// Recurrence 5.1.14 upwards from E_1, stable because x E_n is well below exp(-x) for x <= 1.
double by_recurrence(int n, double x) {
  double value = first_by_series(x);
  for (int m = 1; m < n; ++m) value = (std::exp(-x) - x * value) / m;
  return value;
}

/// Continued fraction 5.1.22 in its contracted (even) form, evaluated with Lentz's method.
double by_continued_fraction(int n, double x) {
  double b = x + n;
  double c = std::numeric_limits<double>::infinity();
  double d = 1.0 / b;
  double fraction = d;
  for (int i = 1; i < 200; ++i) {
    const double a = -i * (n - 1.0 + i);
    b += 2.0;
    d = 1.0 / (a * d + b);
    c = b + a / c;
    fraction *= c * d;
    if (std::abs(c * d - 1.0) < rounding) break;
  }
  return fraction * std::exp(-x);
}

}  // namespace

double exponential_integral(int n, double x) {
  if (n < 1 || n > 4 || !(x >= 0.0)) {
    throw std::domain_error("exponential integral needs n from 1 to 4 and x >= 0");
  }
  if (x == 0.0) return n == 1 ? std::numeric_limits<double>::infinity() : 1.0 / (n - 1);
  constexpr double underflow = 750.0;
  if (x > underflow) return 0.0;
  return x <= 1.0 ? by_recurrence(n, x) : by_continued_fraction(n, x);
}

}  // namespace ermine::reference
