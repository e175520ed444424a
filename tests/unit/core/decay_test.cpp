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

}  // namespace
}  // namespace ermine
