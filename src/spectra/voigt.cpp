#include "spectra/voigt.hpp"

#include <algorithm>
#include <cerf.h>
#include <cmath>

namespace ermine {
namespace {

constexpr double sqrt_ln2 = 0.832554611157697756;
constexpr double sqrt_ln4 = 1.17741002251547469;  // Doppler half-width over standard deviation
constexpr double root_of_pi = 1.77245385090551603;

/// Beyond this |x + iy| the wing below is within 1e-6 of the Faddeeva function.
constexpr double wing_radius = 8.5;

/// Real part of the Faddeeva function w(x + iy) far from the origin: its continued fraction
/// (Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.15) after four terms,
///     w(z) = i / sqrt(pi) sum_k c_k z / (z^2 - r_k),
/// whose r_k are the squares of the nodes of Gauss-Hermite quadrature with four points. It tends to
/// the Lorentz profile; the difference is the asymptotic correction. One division, no branch.
struct FarWing {
  static constexpr double sqrt6 = 2.44948974278317810;
  static constexpr double r1 = (3 - sqrt6) / 2;
  static constexpr double r2 = (3 + sqrt6) / 2;
  static constexpr double c1 = (sqrt6 + 2) / (2 * sqrt6);
  static constexpr double c2 = 1 - c1;

  explicit FarWing(double y)
      : a1(y * y + r1),
        a2(y * y + r2),
        b1(2 * (y * y - r1)),
        b2(2 * (y * y - r2)),
        y_over_sqrt_pi(y / root_of_pi) {}

  void add(double factor, double x_first, double x_step, double* sum, int count) const {
    const double f1 = factor * y_over_sqrt_pi * c1;
    const double f2 = factor * y_over_sqrt_pi * c2;
#pragma omp simd
    for (int i = 0; i < count; ++i) {
      const double x = x_first + x_step * i;
      const double xx = x * x;
      const double q1 = (xx + b1) * xx + a1 * a1;  // |z^2 - r_k|^2
      const double q2 = (xx + b2) * xx + a2 * a2;
      sum[i] += (f1 * (xx + a1) * q2 + f2 * (xx + a2) * q1) / (q1 * q2);
    }
  }

  double a1, a2, b1, b2, y_over_sqrt_pi;
};

}  // namespace

double voigt_profile(double distance_cm1, const HalfWidths& width) {
  return voigt(distance_cm1, width.doppler_cm1 / sqrt_ln4, width.lorentz_cm1);
}

double voigt_half_width_cm1(const HalfWidths& width) {
  return 0.5346 * width.lorentz_cm1 + std::sqrt(0.2166 * width.lorentz_cm1 * width.lorentz_cm1 +
                                                width.doppler_cm1 * width.doppler_cm1);
}

void add_voigt(double factor, const HalfWidths& width, double first_distance_cm1, double step_cm1,
               std::span<double> sum) {
  // A narrower Doppler profile changes nothing, and high powers of distance over width overflow.
  const double doppler_cm1 = std::max({width.doppler_cm1, 1e-8 * width.lorentz_cm1, 1e-20});
  const double scale = sqrt_ln2 / doppler_cm1;
  const double y = scale * width.lorentz_cm1;
  const double x_first = scale * first_distance_cm1;
  const double x_step = scale * step_cm1;
  const double f = factor * scale / root_of_pi;

  // The points of the core, |x| < reach, are [begin, end).
  const double reach = std::sqrt(std::max(0.0, wing_radius * wing_radius - y * y));
  const auto count = static_cast<int>(sum.size());
  const auto index_of = [&](double x) {
    return static_cast<int>(std::clamp(std::ceil((x - x_first) / x_step), 0.0, double(count)));
  };
  const int begin = index_of(-reach);
  const int end = reach > 0 ? std::max(begin, index_of(reach)) : begin;

  const FarWing wing(y);
  wing.add(f, x_first, x_step, sum.data(), begin);
  for (int i = begin; i < end; ++i) sum[i] += f * re_w_of_z(x_first + x_step * i, y);
  wing.add(f, x_first + x_step * end, x_step, sum.data() + end, count - end);
}

}  // namespace ermine
