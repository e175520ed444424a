#include "error_score.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

/// The arithmetic behind `ermine bench error`: errors against a reference, honesty of error bars.
namespace ermine::cli {
namespace {

constexpr std::size_t scored_cells = 20'000;

/// Fields about 100 cos(i), with noise that is known.
class Noisy {
 public:
  /// `alike`: neighbours whose noise is the same.
  Result result(double noise, double bias, std::size_t alike = 1) {
    Result made;
    double drawn = 0.0;
    for (std::size_t i = 0; i < scored_cells; ++i) {
      if (i % alike == 0) drawn = normal_(generator_);
      made.flux_divergence.push_back(exact(i) + bias + noise * drawn);
      made.standard_error.push_back(noise);
    }
    return made;
  }
  Reference reference(double noise, std::size_t alike = 1) {
    return average_periods(result(noise, 0.0, alike), scored_cells, scored_cells);
  }

  static double exact(std::size_t i) { return 100 * std::sqrt(2.0) * std::cos(double(i)); }

 private:
  std::mt19937_64 generator_{7};
  std::normal_distribution<double> normal_;
};

TEST(ErrorScore, IsInUnitsOfTheRootMeanSquare) {
  Noisy noisy;
  const Reference reference = noisy.reference(0.0);
  EXPECT_NEAR(reference.rms(), 100, 0.1);
  const Score found = score(noisy.result(0.0, 3.0), reference);
  EXPECT_NEAR(found.error, 0.03, 1e-4);
  EXPECT_NEAR(found.bias(), 0.03, 1e-4);
  EXPECT_EQ(found.standard_error, 0.0);
  EXPECT_TRUE(found.bias_seen());
}

/// The reference is noisier than the solution: neither its error nor its bias may show it.
TEST(ErrorScore, LeavesOutTheNoiseOfTheReference) {
  Noisy noisy;
  const Reference reference = noisy.reference(10.0);
  EXPECT_NEAR(reference.rms(), 100, 0.5);
  EXPECT_NEAR(reference.relative_standard_error(), 0.1, 1e-3);
  const Score found = score(noisy.result(4.0, 3.0), reference);
  EXPECT_NEAR(found.error, 0.05, 0.003);
  EXPECT_NEAR(found.standard_error, 0.04, 1e-3);
  EXPECT_NEAR(found.bias(), 0.03, 0.005);
  EXPECT_TRUE(found.bias_seen());
}

/// At the edge of what the reference can tell, the squared error is known to a quarter, even if
/// errors of the cells of a tile are the same.
TEST(ErrorScore, IsTrueWhereTheReferenceCanTell) {
  Noisy noisy;
  constexpr int repetitions = 100;
  double deviation = 0.0;
  for (int i = 0; i < repetitions; ++i) {
    const Reference reference = noisy.reference(10.0, 32);
    const double error = reference.smallest_error();
    const Score found = score(noisy.result(0.0, 100 * error), reference);
    deviation += std::pow(std::pow(found.error / error, 2) - 1, 2) / repetitions;
  }
  EXPECT_NEAR(std::sqrt(deviation), 0.25, 0.07);
}

/// Without a bias its square is zero within its own error bar, and three times that is hardly ever
/// exceeded.
TEST(ErrorScore, KnowsABiasFromNoise) {
  Noisy noisy;
  int seen = 0;
  for (int i = 0; i < 50; ++i) {
    const Score found = score(noisy.result(4.0, 0.0), noisy.reference(2.0));
    EXPECT_LT(std::abs(found.squared_bias.value), 4 * found.squared_bias.standard_error);
    if (found.bias_seen()) ++seen;
  }
  EXPECT_LE(seen, 1);
}

TEST(ErrorScore, NeverFallsBelowZero) {
  Noisy noisy;
  Reference reference = noisy.reference(0.0);
  const Score found = score(noisy.result(0.0, 0.0), reference);
  EXPECT_EQ(found.error, 0.0);
  EXPECT_EQ(found.bias(), 0.0);
  for (double& error : reference.standard_error) error = 1.0;
  EXPECT_EQ(score(noisy.result(0.0, 0.0), reference).error, 0.0);
}

TEST(ErrorScore, OfAProfileAveragesAcross) {
  Result result;
  result.flux_divergence = {1, 10, 3, 20, 5, 30};
  result.standard_error = {3, 3, 3, 6, 3, 6};
  const Reference reference = average_periods(result, 2, 4);
  EXPECT_EQ(reference.q, (std::vector<double>{3, 20, 3, 20}));
  ASSERT_EQ(reference.standard_error.size(), 4u);
  EXPECT_DOUBLE_EQ(reference.standard_error[0], std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(reference.standard_error[3], 3.0);
}

TEST(ErrorScore, OfAFieldTakesErrorsAsTheyAre) {
  Result result;
  result.flux_divergence = {1, 10};
  result.standard_error = {3, 6};
  result.tile_correlation = 0.5;
  EXPECT_EQ(average_periods(result, 2, 2).standard_error, (std::vector<double>{3, 6}));
  EXPECT_DOUBLE_EQ(average_periods(result, 1, 1).standard_error[0], std::sqrt(3.0 * 45 / 4));
}

TEST(ErrorScore, GivesUpOnlyWhereTheBiasIsCertain) {
  const auto with = [](double bias, double noise, double uncertainty) {
    return Score{std::hypot(bias, noise), noise, {bias * bias, uncertainty}};
  };
  EXPECT_TRUE(out_of_reach(with(0.02, 0.004, 1e-4), 0.01));
  EXPECT_FALSE(out_of_reach(with(0.009, 0.004, 1e-6), 0.01));  // a few more rays will do
  EXPECT_FALSE(out_of_reach(with(0.02, 0.008, 2e-4), 0.01));   // too noisy to tell
  EXPECT_TRUE(out_of_reach(with(0.02, 0.008, 5e-5), 0.01));
  EXPECT_FALSE(out_of_reach(with(0.05, 0.03, 1e-5), 0.01));  // much noise, of which little is known
}

/// Solutions with noise of 2 that report an error of `reported`.
Calibration calibrated(double reported, int seeds) {
  Noisy noisy;
  Calibration calibration;
  for (int i = 0; i < seeds; ++i) {
    Result result = noisy.result(2.0, 0.0);
    for (double& error : result.standard_error) error = reported;
    calibration.add(result);
  }
  return calibration;
}

TEST(Calibration, FindsHonestErrorBarsHonest) {
  for (const int seeds : {3, 10}) {
    EXPECT_NEAR(calibrated(2.0, seeds).ratio(), 1.0, 0.01) << seeds;
    EXPECT_NEAR(calibrated(2.0, seeds).within_two(), 0.9545, 0.005) << seeds;
  }
}

TEST(Calibration, FindsErrorBarsThatAreTooShort) {
  EXPECT_NEAR(calibrated(1.0, 10).ratio(), 0.5, 0.01);
  EXPECT_NEAR(calibrated(1.0, 10).within_two(), 0.6827, 0.01);
}

}  // namespace
}  // namespace ermine::cli
