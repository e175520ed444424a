#include <ermine/spectral_table.hpp>

#include "core/check.hpp"
#include "core/fp_guard.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

void check_increasing(const std::vector<double>& values, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    ERMINE_REQUIRE(std::isfinite(values[i]) && (i == 0 || values[i] > values[i - 1]),
                   "{} is {} at entry {}, not finite and above the one before, build the table "
                   "anew",
                   what, values[i], i);
  }
}

void check_bands(const std::vector<Band>& bands) {
  ERMINE_REQUIRE(!bands.empty(), "a table has no bands, build it anew");
  for (std::size_t b = 0; b < bands.size(); ++b) {
    const double floor = b == 0 ? 0.0 : bands[b - 1].high_cm1;
    ERMINE_REQUIRE(bands[b].low_cm1 >= floor * (1 - 1e-12) &&
                       bands[b].high_cm1 > bands[b].low_cm1 && std::isfinite(bands[b].high_cm1),
                   "band {} reaches from {} to {} 1/cm, but bands must be in order and not "
                   "overlap, build the table anew",
                   b, bands[b].low_cm1, bands[b].high_cm1);
  }
}

void check_quadrature(const Quadrature& quadrature) {
  ERMINE_REQUIRE(quadrature.size() > 0 && quadrature.weight.size() == quadrature.size(),
                 "a quadrature has {} points and {} weights, give as many of both, at least one",
                 quadrature.size(), quadrature.weight.size());
  check_increasing(quadrature.node, "a point of the quadrature");
  double sum = 0.0;
  for (const double weight : quadrature.weight) {
    ERMINE_REQUIRE(weight > 0 && weight <= 1, "a weight of the quadrature is {}, not within (0, 1]",
                   weight);
    sum += weight;
  }
  ERMINE_REQUIRE(
      quadrature.node.front() > 0 && quadrature.node.back() < 1 && std::abs(sum - 1) < 1e-9,
      "points of the quadrature reach from {} to {} and its weights add up to {}, but they must "
      "lie within (0, 1) and add up to 1",
      quadrature.node.front(), quadrature.node.back(), sum);
}

}  // namespace

double SpectralTable::absorption_at(std::size_t band, std::size_t point, double kelvin) const {
  const FloatingPointGuard guard;
  ERMINE_REQUIRE(kelvin >= temperature.front() && kelvin <= temperature.back(),
                 "temperature {} K is outside the table of {} ({} to {} K), use one that covers it",
                 kelvin, gas, temperature.front(), temperature.back());
  const std::span<const float> values = row(band, point);
  if (values.size() == 1) return values.front();
  const auto above = std::upper_bound(temperature.begin() + 1, temperature.end() - 1, kelvin);
  const auto t = static_cast<std::size_t>(above - temperature.begin());
  const double fraction = (kelvin - temperature[t - 1]) / (temperature[t] - temperature[t - 1]);
  return values[t - 1] + fraction * (static_cast<double>(values[t]) - values[t - 1]);
}

void SpectralTable::check() const {
  const FloatingPointGuard guard;
  ERMINE_REQUIRE(!gas.empty(), "a table does not name its gas, build it anew");
  ERMINE_REQUIRE(std::isfinite(pressure) && pressure > 0,
                 "pressure of a table is {} Pa, give a positive one", pressure);
  ERMINE_REQUIRE(mole_fraction > 0 && mole_fraction <= 1,
                 "mole fraction of a table is {}, give one within (0, 1]", mole_fraction);
  check_bands(bands);
  check_quadrature(quadrature);
  ERMINE_REQUIRE(!temperature.empty() && temperature.front() > 0,
                 "a table has no temperatures above 0 K, build it anew");
  check_increasing(temperature, "temperature [K]");
  ERMINE_REQUIRE(absorption.size() == point_count() * temperature.size(),
                 "a table has {} absorption coefficients for {} bands, {} points and {} "
                 "temperatures, build it anew",
                 absorption.size(), bands.size(), quadrature.size(), temperature.size());
  const std::size_t rows = temperature.size();
  for (std::size_t i = 0; i < absorption.size(); ++i) {
    const std::size_t point = i / rows;
    ERMINE_REQUIRE(absorption[i] >= 0 && absorption[i] <= 1e12f,
                   "absorption coefficient is {} 1/m in band {}, point {}, at {} K, but must be "
                   "from 0 to 1e12",
                   absorption[i], point / quadrature.size(), point % quadrature.size(),
                   temperature[i % rows]);
    const bool ordered = kind == TableKind::line_by_line || point % quadrature.size() == 0 ||
                         absorption[i] >= absorption[i - rows];
    ERMINE_REQUIRE(ordered,
                   "absorption coefficients of band {} fall from {} to {} 1/m with g at {} K, but "
                   "a k-distribution must not, build the table anew",
                   point / quadrature.size(), absorption[i - rows], absorption[i],
                   temperature[i % rows]);
  }
}

}  // namespace ermine
