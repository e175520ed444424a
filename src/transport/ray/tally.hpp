#pragma once

#include <ermine/result.hpp>

#include "core/macros.hpp"

#include <cmath>
#include <cstdint>

namespace ermine {

/// Mean over all rays and its standard error, from the sums over batches of rays. With N rays of
/// scores x and mean m,
///   SE^2 = sum (x - m)^2 / (N (N - 1)):
/// rays are independent whatever the order in which they are traced. Batches are merged one after
/// the other (T. F. Chan, G. H. Golub & R. J. LeVeque, Am. Stat. 37, 1983).
class Tally {
 public:
  /// `sum` of the scores of so many rays, and of their squares.
  ERMINE_FUNCTION void add_batch(std::int64_t rays, double sum, double squares) {
    const double count = static_cast<double>(rays);
    const double mean = sum / count;
    const double within = squares - sum * mean;
    // Rounding may leave a little less than nothing where all scores are equal.
    merge(count, mean, within > 0 ? within : 0.0);
  }

  /// One score.
  ERMINE_FUNCTION void add(double score) { merge(1.0, score, 0.0); }

  ERMINE_FUNCTION double count() const { return count_; }
  ERMINE_FUNCTION double mean() const { return mean_; }
  ERMINE_FUNCTION Estimate estimate() const { return {mean(), standard_error()}; }

  /// Infinite before the second ray: nothing is known of the error.
  ERMINE_FUNCTION double standard_error() const { return std::sqrt(variance()); }
  /// Of the mean.
  ERMINE_FUNCTION double variance() const {
    return count_ < 2 ? HUGE_VAL : square_ / (count_ * (count_ - 1));
  }
  /// Sum of the squares of deviations of the scores from their mean.
  ERMINE_FUNCTION double squares() const { return square_; }
  /// Of the scores; zero before the second one.
  ERMINE_FUNCTION double variance_of_scores() const {
    return count_ < 2 ? 0.0 : square_ / (count_ - 1);
  }

 private:
  ERMINE_FUNCTION void merge(double count, double mean, double within) {
    const double deviation = mean - mean_;
    const double before = count_;
    count_ += count;
    mean_ += deviation * (count / count_);
    square_ += within + deviation * deviation * (before * count / count_);
  }

  double count_ = 0.0;
  double mean_ = 0.0;
  double square_ = 0.0;  ///< sum of (x - m)^2
};

}  // namespace ermine
