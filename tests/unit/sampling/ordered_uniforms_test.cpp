#include "sampling/ordered_uniforms.hpp"

#include "sampling/ray_stream.hpp"
#include "support/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ermine {
namespace {

std::vector<double> levels(std::uint32_t count, std::uint32_t trial) {
  OrderedUniforms ordered(count);
  std::vector<double> levels;
  for (std::uint32_t i = 0; i < count; ++i) {
    levels.push_back(ordered.next(RayStream({7, 0, trial, i}).next().word[2]));
  }
  return levels;
}

/// Kolmogorov and Smirnov's distance of values from the uniform distribution, times sqrt(n).
double distance_from_uniform(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto below = static_cast<double>(i);
    distance = std::max({distance, values[i] - below / count, (below + 1) / count - values[i]});
  }
  return distance * std::sqrt(count);
}

constexpr double one_in_a_thousand = 1.95;  // times the distance is larger

TEST(ExponentialVariate, IsMinusTheLogarithm) {
  const auto expect_log = [](std::uint32_t word) {
    const double exact = -std::log((static_cast<double>(word) + 0.5) * 0x1p-32);
    // The word has 32 bits, a float 24.
    ASSERT_NEAR(static_cast<double>(exponential_variate(word)), exact, 7e-8 + 1e-7 * exact) << word;
    ASSERT_GE(exponential_variate(word), 0.0f) << word;
  };
  for (std::uint64_t word = 0; word < (std::uint64_t{1} << 32); word += 40009) {
    expect_log(static_cast<std::uint32_t>(word));
  }
  for (int bit = 0; bit < 32; ++bit) {
    for (const std::uint32_t near : {0u, 1u, 2u, 3u}) {
      expect_log((1u << bit) + near);
      expect_log((1u << bit) - near);
      expect_log(~(1u << bit) - near);
    }
  }
  // Both sides of sqrt(2), where the series begins anew.
  for (int bit = 2; bit < 32; ++bit) {
    const auto middle = static_cast<std::uint32_t>(std::sqrt(0.5) * std::ldexp(1.0, bit));
    for (std::uint32_t word = middle - 2; word != middle + 3; ++word) expect_log(word);
  }
}

TEST(OrderedUniforms, HaveTheMeansOfOrderStatistics) {
  constexpr std::uint32_t count = 7;
  constexpr int trials = 40000;
  std::vector<double> mean(count), pooled;
  double last = 0.0;
  for (int trial = 0; trial < trials; ++trial) {
    const std::vector<double> batch = levels(count, static_cast<std::uint32_t>(trial));
    ASSERT_TRUE(std::is_sorted(batch.begin(), batch.end()));
    for (std::size_t i = 0; i < count; ++i) {
      pooled.push_back(-std::expm1(-batch[i]));
      mean[i] += pooled.back() / trials;
    }
    last += batch.back() / trials;
  }
  for (std::size_t i = 0; i < count; ++i) {
    // The beta distribution with i and n + 1 - i.
    const auto order = static_cast<double>(i + 1);
    const double variance =
        order * (count + 1 - order) / ((count + 1) * (count + 1) * (count + 2.0));
    EXPECT_WITHIN_SIGMA(mean[i], std::sqrt(variance / trials), order / (count + 1), 4) << i;
  }
  // The last level is a sum of exponential variates over n, n - 1, ..., 1.
  double expected = 0.0, variance = 0.0;
  for (std::uint32_t i = 1; i <= count; ++i) {
    expected += 1.0 / i;
    variance += 1.0 / (i * i);
  }
  EXPECT_WITHIN_SIGMA(last, std::sqrt(variance / trials), expected, 4);
  EXPECT_LT(distance_from_uniform(pooled), one_in_a_thousand);
}

TEST(OrderedUniforms, OfOneBatchAreUniform) {
  for (const std::uint32_t count : {1000u, 100000u}) {
    std::vector<double> values = levels(count, 0);
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    for (double& value : values) value = -std::expm1(-value);
    EXPECT_GT(values.front(), 0.0);
    EXPECT_LT(values.back(), 1.0);
    EXPECT_LT(distance_from_uniform(values), one_in_a_thousand) << count;
  }
}

TEST(OrderedUniforms, OneAloneIsAnExponentialVariate) {
  for (const std::uint32_t word : {0u, 1u, 12345u, 0x80000000u, ~0u}) {
    EXPECT_EQ(OrderedUniforms(1).next(word), static_cast<double>(exponential_variate(word)));
  }
}

TEST(OrderedUniforms, TheLastLevelIsFinite) {
  for (const std::uint32_t word : {0u, ~0u}) {
    OrderedUniforms ordered(1000);
    double last = -1.0;
    for (int i = 0; i < 1000; ++i) {
      const double level = ordered.next(word);
      ASSERT_GE(level, std::max(last, 0.0));
      last = level;
    }
    EXPECT_TRUE(std::isfinite(last));
  }
}

}  // namespace
}  // namespace ermine
