#include "spectra/narrow_band_lumps.hpp"

#include "core/check.hpp"
#include "spectra/inverse_gaussian.hpp"
#include "spectra/root.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

constexpr double rounding = 1e-12;

double centre(const Band& band) { return 0.5 * (band.low_cm1 + band.high_cm1); }

}  // namespace

std::vector<Lump> lumps_of(const NarrowBandParameters& parameters, double width_cm1) {
  std::vector<Lump> lumps;
  if (width_cm1 == 0.0) {
    for (std::size_t b = 0; b < parameters.bands.size(); ++b) {
      lumps.push_back({parameters.bands[b], 1.0, {b}});
    }
    return lumps;
  }
  const double native = parameters.bands.front().width_cm1();
  const double ratio = width_cm1 / native;
  ERMINE_REQUIRE(ratio >= 1.0 - 1e-9 && ratio < 1e6 && std::abs(ratio - std::round(ratio)) < 1e-9,
                 "bands of {} 1/cm cannot be made of the {} 1/cm bands of {}, ask for a multiple",
                 width_cm1, native, name_of(parameters.species));
  for (const Band& band : parameters.bands) {
    ERMINE_REQUIRE(std::abs(band.width_cm1() - native) <= 1e-6 * native,
                   "the bands of {} differ in width, {} and {} 1/cm, and cannot be lumped, "
                   "ask for those of the data",
                   name_of(parameters.species), native, band.width_cm1());
  }
  // Centres are whole multiples of the width of a band plus this.
  const double multiple = centre(parameters.bands.front()) / native;
  double offset = multiple - std::floor(multiple + 1e-6);
  if (std::abs(offset) < 1e-6) offset = 0.0;
  const double first_edge = (offset - 0.5) * native;
  double last_number = -1.0;
  for (std::size_t b = 0; b < parameters.bands.size(); ++b) {
    const double number = std::floor(centre(parameters.bands[b]) / width_cm1 + 1e-6);
    if (number != last_number) {
      const double low = std::max(0.0, number * width_cm1 + first_edge);
      const Band band{low, (number + 1.0) * width_cm1 + first_edge};
      lumps.push_back({band, native / band.width_cm1(), {}});
      last_number = number;
    }
    lumps.back().members.push_back(b);
  }
  return lumps;
}

LumpQuantiles::LumpQuantiles(const Lump& lump, std::span<const BandColumn> columns,
                             std::span<const double> nodes,
                             const InverseGaussianQuantiles& quantiles)
    : lump_(lump),
      columns_(columns),
      nodes_(nodes),
      quantiles_(quantiles),
      log_k_(nodes.size(), 0.0),
      highest_(nodes.size()),
      y_(nodes.size()) {}

void LumpQuantiles::evaluate(std::size_t t, std::span<double> k) {
  members_.clear();
  std::ranges::fill(highest_, 0.0);
  for (const std::size_t b : lump_.members) {
    const Member member{columns_[b].mean_absorption[t], columns_[b].shape[t]};
    if (member.mean_absorption <= 0.0) continue;
    members_.push_back(member);
    quantiles_.evaluate(member.shape, y_);
    for (std::size_t j = 0; j < y_.size(); ++j) {
      highest_[j] = std::max(highest_[j], member.mean_absorption * y_[j]);
    }
  }
  const double transparent = 1.0 - lump_.share * static_cast<double>(members_.size());
  if (members_.empty() || (members_.size() == 1 && transparent < rounding)) {
    std::ranges::copy(highest_, k.begin());
    return;
  }
  double lower = 0.0;
  for (std::size_t j = 0; j < k.size(); ++j) {
    k[j] = nodes_[j] > transparent + rounding ? find(j, lower) : 0.0;
    lower = k[j];
  }
}

double LumpQuantiles::find(std::size_t node, double lower) {
  const auto difference = [&](double log_k) {
    Slope f = cumulative(log_k);
    f.value -= nodes_[node];
    return f;
  };
  // At the largest of the members' k, each of their distributions has reached g. The margin is
  // for the error of the tabulated quantiles.
  const double high = std::log(highest_[node]) + 1e-6;
  double low = high - 1.0;
  for (double step = 2.0; difference(low).value > 0.0; step *= 2.0) low -= step;
  if (lower > 0.0) low = std::max(low, std::log(lower) - 1e-9);
  log_k_[node] = increasing_root(difference, low, high, log_k_[node], 1e-9);
  return std::max(lower, std::exp(log_k_[node]));
}

Slope LumpQuantiles::cumulative(double log_k) const {
  const double k = std::exp(log_k);
  Slope sum{1.0 - lump_.share * static_cast<double>(members_.size()), 0.0};
  for (const Member& member : members_) {
    const Slope f = inverse_gaussian_cdf(k / member.mean_absorption, member.shape);
    sum.value += lump_.share * f.value;
    sum.derivative += lump_.share * f.derivative;
  }
  return sum;
}

}  // namespace ermine
