#pragma once

#include <gtest/gtest.h>

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

}  // namespace ermine::test
