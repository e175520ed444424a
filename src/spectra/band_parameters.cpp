#include "spectra/band_parameters.hpp"

#include "spectra/pchip.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

/// ln of some parameter at the nodes, with slopes, on each run of absorbing nodes.
struct LogCurve {
  std::vector<double> value;
  std::vector<double> slope;

  LogCurve(std::span<const double> kelvin, std::span<const double> parameter,
           std::span<const double> mean_absorption)
      : value(kelvin.size(), 0.0), slope(kelvin.size(), 0.0) {
    for (std::size_t first = 0; first < kelvin.size();) {
      std::size_t end = first;
      for (; end < kelvin.size() && mean_absorption[end] > 0.0; ++end) {
        value[end] = std::log(parameter[end]);
      }
      const std::size_t count = end - first;
      if (count >= 2) {
        std::ranges::copy(
            monotone_slopes(kelvin.subspan(first, count), std::span(value).subspan(first, count)),
            slope.begin() + static_cast<std::ptrdiff_t>(first));
      }
      first = end + 1;
    }
  }

  double at(std::span<const double> kelvin, std::size_t i, double t) const {
    return std::exp(
        hermite(kelvin[i], kelvin[i + 1], value[i], value[i + 1], slope[i], slope[i + 1], t));
  }
};

}  // namespace

BandParameters interpolate(const NarrowBandParameters& parameters, std::size_t band,
                           std::span<const double> temperature) {
  const std::span<const double> node = parameters.temperature;
  const auto mean = std::span(parameters.mean_absorption).subspan(band * node.size(), node.size());
  const auto inverse_spacing =
      std::span(parameters.inverse_spacing).subspan(band * node.size(), node.size());
  const LogCurve log_mean(node, mean, mean);
  const LogCurve log_inverse_spacing(node, inverse_spacing, mean);

  BandParameters result;
  for (const double t : temperature) {
    const auto above = std::upper_bound(node.begin(), node.end(), t);
    const std::size_t i = std::max<std::ptrdiff_t>(above - node.begin(), 1) - 1;
    if (node[i] == t) {  // exact, and the only way at the last node
      result.mean_absorption.push_back(mean[i]);
      result.inverse_spacing.push_back(inverse_spacing[i]);
    } else if (mean[i] > 0.0 && mean[i + 1] > 0.0) {
      result.mean_absorption.push_back(log_mean.at(node, i, t));
      result.inverse_spacing.push_back(log_inverse_spacing.at(node, i, t));
    } else {
      const double share = (t - node[i]) / (node[i + 1] - node[i]);
      result.mean_absorption.push_back((1.0 - share) * mean[i] + share * mean[i + 1]);
      result.inverse_spacing.push_back(inverse_spacing[mean[i] > 0.0 ? i : i + 1]);
    }
  }
  return result;
}

}  // namespace ermine
