#include "spectra/pchip.hpp"

#include <cmath>

namespace ermine {
namespace {

/// One-sided, from three nodes, limited so that the first interval stays monotone.
double end_slope(double h0, double h1, double secant0, double secant1) {
  const double slope = ((2.0 * h0 + h1) * secant0 - h0 * secant1) / (h0 + h1);
  if (slope * secant0 <= 0.0) return 0.0;
  if (secant0 * secant1 <= 0.0 && std::abs(slope) > 3.0 * std::abs(secant0)) return 3.0 * secant0;
  return slope;
}

}  // namespace

std::vector<double> monotone_slopes(std::span<const double> x, std::span<const double> y) {
  const std::size_t intervals = x.size() - 1;
  std::vector<double> h(intervals);
  std::vector<double> secant(intervals);
  for (std::size_t i = 0; i < intervals; ++i) {
    h[i] = x[i + 1] - x[i];
    secant[i] = (y[i + 1] - y[i]) / h[i];
  }
  if (intervals == 1) return {secant[0], secant[0]};

  std::vector<double> slope(x.size(), 0.0);
  for (std::size_t i = 1; i < intervals; ++i) {
    if (secant[i - 1] * secant[i] <= 0.0) continue;
    const double w0 = 2.0 * h[i] + h[i - 1];
    const double w1 = h[i] + 2.0 * h[i - 1];
    slope[i] = (w0 + w1) / (w0 / secant[i - 1] + w1 / secant[i]);
  }
  slope.front() = end_slope(h[0], h[1], secant[0], secant[1]);
  slope.back() =
      end_slope(h[intervals - 1], h[intervals - 2], secant[intervals - 1], secant[intervals - 2]);
  return slope;
}

double hermite(double x0, double x1, double y0, double y1, double d0, double d1, double x) {
  const double h = x1 - x0;
  const double t = (x - x0) / h;
  const double s = 1.0 - t;
  return y0 * s * s * (1.0 + 2.0 * t) + y1 * t * t * (3.0 - 2.0 * t) +
         h * t * s * (d0 * s - d1 * t);
}

}  // namespace ermine
