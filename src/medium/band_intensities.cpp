#include "medium/band_intensities.hpp"

#include <ermine/planck.hpp>

#include "core/fp_guard.hpp"

#include <limits>

namespace ermine {
namespace {

/// What bands leave of the spectrum.
std::vector<Band> outside(std::span<const Band> bands) {
  std::vector<Band> gaps;
  double low = 0.0;
  for (const Band& band : bands) {
    if (band.low_cm1 > low) gaps.push_back({low, band.low_cm1});
    low = band.high_cm1;
  }
  constexpr double end = std::numeric_limits<double>::infinity();
  if (low < end) gaps.push_back({low, end});
  return gaps;
}

}  // namespace

std::vector<double> band_intensities(std::span<const Band> bands, std::span<const double> kelvin,
                                     int threads) {
  const std::size_t nodes = kelvin.size();
  std::vector<double> intensity((bands.size() + 1) * nodes);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t band = 0; band < bands.size(); ++band) {
    const FloatingPointGuard guard;  // once, not in every call
    for (std::size_t t = 0; t < nodes; ++t) {
      intensity[band * nodes + t] = planck_intensity(bands[band], kelvin[t]);
    }
  }
  for (const Band& gap : outside(bands)) {
    for (std::size_t t = 0; t < nodes; ++t) {
      intensity[bands.size() * nodes + t] += planck_intensity(gap, kelvin[t]);
    }
  }
  return intensity;
}

std::vector<double> with_steps(std::span<const double> kelvin, std::size_t steps) {
  std::vector<double> fine;
  for (std::size_t t = 0; t + 1 < kelvin.size(); ++t) {
    const double step = (kelvin[t + 1] - kelvin[t]) / static_cast<double>(steps);
    for (std::size_t i = 0; i < steps; ++i) {
      fine.push_back(kelvin[t] + static_cast<double>(i) * step);
    }
  }
  fine.push_back(kelvin.back());
  return fine;
}

}  // namespace ermine
