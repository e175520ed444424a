#include <ermine/lines.hpp>

#include "core/check.hpp"
#include "core/fp_guard.hpp"
#include "core/thread_count.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

constexpr double same_cm1 = 1e-6;  // wavenumbers closer than this are one

bool same(double a_cm1, double b_cm1) { return std::abs(a_cm1 - b_cm1) < same_cm1; }

/// Width of the bands of the table; an error unless they are alike and without gaps.
double uniform_band_width(const SpectralTable& table) {
  const double width = table.bands.front().width_cm1();
  for (std::size_t b = 0; b < table.bands.size(); ++b) {
    const Band& band = table.bands[b];
    ERMINE_REQUIRE(same(band.width_cm1(), width) &&
                       (b == 0 || same(band.low_cm1, table.bands[b - 1].high_cm1)),
                   "band {} to {} 1/cm of the line-by-line table differs in width or leaves a gap, "
                   "make the table anew",
                   band.low_cm1, band.high_cm1);
  }
  return width;
}

/// k at g of an ordered sample: sample i stands for g = (i + 1/2) / N, linear between these.
float read_sorted(const std::vector<float>& k, double g) {
  const double position =
      std::clamp(g * static_cast<double>(k.size()) - 0.5, 0.0, static_cast<double>(k.size() - 1));
  const auto below = std::min(static_cast<std::size_t>(position), k.size() - 1);
  const auto above = std::min(below + 1, k.size() - 1);
  return static_cast<float>(
      std::lerp(double{k[below]}, double{k[above]}, position - static_cast<double>(below)));
}

double band_transmissivity(const SpectralTable& table, std::size_t band, double kelvin,
                           double length) {
  double sum = 0.0;
  for (std::size_t point = 0; point < table.quadrature.size(); ++point) {
    sum += table.quadrature.weight[point] *
           std::exp(-length * table.absorption_at(band, point, kelvin));
  }
  return sum;
}

}  // namespace

SpectralTable k_distribution(const SpectralTable& line_by_line, double band_width_cm1,
                             const Quadrature& quadrature) {
  const FloatingPointGuard guard;
  ERMINE_REQUIRE(line_by_line.kind == TableKind::line_by_line,
                 "a k-distribution is made from a line-by-line table, give one");
  line_by_line.check();
  const double narrow = uniform_band_width(line_by_line);
  const double ratio = band_width_cm1 / narrow;
  ERMINE_REQUIRE(ratio > 0.5 && ratio < 1e9 && same(ratio, std::round(ratio)),
                 "bands of {} 1/cm are no whole number of the bands of {} 1/cm of the line-by-line "
                 "table, change the width",
                 band_width_cm1, narrow);
  ERMINE_REQUIRE(quadrature.size() > 0 && quadrature.weight.size() == quadrature.size() &&
                     quadrature.node.front() > 0 && quadrature.node.back() < 1,
                 "the quadrature of a k-distribution needs points within 0 and 1, with weights");

  const auto group = static_cast<std::size_t>(std::llround(ratio));
  const std::size_t narrow_count = line_by_line.bands.size();
  const std::size_t temperatures = line_by_line.temperature.size();
  SpectralTable table{.kind = TableKind::k_distribution,
                      .gas = line_by_line.gas,
                      .pressure = line_by_line.pressure,
                      .mole_fraction = line_by_line.mole_fraction,
                      .bands = {},
                      .quadrature = quadrature,
                      .temperature = line_by_line.temperature,
                      .absorption = {},
                      .manifest = line_by_line.manifest};
  for (std::size_t first = 0; first < narrow_count; first += group) {
    const std::size_t last = std::min(first + group, narrow_count) - 1;
    table.bands.push_back({line_by_line.bands[first].low_cm1, line_by_line.bands[last].high_cm1});
  }
  table.absorption.resize(table.point_count() * temperatures);

  // Allocated here because a failure must not leave the parallel region.
  std::vector<std::vector<float>> samples(static_cast<std::size_t>(thread_count(0)));
  for (auto& sample : samples) {
    sample.reserve(std::min(group, narrow_count) * line_by_line.quadrature.size());
  }
  const auto bands = static_cast<std::int64_t>(table.bands.size());
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t b = 0; b < bands; ++b) {
    auto& sample = samples[static_cast<std::size_t>(omp_get_thread_num())];
    const auto band = static_cast<std::size_t>(b);
    const std::size_t first = band * group * line_by_line.quadrature.size();
    const std::size_t last =
        std::min((band + 1) * group, narrow_count) * line_by_line.quadrature.size();
    for (std::size_t t = 0; t < temperatures; ++t) {
      sample.clear();
      for (std::size_t i = first; i < last; ++i) {
        sample.push_back(line_by_line.absorption[i * temperatures + t]);
      }
      std::sort(sample.begin(), sample.end());
      for (std::size_t point = 0; point < quadrature.size(); ++point) {
        table.absorption[(band * quadrature.size() + point) * temperatures + t] =
            read_sorted(sample, quadrature.node[point]);
      }
    }
  }
  return table;
}

TransmissivityError transmissivity_error(const SpectralTable& k_distribution,
                                         const SpectralTable& line_by_line, double kelvin,
                                         double length) {
  const FloatingPointGuard guard;
  TransmissivityError error{.kelvin = kelvin, .length = length};
  double squares = 0.0;
  std::size_t narrow = 0;
  for (std::size_t band = 0; band < k_distribution.bands.size(); ++band) {
    const Band& wide = k_distribution.bands[band];
    double exact = 0.0;
    double covered_cm1 = 0.0;
    for (; narrow < line_by_line.bands.size() &&
           line_by_line.bands[narrow].high_cm1 < wide.high_cm1 + same_cm1;
         ++narrow) {
      const Band& part = line_by_line.bands[narrow];
      if (part.low_cm1 < wide.low_cm1 - same_cm1) continue;
      exact += part.width_cm1() * band_transmissivity(line_by_line, narrow, kelvin, length);
      covered_cm1 += part.width_cm1();
    }
    ERMINE_REQUIRE(same(covered_cm1, wide.width_cm1()),
                   "the line-by-line table does not cover the band {} to {} 1/cm of the "
                   "k-distribution, compare tables of the same lines",
                   wide.low_cm1, wide.high_cm1);
    const double difference =
        std::abs(band_transmissivity(k_distribution, band, kelvin, length) - exact / covered_cm1);
    error.largest = std::max(error.largest, difference);
    squares += difference * difference;
  }
  ERMINE_REQUIRE(!k_distribution.bands.empty(),
                 "the k-distribution has no bands, give one that has");
  error.root_mean_square = std::sqrt(squares / static_cast<double>(k_distribution.bands.size()));
  return error;
}

}  // namespace ermine
