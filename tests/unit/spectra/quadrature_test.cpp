#include <ermine/error.hpp>
#include <ermine/spectral_table.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ermine {
namespace {

double integral_of_power(const Quadrature& quadrature, double power) {
  double sum = 0.0;
  for (std::size_t i = 0; i < quadrature.size(); ++i) {
    sum += quadrature.weight[i] * std::pow(quadrature.node[i], power);
  }
  return sum;
}

void expect_rule(const Quadrature& quadrature, int points) {
  ASSERT_EQ(quadrature.size(), static_cast<std::size_t>(points));
  ASSERT_EQ(quadrature.weight.size(), quadrature.size());
  EXPECT_NEAR(std::accumulate(quadrature.weight.begin(), quadrature.weight.end(), 0.0), 1.0, 1e-13);
  EXPECT_GT(*std::ranges::min_element(quadrature.weight), 0.0);
  EXPECT_GT(quadrature.node.front(), 0.0);
  EXPECT_LT(quadrature.node.back(), 1.0);
  EXPECT_EQ(std::ranges::adjacent_find(quadrature.node, std::greater_equal{}),
            quadrature.node.end());
}

TEST(Quadrature, EveryRuleHasIncreasingNodesAndWeightsThatAddUpToOne) {
  for (const int points : {1, 2, 3, 16, 256, 1000}) {
    SCOPED_TRACE(points);
    expect_rule(Quadrature::gauss_legendre(points), points);
    if (points <= 256) expect_rule(Quadrature::skewed(points), points);
    expect_rule(Quadrature::equal_parts(points), points);
  }
}

TEST(Quadrature, GaussLegendreIsExactForPolynomialsUpToTwiceItsPoints) {
  for (const int points : {1, 2, 5, 16}) {
    const Quadrature quadrature = Quadrature::gauss_legendre(points);
    for (int power = 0; power < 2 * points; ++power) {
      EXPECT_NEAR(integral_of_power(quadrature, power), 1.0 / (power + 1), 1e-14)
          << points << " points, power " << power;
    }
  }
}

TEST(Quadrature, SkewedIntegratesTheSingularityOfLargeK) {
  // (1 - g)^(-1/3) is 1 / (1 - u) there, which the weight turns into a polynomial.
  const Quadrature quadrature = Quadrature::skewed(4);
  double sum = 0.0;
  for (std::size_t i = 0; i < quadrature.size(); ++i) {
    sum += quadrature.weight[i] / std::cbrt(1.0 - quadrature.node[i]);
  }
  EXPECT_NEAR(sum, 1.5, 1e-13);
}

TEST(Quadrature, EqualPartsHaveTheirMiddles) {
  const Quadrature quadrature = Quadrature::equal_parts(4);
  EXPECT_EQ(quadrature.node, (std::vector<double>{0.125, 0.375, 0.625, 0.875}));
  EXPECT_EQ(quadrature.weight, std::vector<double>(4, 0.25));
}

TEST(Quadrature, RefusesNumbersOfPointsItCannotHave) {
  EXPECT_THROW(Quadrature::gauss_legendre(0), Error);
  EXPECT_THROW(Quadrature::gauss_legendre(1001), Error);
  EXPECT_THROW(Quadrature::skewed(-1), Error);
  EXPECT_THROW(Quadrature::skewed(257), Error);
  EXPECT_THROW(Quadrature::equal_parts(0), Error);
}

}  // namespace
}  // namespace ermine
