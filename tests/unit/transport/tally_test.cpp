#include "transport/ray/tally.hpp"

#include "sampling/ray_stream.hpp"
#include "support/statistics.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ermine {
namespace {

/// Scores in batches of the given sizes.
Tally tally_of(const std::vector<double>& scores, const std::vector<std::size_t>& batches) {
  Tally tally;
  std::size_t first = 0;
  for (const std::size_t count : batches) {
    double sum = 0.0, squares = 0.0;
    for (std::size_t i = first; i < first + count; ++i) {
      sum += scores[i];
      squares += scores[i] * scores[i];
    }
    tally.add_batch(static_cast<std::int64_t>(count), sum, squares);
    first += count;
  }
  return tally;
}

TEST(Tally, BatchesOfAnySizeGiveTheTwoPassFormula) {
  for (const double offset : {0.0, 10.0, -1000.0}) {
    std::vector<double> scores;
    for (std::uint32_t i = 0; i < 1000; ++i) {
      scores.push_back(offset + RayStream({9, 0, 0, i}).next().uniform<double>(0));
    }
    const double mean = test::mean(scores);
    const double error = test::standard_deviation(scores) / std::sqrt(1000.0);
    for (const std::vector<std::size_t>& batches :
         std::vector<std::vector<std::size_t>>{{1000},
                                               {500, 500},
                                               {1, 999},
                                               {999, 1},
                                               {3, 70, 1, 26, 600, 300},
                                               std::vector<std::size_t>(1000, 1)}) {
      const Tally tally = tally_of(scores, batches);
      EXPECT_NEAR(tally.mean(), mean, 1e-13 * (1 + std::abs(mean)));
      // Squares about zero lose the digits that the offset has more than the spread.
      EXPECT_NEAR(tally.standard_error() / error, 1.0, 1e-12 * (1 + offset * offset));
    }
  }
}

TEST(Tally, EqualScoresHaveNoError) {
  for (const double score : {0.0, 0.1, -1e5 / 3}) {
    const std::vector<double> scores(1000, score);
    for (const std::vector<std::size_t>& batches :
         std::vector<std::vector<std::size_t>>{{1000}, {7, 993}, {300, 200, 500}}) {
      const Tally tally = tally_of(scores, batches);
      EXPECT_NEAR(tally.mean(), score, 1e-13 * std::abs(score));
      // Rounding of the sum of squares, 1e-13 of it at most, over the root of the rays.
      EXPECT_LE(tally.standard_error(), std::sqrt(1e-13 / 1000) * std::abs(score));
    }
  }
}

TEST(Tally, StandardErrorOfUnequalBatchesIsUnbiased) {
  // Batches of 1 to 5 values each: the mean of SE^2 over many tallies is the variance of
  // the mean.
  double squares = 0, means = 0, means_square = 0;
  constexpr int tallies = 20000;
  for (int t = 0; t < tallies; ++t) {
    std::vector<double> scores;
    for (std::uint32_t i = 0; i < 21; ++i) {
      scores.push_back(
          RayStream({5, 0, static_cast<std::uint32_t>(t), i}).next().uniform<double>(0));
    }
    const Tally tally = tally_of(scores, {1, 2, 3, 4, 5, 1, 2, 3});
    squares += tally.standard_error() * tally.standard_error() / tallies;
    means += tally.mean() / tallies;
    means_square += tally.mean() * tally.mean() / tallies;
  }
  const double variance = 1.0 / 12 / 21;
  EXPECT_NEAR(squares / variance, 1.0, 0.02);
  EXPECT_NEAR((means_square - means * means) / variance, 1.0, 0.04);
}

TEST(Tally, KnowsNothingOfTheErrorOfOneRay) {
  Tally tally;
  EXPECT_TRUE(std::isinf(tally.standard_error()));
  tally.add_batch(1, 3.0, 9.0);
  EXPECT_EQ(tally.mean(), 3.0);
  EXPECT_TRUE(std::isinf(tally.standard_error()));
}

}  // namespace
}  // namespace ermine
