#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

/// `actual` must lie within `count` standard errors of `expected`.
#define EXPECT_WITHIN_SIGMA(actual, standard_error, expected, count)     \
  EXPECT_LE(std::abs((actual) - (expected)), (count) * (standard_error)) \
      << "off by " << ((actual) - (expected)) / (standard_error) << " standard errors"

namespace ermine::test {

inline double mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

inline double standard_deviation(const std::vector<double>& values) {
  const double centre = mean(values);
  double sum = 0.0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

inline double largest_magnitude(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

/// Counts of independent draws must be as probabilities `p`, which add up to 1, say: chi-square of
/// all that are expected ten times or more, the others lumped together.
inline void expect_frequencies(const std::vector<int>& count, const std::vector<double>& p) {
  double draws = 0.0;
  for (const int times : count) draws += times;
  double chi_square = 0.0, rare = 0.0, rare_count = 0.0;
  int classes = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double expected = p[i] * draws;
    if (!(p[i] > 0)) {
      EXPECT_EQ(count[i], 0) << "entry " << i;
    } else if (expected < 10) {
      rare += expected;
      rare_count += count[i];
    } else {
      chi_square += std::pow(count[i] - expected, 2) / expected;
      ++classes;
    }
  }
  if (classes > 1) {
    EXPECT_WITHIN_SIGMA(chi_square, std::sqrt(2.0 * classes), classes - 1.0, 4);
  }
  EXPECT_WITHIN_SIGMA(rare_count, std::sqrt(rare) + 1e-9, rare, 4);
}

}  // namespace ermine::test
