#include "transport/accuracy/error_norm.hpp"

#include "core/block_sum.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ermine {

double norm_of(std::span<const double> errors, const ErrorTarget& target, int threads) {
  if (errors.empty()) return 0.0;
  if (target.norm == ErrorNorm::maximum) return *std::max_element(errors.begin(), errors.end());
  if (target.norm == ErrorNorm::quantile) {
    const double rank = std::ceil(target.quantile * static_cast<double>(errors.size())) - 1;
    std::vector<double> sorted(errors.begin(), errors.end());
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(std::max(rank, 0.0));
    std::nth_element(sorted.begin(), at, sorted.end());
    return *at;
  }
  const double squares =
      block_sum(errors.size(), threads, [&](std::size_t i) { return errors[i] * errors[i]; });
  return std::sqrt(squares / static_cast<double>(errors.size()));
}

double norm_of_errors(std::span<const Estimate> estimates, const ErrorTarget& target) {
  std::vector<double> errors;
  errors.reserve(estimates.size());
  for (const Estimate& estimate : estimates) errors.push_back(estimate.standard_error);
  return norm_of(errors, target);
}

double root_mean_square(std::span<const double> values, int threads) {
  return norm_of(values, {}, threads);
}

double root_mean_square(std::span<const Estimate> estimates) {
  double squares = 0.0;
  for (const auto& [value, error] : estimates) squares += value * value - error * error;
  return std::sqrt(std::max(squares, 0.0) / static_cast<double>(estimates.size()));
}

double rms_margin(std::span<const double> variances, int replicates) {
  double sum = 0.0;
  double squares = 0.0;
  for (const double variance : variances) {
    sum += variance;
    squares += variance * variance;
  }
  if (!(squares > 0)) return 1.0;
  // The squared errors of a tile scatter like three independent ones, or less: over 50 seeds as
  // 2.6 in a hot spot of thick gas, 4 to 6 in flames and thin gas.
  const double freedom = 3 * sum * sum / squares;
  // Of F with f degrees of freedom above and (R - 1) f below, ln F / 2 has the variance
  // R / (R - 1) / (2 f).
  constexpr double quantile = 1.645;  // 95 %, one-sided
  return std::exp(quantile * std::sqrt(replicates / (replicates - 1.0) / (2 * freedom)));
}

Estimate norm_of_values(std::span<const std::vector<Estimate>> tiles, const ErrorTarget& target) {
  if (tiles.empty()) return {};
  std::vector<double> sizes;
  double mean = 0.0;
  double squares = 0.0;
  double noise = 0.0;
  const double count = static_cast<double>(tiles.size());
  for (const std::vector<Estimate>& tile : tiles) {
    double of_tile = 0.0;
    for (const auto& [value, error] : tile) {
      const double square = value * value - error * error;
      sizes.push_back(std::sqrt(std::max(square, 0.0)));
      of_tile += square / static_cast<double>(tile.size());
      noise += error * error / static_cast<double>(tile.size());
    }
    mean += of_tile / count;
    squares += of_tile * of_tile / count;
  }
  // Where noise hides the mean, its square root is known no better than to the root of its error.
  const double mean_error =
      std::sqrt(std::max(squares - mean * mean, 0.0) / std::max(1.0, count - 1));
  const double rms = std::sqrt(std::max(mean, 0.0));
  const double rms_error =
      mean_error > 0 ? mean_error / std::max(2 * rms, std::sqrt(mean_error)) : 0.0;
  if (target.norm == ErrorNorm::rms) return {rms, rms_error};
  return {std::max(norm_of(sizes, target), rms), std::max(rms_error, std::sqrt(noise / count))};
}

}  // namespace ermine
