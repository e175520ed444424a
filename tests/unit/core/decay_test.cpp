#include "core/decay.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ermine {
namespace {

TEST(Decay, AgreesWithTheExponentialInDouble) {
  for (double x = 0; x < 707; x += 0.00731) {
    ASSERT_NEAR(decay(x) / std::exp(-x), 1.0, 1e-15) << x;
  }
}

TEST(Decay, AgreesWithTheExponentialInFloat) {
  for (float x = 0; x < 86; x += 0.00173f) {
    const double exact = std::exp(-static_cast<double>(x));
    ASSERT_NEAR(static_cast<double>(decay(x)) / exact, 1.0, 2.4e-7) << x;
  }
}

TEST(Decay, HasExactEnds) {
  EXPECT_EQ(decay(0.0), 1.0);
  EXPECT_EQ(decay(0.0f), 1.0f);
  EXPECT_EQ(decay(1e4), 0.0);
  EXPECT_EQ(decay(1e4f), 0.0f);
  EXPECT_EQ(decay(std::numeric_limits<double>::infinity()), 0.0);
}

TEST(Decay, HasAMeanWithoutCancellation) {
  EXPECT_EQ(mean_decay(0.0), 1.0);
  EXPECT_EQ(mean_decay(0.0f), 1.0f);
  for (double x = 1e-12; x < 700; x *= 1.07) {
    const double exact = -std::expm1(-x) / x;
    ASSERT_NEAR(mean_decay(x) / exact, 1.0, 1e-14) << x;
    const auto single = static_cast<float>(x);
    const double exact_single =
        -std::expm1(-static_cast<double>(single)) / static_cast<double>(single);
    ASSERT_NEAR(static_cast<double>(mean_decay(single)) / exact_single, 1.0, 3e-6) << x;
  }
}

}  // namespace
}  // namespace ermine
