#pragma once

#include "core/macros.hpp"

#include <cmath>
#include <cstdint>

namespace ermine {

/// Mean over all rays and its standard error from batches of rays, which may differ in size.
/// With n_b rays and mean m_b in batch b of B, N = sum n_b:
///   SE^2 = sum n_b (m_b - m)^2 / (N (B - 1)),
/// unbiased when rays are independent; updated batch by batch (D. H. D. West, CACM 22, 1979).
class Tally {
 public:
  /// `sum` of the scores of so many rays.
  ERMINE_FUNCTION void add_batch(std::int64_t rays, double sum) {
    const double weight = static_cast<double>(rays);
    const double mean = sum / weight;
    const double deviation = mean - mean_;
    weight_ += weight;
    mean_ += deviation * (weight / weight_);
    square_ += weight * deviation * (mean - mean_);
    ++batches_;
  }

  ERMINE_FUNCTION double mean() const { return mean_; }

  /// Infinite before the second batch: nothing is known of the error.
  double standard_error() const {
    if (batches_ < 2) return HUGE_VAL;
    return std::sqrt(square_ / (weight_ * (batches_ - 1)));
  }

 private:
  double weight_ = 0.0;
  double mean_ = 0.0;
  double square_ = 0.0;
  int batches_ = 0;
};

}  // namespace ermine
