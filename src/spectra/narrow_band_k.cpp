#include <ermine/narrow_band.hpp>

#include "core/check.hpp"
#include "core/fp_guard.hpp"
#include "core/thread_count.hpp"
#include "spectra/band_parameters.hpp"
#include "spectra/default_temperatures.hpp"
#include "spectra/inverse_gaussian.hpp"
#include "spectra/narrow_band_lumps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ermine {
namespace {

std::vector<double> chosen_temperatures(const NarrowBandParameters& parameters,
                                        const KDistributionOptions& options) {
  const double first = parameters.temperature.front();
  const double last = parameters.temperature.back();
  const std::vector<double> kelvin =
      options.temperature.empty() ? default_temperatures(first, last) : options.temperature;
  for (std::size_t t = 0; t < kelvin.size(); ++t) {
    ERMINE_REQUIRE(kelvin[t] >= first && kelvin[t] <= last,
                   "{} K is outside the narrow-band parameters of {}, which reach from {} to {} "
                   "K, ask for temperatures within",
                   kelvin[t], name_of(parameters.species), first, last);
    ERMINE_REQUIRE(t == 0 || kelvin[t] > kelvin[t - 1],
                   "{} K follows {} K, give temperatures that increase", kelvin[t], kelvin[t - 1]);
  }
  return kelvin;
}

void check_points(const Quadrature& quadrature) {
  ERMINE_REQUIRE(quadrature.size() > 0 && quadrature.weight.size() == quadrature.size() &&
                     quadrature.node.front() > 0.0 && quadrature.node.back() < 1.0 &&
                     std::ranges::is_sorted(quadrature.node),
                 "the {} points of the quadrature are not increasing numbers between 0 and 1, "
                 "use one of Quadrature's own",
                 quadrature.size());
}

/// kbar and shape B of every band at every temperature.
struct Expansion {
  std::vector<BandColumn> band;
  double lowest_shape = std::numeric_limits<double>::infinity();
  double highest_shape = 0.0;
};

Expansion expand(const NarrowBandParameters& parameters,
                 const std::function<double(double)>& half_width_cm1,
                 const std::vector<double>& kelvin) {
  std::vector<double> gamma;
  for (const double t : kelvin) {
    gamma.push_back(half_width_cm1(t));
    ERMINE_REQUIRE(gamma.back() > 0.0 && std::isfinite(gamma.back()),
                   "the half-width of {} at {} K is {} 1/cm, give a positive one",
                   name_of(parameters.species), t, gamma.back());
  }
  Expansion expansion;
  for (std::size_t b = 0; b < parameters.bands.size(); ++b) {
    BandParameters band = interpolate(parameters, b, kelvin);
    for (std::size_t t = 0; t < kelvin.size(); ++t) {
      double& shape = band.inverse_spacing[t];
      shape *= 2.0 * gamma[t];
      expansion.lowest_shape = std::min(expansion.lowest_shape, shape);
      expansion.highest_shape = std::max(expansion.highest_shape, shape);
    }
    expansion.band.push_back({std::move(band.mean_absorption), std::move(band.inverse_spacing)});
  }
  return expansion;
}

/// k-distribution rows times a factor, of lumps of bands.
std::vector<float> rows(const NarrowBandParameters& parameters,
                        const std::function<double(double)>& half_width_cm1,
                        const std::vector<Lump>& lumps, const Quadrature& quadrature,
                        const std::vector<double>& kelvin, double factor) {
  const Expansion expansion = expand(parameters, half_width_cm1, kelvin);
  const InverseGaussianQuantiles quantiles(quadrature.node, expansion.lowest_shape,
                                           expansion.highest_shape);
  const std::size_t points = quadrature.size();
  std::vector<float> result(lumps.size() * points * kelvin.size());
#pragma omp parallel for schedule(dynamic) num_threads(thread_count(0))
  for (std::size_t l = 0; l < lumps.size(); ++l) {
    LumpQuantiles lump(lumps[l], expansion.band, quadrature.node, quantiles);
    std::vector<double> k(points);
    for (std::size_t t = 0; t < kelvin.size(); ++t) {
      lump.evaluate(t, k);
      float last = 0.0F;  // keeps the order where points differ by less than rounding
      for (std::size_t j = 0; j < points; ++j) {
        last = std::max(last, static_cast<float>(factor * k[j]));
        result[(l * points + j) * kelvin.size() + t] = last;
      }
    }
  }
  return result;
}

std::string described(const Composition& composition, double pressure,
                      const KDistributionOptions& options) {
  std::string text = fmt::format("k-distribution at {} Pa, mole fractions", pressure);
  for (const Species species : all_species) {
    if (composition[species] > 0.0) {
      text += fmt::format(" {} {}", name_of(species), composition[species]);
    }
  }
  if (options.band_width_cm1 > 0.0) text += fmt::format(", bands {} 1/cm", options.band_width_cm1);
  return text;
}

}  // namespace

std::vector<Band> k_distribution_bands(const NarrowBandParameters& parameters,
                                       const KDistributionOptions& options) {
  const FloatingPointGuard guard;
  std::vector<Band> bands;
  for (const Lump& lump : lumps_of(parameters, options.band_width_cm1)) bands.push_back(lump.band);
  return bands;
}

SpectralTable k_distribution(const NarrowBandParameters& parameters, double pressure,
                             const Composition& composition, const KDistributionOptions& options) {
  const FloatingPointGuard guard;
  parameters.check();
  check_points(options.quadrature);
  const std::vector<Lump> lumps = lumps_of(parameters, options.band_width_cm1);
  SpectralTable table;
  table.kind = TableKind::k_distribution;
  table.gas = name_of(parameters.species);
  table.pressure = pressure;
  table.mole_fraction = composition[parameters.species];
  table.quadrature = options.quadrature;
  table.temperature = chosen_temperatures(parameters, options);
  for (const Lump& lump : lumps) table.bands.push_back(lump.band);
  const auto half_width = [&](double kelvin) {
    return lorentz_half_width_cm1(parameters.species, kelvin, pressure, composition);
  };
  table.absorption = rows(parameters, half_width, lumps, table.quadrature, table.temperature,
                          pressure * table.mole_fraction);
  table.manifest = parameters.manifest;
  if (!table.manifest.options.empty()) table.manifest.options += "; ";
  table.manifest.options += described(composition, pressure, options);
  return table;
}

std::vector<float> k_distribution_rows(const NarrowBandParameters& parameters,
                                       const std::function<double(double)>& half_width_cm1,
                                       const KDistributionOptions& options) {
  const FloatingPointGuard guard;
  parameters.check();
  check_points(options.quadrature);
  return rows(parameters, half_width_cm1, lumps_of(parameters, options.band_width_cm1),
              options.quadrature, chosen_temperatures(parameters, options), 1.0);
}

}  // namespace ermine
