#include "spectra/inverse_gaussian.hpp"

#include <ermine/spectral_table.hpp>

#include "support/spectra.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace ermine {
namespace {

using std::numbers::pi;

// The Laplace transform of the distribution.
using test::malkmus;

/// Integral over g of something of the exact quantile, by trapezoids in a variable s with
/// g = 1 / (1 + exp(-pi sinh s)), which no singularity at either end can disturb.
template <class Function>
double integral_over_g(double shape, const Function& of) {
  const double step = 1.0 / 64.0;
  double sum = 0.0;
  for (double s = -3.0; s <= 3.0; s += step) {
    const double g = 1.0 / (1.0 + std::exp(-pi * std::sinh(s)));
    sum += step * pi * std::cosh(s) * g * (1.0 - g) * of(inverse_gaussian_quantile(g, shape));
  }
  return sum;
}

TEST(InverseGaussian, CumulativeDistributionIsTheTextbookForm) {
  const auto normal = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  for (const double shape : {0.01, 0.3, 1.0, 7.0, 50.0}) {
    for (const double y : {0.01, 0.1, 0.5, 1.0, 1.5, 4.0, 30.0}) {
      const double root = std::sqrt(shape / y);
      const double expected =
          normal(root * (y - 1.0)) + std::exp(2.0 * shape) * normal(-root * (y + 1.0));
      EXPECT_NEAR(inverse_gaussian_cdf(y, shape).value, expected, 1e-12);
    }
  }
}

TEST(InverseGaussian, DerivativeIsTheSlopeOfTheDistribution) {
  for (const double shape : {1e-4, 0.1, 1.0, 100.0}) {
    for (const double y : {0.7, 0.95, 1.0, 1.1, 1.4}) {
      const double h = 1e-5;
      const double slope = (inverse_gaussian_cdf(y * std::exp(h), shape).value -
                            inverse_gaussian_cdf(y * std::exp(-h), shape).value) /
                           (2.0 * h);
      EXPECT_NEAR(inverse_gaussian_cdf(y, shape).derivative, slope, 1e-6 * (1.0 + slope));
    }
  }
}

TEST(InverseGaussian, NoShapeOverflows) {
  for (double shape = 1e-6; shape < 2e6; shape *= 10.0) {
    double last = 0.0;
    for (double y = 1e-8; y < 1e8; y *= 1.3) {
      const Slope f = inverse_gaussian_cdf(y, shape);
      ASSERT_TRUE(f.value >= 0.0 && f.value <= 1.0) << shape << ' ' << y;
      ASSERT_GE(f.value, last - 1e-15);
      ASSERT_TRUE(f.derivative >= 0.0 && std::isfinite(f.derivative));
      last = f.value;
    }
  }
}

TEST(InverseGaussian, QuantileInvertsTheDistribution) {
  for (double shape = 1e-6; shape < 2e6; shape *= 10.0) {
    double last = 0.0;
    for (const double g : {1e-9, 1e-4, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.9999, 0.9999999}) {
      const double y = inverse_gaussian_quantile(g, shape);
      ASSERT_GT(y, last);
      EXPECT_NEAR(inverse_gaussian_cdf(y, shape).value, g, 1e-12 * g) << shape;
      last = y;
    }
  }
}

TEST(InverseGaussian, QuantileOfADistributionAtIsTheArgument) {
  for (double shape = 1e-6; shape < 2e6; shape *= 10.0) {
    for (const double g : {0.01, 0.2, 0.5, 0.8, 0.99}) {
      const double y = inverse_gaussian_quantile(g, shape);
      const Slope f = inverse_gaussian_cdf(y, shape);
      const double rounding = std::numeric_limits<double>::epsilon() / f.derivative;
      EXPECT_NEAR(inverse_gaussian_quantile(f.value, shape) / y, 1.0, 1e-12 + 4.0 * rounding);
    }
  }
}

TEST(InverseGaussian, MeanIsOneAndTransmissivityThatOfMalkmus) {
  for (const double shape : {1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0}) {
    SCOPED_TRACE(shape);
    EXPECT_NEAR(integral_over_g(shape, [](double y) { return y; }), 1.0, 1e-6);
    for (const double depth : {1e-3, 0.1, 1.0, 10.0, 100.0}) {
      EXPECT_NEAR(integral_over_g(shape, [=](double y) { return std::exp(-depth * y); }),
                  malkmus(shape, depth), 1e-6);
    }
  }
}

TEST(InverseGaussian, SixteenSkewedPointsAreEnough) {
  const Quadrature quadrature = Quadrature::skewed(16);
  for (double shape = 1e-3; shape < 150.0; shape *= 2.0) {
    double mean = 0.0;
    for (std::size_t j = 0; j < quadrature.size(); ++j) {
      mean += quadrature.weight[j] * inverse_gaussian_quantile(quadrature.node[j], shape);
    }
    EXPECT_NEAR(mean, 1.0, 2.5e-4) << shape;
    for (double depth = 1e-3; depth < 1e4; depth *= 1.7) {
      double transmissivity = 0.0;
      for (std::size_t j = 0; j < quadrature.size(); ++j) {
        transmissivity += quadrature.weight[j] *
                          std::exp(-depth * inverse_gaussian_quantile(quadrature.node[j], shape));
      }
      EXPECT_NEAR(transmissivity, malkmus(shape, depth), 5e-4) << shape << ' ' << depth;
    }
  }
}

TEST(InverseGaussian, TabulatedQuantilesAgreeWithExactOnes) {
  const Quadrature quadrature = Quadrature::skewed(16);
  const InverseGaussianQuantiles quantiles(quadrature.node, 1e-6, 1e6);
  std::vector<double> y(quadrature.size());
  const auto expect_close = [&](double shape) {
    quantiles.evaluate(shape, y);
    for (std::size_t j = 0; j < y.size(); ++j) {
      EXPECT_NEAR(y[j] / inverse_gaussian_quantile(quadrature.node[j], shape), 1.0, 1e-8) << shape;
    }
  };
  for (double shape = 1e-6; shape < 1e6; shape *= 1.137) expect_close(shape);
  expect_close(1e6);
}

TEST(InverseGaussian, TableOfASingleShape) {
  const std::vector<double> nodes{0.25, 0.75};
  const InverseGaussianQuantiles quantiles(nodes, 0.5, 0.5);
  std::vector<double> y(2);
  quantiles.evaluate(0.5, y);
  EXPECT_NEAR(y[0], inverse_gaussian_quantile(0.25, 0.5), 1e-12);
  EXPECT_NEAR(y[1], inverse_gaussian_quantile(0.75, 0.5), 1e-12);
}

}  // namespace
}  // namespace ermine
