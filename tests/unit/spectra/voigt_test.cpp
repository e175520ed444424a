#include "spectra/voigt.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace ermine {
namespace {

using std::numbers::pi;
constexpr double ln2 = std::numbers::ln2;

double lorentz(double d, double w) { return w / (pi * (d * d + w * w)); }
double doppler(double d, double w) {
  return std::sqrt(ln2 / pi) / w * std::exp(-ln2 * d * d / (w * w));
}

TEST(Voigt, TendsToLorentz) {
  for (const double d : {0.0, 0.03, 0.1, 1.0, 20.0}) {
    EXPECT_NEAR(voigt_profile(d, {0.1, 1e-6}) / lorentz(d, 0.1), 1.0, 1e-9) << d;
  }
}

TEST(Voigt, TendsToDoppler) {
  for (const double d : {0.0, 0.03, 0.1, 0.2}) {
    EXPECT_NEAR(voigt_profile(d, {1e-10, 0.1}) / doppler(d, 0.1), 1.0, 1e-7) << d;
  }
}

TEST(Voigt, HasAreaOne) {
  for (const HalfWidths width :
       {HalfWidths{0.1, 0.001}, HalfWidths{0.05, 0.05}, HalfWidths{0.001, 0.1}}) {
    const double step = 1e-3 / 4;
    const int count = 160'001;
    std::vector<double> profile(count, 0.0);
    add_voigt(1.0, width, -20.0, step, profile);
    double slow = 0.0;
    double fast = 0.0;
    for (int i = 0; i < count; ++i) {
      slow += step * voigt_profile(-20 + step * i, width);
      fast += step * profile[i];
    }
    const double beyond = 1 - 2 / pi * std::atan(20 / width.lorentz_cm1);
    EXPECT_NEAR(slow + beyond, 1.0, 1e-6);
    EXPECT_NEAR(fast + beyond, 1.0, 1e-6);
  }
}

TEST(Voigt, FallsToHalfAtItsHalfWidth) {
  for (const double lorentz_cm1 : {0.0, 0.01, 0.03, 0.1, 1.0}) {
    const HalfWidths width{lorentz_cm1, 0.03};
    const double half = voigt_half_width_cm1(width);
    EXPECT_NEAR(voigt_profile(half, width) / voigt_profile(0, width), 0.5, 5e-4) << lorentz_cm1;
  }
}

TEST(Voigt, FastIsExactToOneInAMillion) {
  double worst = 0.0;
  // From nearly no collisions, as in a vacuum, to nothing but collisions.
  for (double exponent = -12; exponent <= 5; exponent += 0.25) {
    const HalfWidths width{0.01 * std::pow(10, exponent), 0.01};
    for (const double first : {-0.5, -0.0503, 0.0, 0.07, 24.0}) {
      std::vector<double> sum(997, 0.0);
      add_voigt(1.0, width, first, 0.001, sum);
      for (std::size_t i = 0; i < sum.size(); ++i) {
        const double exact = voigt_profile(first + 0.001 * static_cast<double>(i), width);
        worst = std::max(worst, std::abs(sum[i] / exact - 1));
      }
    }
  }
  EXPECT_LT(worst, 1e-6);
}

TEST(Voigt, ExtremeWidthsStayFinite) {
  for (const double lorentz_cm1 : {0.0, 1e-300, 1e-20, 1.0, 1e40}) {
    for (const double doppler_cm1 : {1e-300, 1e-20, 1.0, 1e40}) {
      std::vector<double> sum(5, 0.0);
      add_voigt(1.0, {lorentz_cm1, doppler_cm1}, -2e6, 1e6, sum);
      for (const double k : sum) EXPECT_TRUE(k >= 0 && std::isfinite(k));
      if (lorentz_cm1 == 1.0 && doppler_cm1 < 1) {
        EXPECT_NEAR(sum[0] / lorentz(2e6, 1.0), 1, 1e-9);
        EXPECT_NEAR(sum[2] / lorentz(0, 1.0), 1, 1e-9);
      }
    }
  }
}

TEST(Voigt, IsAddedWithItsFactor) {
  const HalfWidths width{0.02, 0.005};
  std::vector<double> sum(3, 7.0);
  add_voigt(2.0, width, -0.1, 0.1, sum);
  EXPECT_NEAR(sum[0], 7 + 2 * voigt_profile(0.1, width), 1e-5);
  EXPECT_NEAR(sum[1], 7 + 2 * voigt_profile(0.0, width), 1e-12);
  EXPECT_NEAR(sum[2], 7 + 2 * voigt_profile(0.1, width), 1e-5);
  add_voigt(2.0, width, 0.0, 0.1, {});
}

}  // namespace
}  // namespace ermine
