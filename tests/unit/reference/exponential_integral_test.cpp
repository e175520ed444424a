#include "reference/exponential_integral.hpp"

#include "reference/quadrature.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace ermine::reference {
namespace {

struct Tabulated {
  double x;
  std::array<double, 4> value;  ///< E_1 to E_4
};

// Abramowitz & Stegun 5.1.11 and 5.1.14 summed with 120 digits; their tables 5.1 and 5.4 agree as
// far as they go.
constexpr std::array<Tabulated, 11> table{{
    {1e-10,
     {2.24486352651389254e+01, 9.99999997655136474e-01, 4.99999999899999992e-01,
      3.33333333283333311e-01}},
    {0.001,
     {6.33153936413614904e+00, 9.92668960469238804e-01, 4.99003915436452894e-01,
      3.32833831972646155e-01}},
    {0.1,
     {1.82292395841939059e+00, 7.22545022194020503e-01, 4.16291457908278761e-01,
      2.87736090748377249e-01}},
    {0.5,
     {5.59773594776160843e-01, 3.26643862324553003e-01, 2.21604364275178461e-01,
      1.65242825858348069e-01}},
    {1.0,
     {2.19383934395520286e-01, 1.48495506775922048e-01, 1.09691967197760143e-01,
      8.60624913245607304e-02}},
    {1.0000000001,
     {2.19383934358732324e-01, 1.48495506753983653e-01, 1.09691967182910591e-01,
      8.60624913135915326e-02}},
    {1.25,
     {1.46413372525910190e-01, 1.03488081202802382e-01, 7.85723476783435626e-02,
      6.27631207540868818e-02}},
    {2.0,
     {4.89005107080611179e-02, 3.75342618204904527e-02, 3.01333797978158915e-02,
      2.50228412136603018e-02}},
    {5.0,
     {1.14829559127532571e-03, 9.96469042708838029e-04, 8.77800892770638319e-04,
      7.82980845077425208e-04}},
    {10.0,
     {4.15696892968532464e-06, 3.83024046563160866e-06, 3.54876255308438208e-06,
      3.30410141054701057e-06}},
    {50.0,
     {3.78326402955045910e-24, 3.71178331886882723e-24, 3.64290942647520512e-24,
      3.57650449087717625e-24}},
}};

TEST(ExponentialIntegral, AgreesWithTable) {
  for (const Tabulated& row : table) {
    for (int n = 1; n <= 4; ++n) {
      const double exact = row.value[static_cast<std::size_t>(n - 1)];
      EXPECT_NEAR(exponential_integral(n, row.x) / exact, 1.0, 1e-14) << n << ' ' << row.x;
    }
  }
}

TEST(ExponentialIntegral, SlopeIsMinusTheOrderBelow) {
  for (const double x : {0.01, 0.3, 0.9, 1.1, 4.0, 30.0}) {
    for (int n = 2; n <= 4; ++n) {
      const double step = 1e-4 * x;
      const double slope =
          (exponential_integral(n, x + step) - exponential_integral(n, x - step)) / (2.0 * step);
      EXPECT_NEAR(slope / exponential_integral(n - 1, x), -1.0, 3e-6) << n << ' ' << x;
    }
  }
}

TEST(ExponentialIntegral, SatisfiesRecurrence) {
  for (double x = 0.05; x < 20.0; x *= 1.3) {
    for (int n = 1; n <= 3; ++n) {
      const double terms = n * exponential_integral(n + 1, x) + x * exponential_integral(n, x);
      EXPECT_NEAR(terms * std::exp(x), 1.0, 1e-14) << n << ' ' << x;
    }
  }
}

TEST(ExponentialIntegral, IsIntegralOverCosines) {
  const Quadrature cosines = gauss_legendre(60, 0.0, 1.0);
  const double x = 0.7;
  for (int n = 1; n <= 4; ++n) {
    double sum = 0.0;
    for (std::size_t i = 0; i < cosines.nodes.size(); ++i) {
      sum +=
          cosines.weights[i] * std::pow(cosines.nodes[i], n - 2) * std::exp(-x / cosines.nodes[i]);
    }
    EXPECT_NEAR(exponential_integral(n, x), sum, 1e-9) << n;
  }
}

TEST(ExponentialIntegral, HasLimits) {
  EXPECT_EQ(exponential_integral(1, 0.0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(exponential_integral(2, 0.0), 1.0);
  EXPECT_EQ(exponential_integral(3, 0.0), 0.5);
  EXPECT_EQ(exponential_integral(4, 0.0), 1.0 / 3.0);
  EXPECT_EQ(exponential_integral(3, 1e5), 0.0);
  EXPECT_EQ(exponential_integral(1, std::numeric_limits<double>::infinity()), 0.0);
}

TEST(ExponentialIntegral, RejectsArgumentsOutOfRange) {
  EXPECT_THROW(exponential_integral(0, 1.0), std::domain_error);
  EXPECT_THROW(exponential_integral(5, 1.0), std::domain_error);
  EXPECT_THROW(exponential_integral(2, -1e-3), std::domain_error);
  EXPECT_THROW(exponential_integral(2, std::nan("")), std::domain_error);
}

TEST(GaussLegendre, IsExactForPolynomials) {
  for (const int count : {1, 2, 5, 24, 64}) {
    const Quadrature rule = gauss_legendre(count, -1.0, 3.0);
    for (const int degree : {0, 1, 2 * count - 1}) {
      double sum = 0.0;
      for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
        sum += rule.weights[i] * std::pow(rule.nodes[i] / 3.0, degree);
      }
      const double exact =
          3.0 * (1.0 - std::pow(-1.0 / 3.0, degree + 1)) / static_cast<double>(degree + 1);
      EXPECT_NEAR(sum, exact, 1e-13) << count << ' ' << degree;
    }
  }
}

TEST(GaussLegendre, RejectsEmptyRule) {
  EXPECT_THROW(gauss_legendre(0, 0.0, 1.0), std::invalid_argument);
}

}  // namespace
}  // namespace ermine::reference
