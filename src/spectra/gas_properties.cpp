#include <ermine/gas_properties.hpp>
#include <ermine/planck.hpp>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "core/fp_guard.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ermine {
namespace {

void check_temperature(const SpectralTable& table, double kelvin) {
  ERMINE_REQUIRE(!table.temperature.empty() && !table.bands.empty(), "the table of {} is empty",
                 table.gas);
  ERMINE_REQUIRE(kelvin >= table.temperature.front() && kelvin <= table.temperature.back(),
                 "{} K is outside the table of {}, which reaches from {} to {} K, make one that "
                 "covers it",
                 kelvin, table.gas, table.temperature.front(), table.temperature.back());
}

void check_length(double length) {
  ERMINE_REQUIRE(length >= 0.0 && std::isfinite(length),
                 "a column of {} m does not exist, give a length of zero or more", length);
}

double blackbody_intensity(double kelvin) {
  return constants::stefan_boltzmann / constants::pi * kelvin * kelvin * kelvin * kelvin;
}

/// Average over the points of a band of something of k.
template <class Function>
double band_average(const SpectralTable& table, std::size_t band, double kelvin,
                    const Function& of) {
  double sum = 0.0;
  for (std::size_t j = 0; j < table.quadrature.size(); ++j) {
    sum += table.quadrature.weight[j] * of(table.absorption_at(band, j, kelvin));
  }
  return sum;
}

double absorptivity(const SpectralTable& table, std::size_t band, double kelvin, double length) {
  return band_average(table, band, kelvin, [=](double k) { return -std::expm1(-k * length); });
}

struct BandOf {
  const SpectralTable* table;
  std::size_t number;

  const Band& band() const { return table->bands[number]; }
};

constexpr double same_edge = 1e-6;  // [1/cm]

/// The bands of all tables in order; equal ones follow one another.
std::vector<BandOf> all_bands(std::span<const SpectralTable> mixture) {
  std::vector<BandOf> bands;
  for (const SpectralTable& table : mixture) {
    for (std::size_t b = 0; b < table.bands.size(); ++b) bands.push_back({&table, b});
  }
  std::ranges::stable_sort(
      bands, {}, [](const BandOf& b) { return 0.5 * (b.band().low_cm1 + b.band().high_cm1); });
  return bands;
}

bool equal(const Band& a, const Band& b) {
  return std::abs(a.low_cm1 - b.low_cm1) < same_edge &&
         std::abs(a.high_cm1 - b.high_cm1) < same_edge;
}

}  // namespace

double planck_mean(const SpectralTable& table, double kelvin) {
  const FloatingPointGuard guard;
  check_temperature(table, kelvin);
  double sum = 0.0;
  for (std::size_t b = 0; b < table.bands.size(); ++b) {
    sum += planck_intensity(table.bands[b], kelvin) *
           band_average(table, b, kelvin, [](double k) { return k; });
  }
  return sum / blackbody_intensity(kelvin);
}

double transmissivity(const SpectralTable& table, std::size_t band, double kelvin, double length) {
  const FloatingPointGuard guard;
  check_temperature(table, kelvin);
  check_length(length);
  ERMINE_REQUIRE(band < table.bands.size(), "the table of {} has {} bands, there is no number {}",
                 table.gas, table.bands.size(), band);
  return band_average(table, band, kelvin, [=](double k) { return std::exp(-k * length); });
}

double emissivity(const SpectralTable& table, double kelvin, double length) {
  return emissivity(std::span(&table, 1), kelvin, length);
}

double emissivity(std::span<const SpectralTable> mixture, double kelvin, double length) {
  const FloatingPointGuard guard;
  check_length(length);
  ERMINE_REQUIRE(!mixture.empty(), "a mixture of no gases has no emissivity, give a table");
  for (const SpectralTable& table : mixture) {
    check_temperature(table, kelvin);
    ERMINE_REQUIRE(table.pressure == mixture.front().pressure,
                   "the table of {} is for {} Pa, that of {} for {} Pa, give tables at one "
                   "pressure",
                   table.gas, table.pressure, mixture.front().gas, mixture.front().pressure);
  }
  const std::vector<BandOf> bands = all_bands(mixture);
  double sum = 0.0;
  for (std::size_t i = 0; i < bands.size();) {
    const Band& band = bands[i].band();
    // 1 - product of (1 - a), without losing a small a.
    double absorbed = 0.0;
    for (; i < bands.size() && equal(bands[i].band(), band); ++i) {
      const double a = absorptivity(*bands[i].table, bands[i].number, kelvin, length);
      absorbed += a * (1.0 - absorbed);
    }
    ERMINE_REQUIRE(i == bands.size() || bands[i].band().low_cm1 > band.high_cm1 - same_edge,
                   "bands of {} and {} overlap in part, {} to {} and {} to {} 1/cm, make the "
                   "tables with the same band width",
                   bands[i - 1].table->gas, bands[i].table->gas, band.low_cm1, band.high_cm1,
                   bands[i].band().low_cm1, bands[i].band().high_cm1);
    sum += planck_intensity(band, kelvin) * absorbed;
  }
  return sum / blackbody_intensity(kelvin);
}

}  // namespace ermine
