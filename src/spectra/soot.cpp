#include <ermine/soot.hpp>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "core/fp_guard.hpp"
#include "spectra/radiation_constants.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ermine {
namespace {

/// Beyond that only 0.7 % of the power of soot of 3000 K is emitted, and 0.13 % at 2500 K.
constexpr double last_edge_cm1 = 25000.0;
constexpr double narrowest_cm1 = 25.0;
/// Width of a band over its wavenumber: k differs by 1.4 % (root mean square) within it, which
/// changes what gets through an optical thickness of 1 by 1e-4.
constexpr double relative_width = 0.05;

constexpr double largest_constant = 1000.0;

/// Riemann's zeta of 5, the sum of 1 / n^5.
constexpr double zeta_5 = 1.0369277551433699;

/// Mean of x = c2 wavenumber / T over x^3 / (e^x - 1), from low to high.
double mean_over_planck(double low, double high) {
  constexpr double panel_width = 0.5;    // four points are exact to 1e-10 there
  constexpr double nothing_left = 60.0;  // exp(-60)
  // Gauss-Legendre on (0, 1).
  constexpr std::array node{0.069431844202973712, 0.33000947820757187, 0.66999052179242813,
                            0.93056815579702629};
  constexpr std::array weight{0.17392742256872693, 0.32607257743127307, 0.32607257743127307,
                              0.17392742256872693};
  const double end = std::min(high, low + nothing_left);
  const double panels = std::max(1.0, std::ceil((end - low) / panel_width));
  const double width = (end - low) / panels;
  double power = 0.0;
  double moment = 0.0;
  for (double i = 0; i < panels; ++i) {
    for (std::size_t j = 0; j < node.size(); ++j) {
      const double above = (i + node[j]) * width;
      const double x = low + above;
      // Relative to exp(-low), which may be too small for a number.
      const double here = weight[j] * x * x * x * std::exp(-above) / -std::expm1(-x);
      power += here;
      moment += here * x;
    }
  }
  return moment / power;
}

void check_constant(double constant) {
  ERMINE_REQUIRE(constant >= 0 && constant <= largest_constant,
                 "the constant of soot is {}, give 0 to {:g} (7.0 is usual)", constant,
                 largest_constant);
}

void check_kelvin(double kelvin) {
  ERMINE_REQUIRE(kelvin > 0 && std::isfinite(kelvin),
                 "soot has a temperature of {} K, give more than zero", kelvin);
}

/// Bands from one wavenumber to another.
void fill(double low, double high, std::vector<Band>& bands) {
  while (low < high) {
    const double width = std::max(narrowest_cm1, relative_width * low);
    const double next = high - low < 1.5 * width ? high : low + width;
    bands.push_back({low, next});
    low = next;
  }
}

}  // namespace

double soot_constant(double n, double k) {
  const FloatingPointGuard guard;
  ERMINE_REQUIRE(n > 0 && std::isfinite(n) && k >= 0 && std::isfinite(k),
                 "the refractive index of soot is {} - {} i, give n above 0 and k of at least 0", n,
                 k);
  const double real = n * n - k * k + 2;
  return 36 * constants::pi * n * k / (real * real + 4 * n * n * k * k);
}

double soot_absorption(const Band& band, double kelvin, double constant) {
  const FloatingPointGuard guard;
  check_constant(constant);
  check_kelvin(kelvin);
  ERMINE_REQUIRE(band.low_cm1 >= 0 && band.high_cm1 > band.low_cm1,
                 "{} to {} 1/cm is not a band, give two wavenumbers in order", band.low_cm1,
                 band.high_cm1);
  const double unit = kelvin / second_radiation_constant;  // [1/m] of x = 1
  return constant * unit * mean_over_planck(100 * band.low_cm1 / unit, 100 * band.high_cm1 / unit);
}

double soot_planck_mean(double kelvin, double constant) {
  const FloatingPointGuard guard;
  check_constant(constant);
  check_kelvin(kelvin);
  // Integrals of x^4 / (e^x - 1) and x^3 / (e^x - 1): 24 zeta(5) and pi^4 / 15.
  constexpr double pi4 = constants::pi * constants::pi * constants::pi * constants::pi;
  return 360 * zeta_5 / pi4 * constant * kelvin / second_radiation_constant;
}

std::vector<Band> soot_bands(const std::vector<Band>& gas_bands) {
  const FloatingPointGuard guard;
  std::vector<Band> bands;
  double low = 0.0;
  for (const Band& band : gas_bands) {
    fill(low, band.low_cm1, bands);
    low = band.high_cm1;
  }
  fill(low, last_edge_cm1, bands);
  bands.push_back({std::max(low, last_edge_cm1), std::numeric_limits<double>::infinity()});
  return bands;
}

}  // namespace ermine
