#include "core/sin_cos.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace ermine {
namespace {

template <class Real>
class SinCosTest : public testing::Test {
 protected:
  static constexpr double error = sizeof(Real) == 8 ? 1e-15 : 2e-7;
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(SinCosTest, Reals);

TYPED_TEST(SinCosTest, AgreesWithTheLibraryInAllQuadrants) {
  using Real = TypeParam;
  constexpr int count = 100003;
  for (int i = 0; i <= count; ++i) {
    const Real u = static_cast<Real>(i) / count;
    const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(u);
    const SinCos<Real> found = sin_cos_of_turns(u);
    ASSERT_NEAR(found.sine, static_cast<double>(std::sin(angle)), this->error) << u;
    ASSERT_NEAR(found.cosine, static_cast<double>(std::cos(angle)), this->error) << u;
  }
}

TYPED_TEST(SinCosTest, IsExactAtQuarterTurns) {
  using Real = TypeParam;
  const Real sine[] = {0, 1, 0, -1, 0};
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const SinCos<Real> found = sin_cos_of_turns(Real(0.25) * static_cast<Real>(quarter));
    EXPECT_EQ(found.sine, sine[quarter]);
    EXPECT_EQ(found.cosine, sine[(quarter + 1) % 4]);
  }
}

/// What vanishes at a quarter turn keeps its digits beside it.
TYPED_TEST(SinCosTest, SmallValuesAreRelativelyRight) {
  using Real = TypeParam;
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const Real turn = Real(0.25) * static_cast<Real>(quarter);
    for (int power = 4; power < (sizeof(Real) == 8 ? 50 : 22); ++power) {
      for (const Real sign : {Real(-1), Real(1)}) {
        const Real u = turn + sign * std::ldexp(Real(1), -power);
        if (u < 0 || u > 1) continue;
        const double small =
            std::sin(2 * std::numbers::pi * (static_cast<double>(u) - static_cast<double>(turn)));
        const SinCos<Real> found = sin_cos_of_turns(u);
        const auto value = static_cast<double>(quarter % 2 == 0 ? found.sine : found.cosine);
        const bool flipped = quarter == 1 || quarter == 2;
        ASSERT_NEAR(value / (flipped ? -small : small), 1.0, this->error) << u;
      }
    }
  }
}

}  // namespace
}  // namespace ermine
