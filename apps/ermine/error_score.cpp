#include "error_score.hpp"

#include <algorithm>
#include <cmath>

namespace ermine::cli {
namespace {

double square(double x) { return x * x; }

double mean_square(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += square(value);
  return sum / static_cast<double>(values.size());
}

/// Mean over cells and its standard error, as if they were independent.
Estimate mean_of(std::span<const double> values) {
  const double count = static_cast<double>(values.size());
  double mean = 0.0;
  for (const double value : values) mean += value / count;
  double scatter = 0.0;
  for (const double value : values) scatter += square(value - mean);
  return {mean, std::sqrt(scatter / (count * std::max(1.0, count - 1)))};
}

}  // namespace

double Reference::rms() const {
  return std::sqrt(std::max(0.0, mean_square(q) - mean_square(standard_error)));
}

double Reference::relative_standard_error() const {
  const double scale = rms();
  return scale > 0 ? std::sqrt(mean_square(standard_error)) / scale : 0.0;
}

double Reference::smallest_error() const {
  // The mean of squares of n normal numbers is uncertain by the root of 2/n of itself.
  return 2 * relative_standard_error() * std::pow(2 / static_cast<double>(independent), 0.25);
}

Reference average_periods(const Result& result, std::size_t period, std::size_t cell_count) {
  const std::size_t count = result.flux_divergence.size() / period;
  const double periods = static_cast<double>(count);
  std::vector<double> q(period, 0.0);
  std::vector<double> variance(period, 0.0);
  for (std::size_t i = 0; i < result.flux_divergence.size(); ++i) {
    q[i % period] += result.flux_divergence[i] / periods;
    variance[i % period] += square(result.standard_error[i] / periods);
  }
  // Cells of a tile are not independent: of 3 x 3 with the same place in the period 6 and 3 share
  // one. Where there is but one period there is nothing to average.
  const double together = count > 1 ? 1 + 4 * result.tile_correlation : 1;
  constexpr std::size_t along_x = 4;  // cells of a tile
  constexpr std::size_t in_all = 32;
  Reference reference;
  reference.independent = std::max<std::size_t>(1, period / (count > 1 ? along_x : in_all));
  for (std::size_t i = 0; i < cell_count; ++i) {
    reference.q.push_back(q[i % period]);
    reference.standard_error.push_back(std::sqrt(together * variance[i % period]));
  }
  return reference;
}

double Score::bias() const { return std::sqrt(std::max(0.0, squared_bias.value)); }

Score score(const Result& result, const Reference& reference) {
  const double scale = square(reference.rms());
  if (!(scale > 0)) return {};
  std::vector<double> squared_bias;
  double error = 0.0;
  for (std::size_t i = 0; i < reference.q.size(); ++i) {
    const double difference =
        square(result.flux_divergence[i] - reference.q[i]) - square(reference.standard_error[i]);
    error += difference;
    squared_bias.push_back((difference - square(result.standard_error[i])) / scale);
  }
  const double count = static_cast<double>(reference.q.size());
  return {std::sqrt(std::max(0.0, error / count / scale)),
          std::sqrt(mean_square(result.standard_error) / scale), mean_of(squared_bias)};
}

bool out_of_reach(const Score& score, double target) {
  if (score.bias() <= 0.95 * target) return false;
  // With noise at half the target, error^2 leaves the bias known well enough. With more of it, only
  // if the bias exceeds the target beyond doubt; errors of cells are not quite independent.
  const auto& [value, error] = score.squared_bias;
  return score.standard_error <= 0.5 * target ||
         (score.standard_error <= 2 * target && value - 3 * error > square(target));
}

void Calibration::add(const Result& result) {
  q_.push_back(result.flux_divergence);
  standard_error_.push_back(result.standard_error);
}

std::vector<double> Calibration::mean() const {
  std::vector<double> mean(q_.front().size(), 0.0);
  for (const auto& q : q_) {
    for (std::size_t i = 0; i < q.size(); ++i) mean[i] += q[i] / static_cast<double>(seeds());
  }
  return mean;
}

double Calibration::correction() const {
  const double count = static_cast<double>(seeds());
  return std::sqrt(count / (count - 1));
}

double Calibration::ratio() const {
  const std::vector<double> middle = mean();
  double reported = 0.0;
  double real = 0.0;
  for (std::size_t seed = 0; seed < seeds(); ++seed) {
    for (std::size_t i = 0; i < middle.size(); ++i) {
      reported += square(standard_error_[seed][i]);
      real += square(correction() * (q_[seed][i] - middle[i]));
    }
  }
  return std::sqrt(reported / real);
}

double Calibration::within_two() const {
  const std::vector<double> middle = mean();
  std::size_t within = 0;
  for (std::size_t seed = 0; seed < seeds(); ++seed) {
    for (std::size_t i = 0; i < middle.size(); ++i) {
      const double deviation = correction() * std::abs(q_[seed][i] - middle[i]);
      if (deviation <= 2 * standard_error_[seed][i]) ++within;
    }
  }
  return static_cast<double>(within) / static_cast<double>(seeds() * middle.size());
}

}  // namespace ermine::cli
