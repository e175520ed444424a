#include <ermine/planck.hpp>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "core/fp_guard.hpp"
#include "spectra/radiation_constants.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

constexpr double c1 = first_radiation_constant;
constexpr double c2 = second_radiation_constant;

constexpr double pi4_over_15 = constants::pi * constants::pi * constants::pi * constants::pi / 15.0;

// Up to this width one quadrature is exact to rounding: the nearest poles of the integrand,
// +-2 pi i, are far away. Wider intervals are far from cancelling in the series.
constexpr double panel = 2.0;
constexpr double nothing_left_beyond = 800.0;  // exp(-800) is zero

double integrand(double x) { return x < 1e-300 ? 0.0 : x * x * x / std::expm1(x); }

/// Integral of x^3 / (e^x - 1) from `low` over `width`, which is at most a panel. The width comes
/// apart, because the difference of two neighbouring edges would have lost its digits.
double narrow_integral(double low, double width) {
  static const Quadrature rule = Quadrature::gauss_legendre(10);
  double sum = 0.0;
  for (std::size_t i = 0; i < rule.size(); ++i) {
    sum += rule.weight[i] * integrand(low + width * rule.node[i]);
  }
  return width * sum;
}

/// The same from x >= panel to infinity: the geometric series of 1 / (e^x - 1) term by term
/// (Chang & Rhee 1984).
double tail_integral(double x) {
  double sum = 0.0;
  double power = 1.0;
  const double decay = std::exp(-x);
  for (int n = 1; n < 30; ++n) {
    power *= decay;
    const double term = power * (x * x * x + (3.0 * x * x + (6.0 * x + 6.0 / n) / n) / n) / n;
    sum += term;
    if (term <= 1e-17 * sum) break;
  }
  return sum;
}

double integral(double low, double high, double width) {
  if (low > nothing_left_beyond) return 0.0;
  if (width <= panel) return narrow_integral(low, width);
  const double end = high > nothing_left_beyond ? 0.0 : tail_integral(high);
  if (low >= panel) return tail_integral(low) - end;
  return narrow_integral(low, panel - low) + (tail_integral(panel) - end);
}

double reduced(double wavenumber_cm1, double kelvin) {
  return c2 * (100.0 * wavenumber_cm1) / kelvin;
}

}  // namespace

double planck_intensity(const Band& band, double kelvin) {
  const FloatingPointGuard guard;
  ERMINE_REQUIRE(kelvin >= 0.0 && std::isfinite(kelvin),
                 "no blackbody has a temperature of {} K, give zero or more", kelvin);
  ERMINE_REQUIRE(band.low_cm1 >= 0.0 && band.high_cm1 >= band.low_cm1,
                 "{} to {} 1/cm is not a band, give two wavenumbers in order", band.low_cm1,
                 band.high_cm1);
  if (kelvin == 0.0) return 0.0;
  const double scale = kelvin / c2;
  return c1 / constants::pi * scale * scale * scale * scale *
         integral(reduced(band.low_cm1, kelvin), reduced(band.high_cm1, kelvin),
                  reduced(band.width_cm1(), kelvin));
}

double planck_fraction_below(double wavenumber_cm1, double kelvin) {
  const FloatingPointGuard guard;
  ERMINE_REQUIRE(kelvin >= 0.0 && wavenumber_cm1 >= 0.0,
                 "{} 1/cm at {} K has no blackbody fraction, give positive numbers", wavenumber_cm1,
                 kelvin);
  if (wavenumber_cm1 == 0.0) return 0.0;
  if (kelvin == 0.0) return 1.0;
  const double x = reduced(wavenumber_cm1, kelvin);
  if (x > nothing_left_beyond) return 1.0;
  if (x <= panel) return narrow_integral(0.0, x) / pi4_over_15;
  return 1.0 - tail_integral(x) / pi4_over_15;
}

}  // namespace ermine
