#include <ermine/narrow_band.hpp>

#include "core/check.hpp"
#include "core/fp_guard.hpp"
#include "spectra/atmosphere.hpp"
#include "spectra/lorentz_terms.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

bool positive(double value) { return value > 0.0 && std::isfinite(value); }

void check_composition(const Composition& composition) {
  for (const Species species : all_species) {
    ERMINE_REQUIRE(composition[species] >= 0.0 && composition[species] <= 1.0,
                   "the mole fraction of {} is {}, give a number from 0 to 1", name_of(species),
                   composition[species]);
  }
  ERMINE_REQUIRE(composition.nitrogen() >= -1e-9,
                 "the mole fractions add up to {}, which is more than 1, correct them",
                 1.0 - composition.nitrogen());
}

}  // namespace

void NarrowBandParameters::check() const {
  const FloatingPointGuard guard;
  const auto name = name_of(species);
  ERMINE_REQUIRE(!bands.empty() && !temperature.empty(),
                 "the narrow-band parameters of {} hold no {}, rebuild them", name,
                 bands.empty() ? "bands" : "temperatures");
  const std::size_t values = bands.size() * temperature.size();
  ERMINE_REQUIRE(mean_absorption.size() == values && inverse_spacing.size() == values,
                 "the narrow-band parameters of {} have {} and {} values for {} bands and {} "
                 "temperatures, rebuild them",
                 name, mean_absorption.size(), inverse_spacing.size(), bands.size(),
                 temperature.size());
  for (std::size_t t = 0; t < temperature.size(); ++t) {
    ERMINE_REQUIRE(positive(temperature[t]) && (t == 0 || temperature[t] > temperature[t - 1]),
                   "temperature {} of the narrow-band parameters of {} is {} K, give positive "
                   "ones that increase",
                   t + 1, name, temperature[t]);
  }
  for (std::size_t b = 0; b < bands.size(); ++b) {
    const Band& band = bands[b];
    ERMINE_REQUIRE(band.low_cm1 >= 0.0 && band.high_cm1 > band.low_cm1 &&
                       std::isfinite(band.high_cm1) &&
                       (b == 0 || band.low_cm1 == bands[b - 1].high_cm1),
                   "band {} of the narrow-band parameters of {}, {} to {} 1/cm, is not in order "
                   "or does not touch the one before, rebuild them",
                   b + 1, name, band.low_cm1, band.high_cm1);
    for (std::size_t t = 0; t < temperature.size(); ++t) {
      const double mean = mean_absorption[b * temperature.size() + t];
      const double inverse = inverse_spacing[b * temperature.size() + t];
      ERMINE_REQUIRE(mean >= 0.0 && std::isfinite(mean) && positive(inverse),
                     "{} has kbar = {} 1/(m Pa) and 1/delta = {} cm from {} to {} 1/cm at {} K, "
                     "which no gas has, rebuild the parameters",
                     name, mean, inverse, band.low_cm1, band.high_cm1, temperature[t]);
    }
  }
}

NarrowBandParameters extended_down(const NarrowBandParameters& parameters, double kelvin) {
  const FloatingPointGuard guard;
  parameters.check();
  const std::size_t nodes = parameters.temperature.size();
  ERMINE_REQUIRE(nodes >= 2, "the parameters of {} have one temperature, two are needed to extend",
                 name_of(parameters.species));
  const double first = parameters.temperature[0];
  const double second = parameters.temperature[1];
  ERMINE_REQUIRE(kelvin > 0.0 && kelvin < first,
                 "the parameters of {} begin at {} K and cannot be extended down to {} K, give a "
                 "lower temperature",
                 name_of(parameters.species), first, kelvin);
  // ln is linear in 1/T, as the Boltzmann factor of the lower levels.
  const double reach = (1.0 / kelvin - 1.0 / first) / (1.0 / first - 1.0 / second);
  const auto extrapolate = [&](double at_first, double at_second) {
    return at_first * std::pow(at_first / at_second, reach);
  };

  NarrowBandParameters extended = parameters;
  extended.temperature.insert(extended.temperature.begin(), kelvin);
  extended.mean_absorption.clear();
  extended.inverse_spacing.clear();
  for (std::size_t b = 0; b < parameters.bands.size(); ++b) {
    const auto mean = std::span(parameters.mean_absorption).subspan(b * nodes, nodes);
    const auto inverse = std::span(parameters.inverse_spacing).subspan(b * nodes, nodes);
    const bool absorbs = mean[0] > 0.0 && mean[1] > 0.0;
    extended.mean_absorption.push_back(absorbs ? extrapolate(mean[0], mean[1]) : 0.0);
    extended.inverse_spacing.push_back(absorbs ? extrapolate(inverse[0], inverse[1]) : inverse[0]);
    extended.mean_absorption.insert(extended.mean_absorption.end(), mean.begin(), mean.end());
    extended.inverse_spacing.insert(extended.inverse_spacing.end(), inverse.begin(), inverse.end());
  }
  extended.manifest.options +=
      fmt::format("{}extended from {} K to {} K, ln kbar and ln 1/delta linear in 1/T",
                  extended.manifest.options.empty() ? "" : "; ", first, kelvin);
  extended.check();
  return extended;
}

double lorentz_half_width_cm1(Species species, double kelvin, double pressure,
                              const Composition& composition) {
  ERMINE_REQUIRE(positive(kelvin) && positive(pressure),
                 "lines have no width at {} K and {} Pa, give positive numbers", kelvin, pressure);
  check_composition(composition);
  return pressure / pascal_per_atmosphere *
         lorentz_terms(species, composition).width(296.0 / kelvin);
}

}  // namespace ermine
