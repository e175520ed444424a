#include <ermine/planck.hpp>
#include <ermine/soot.hpp>

#include "support/problems.hpp"
#include "support/spectra.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ermine {
namespace {

constexpr double no_end = std::numeric_limits<double>::infinity();
constexpr double c2_of_planck = 1.438776877e-2;  ///< [m K]

/// Mean wavenumber [1/m] of the blackbody's light in a band, by the rule of rectangles.
double mean_wavenumber(double low_cm1, double high_cm1, double kelvin) {
  constexpr int parts = 200000;
  double light = 0.0;
  double sum = 0.0;
  for (int i = 0; i < parts; ++i) {
    const double wavenumber = 100 * (low_cm1 + (high_cm1 - low_cm1) * (i + 0.5) / parts);
    const double intensity =
        std::pow(wavenumber, 3) / std::expm1(c2_of_planck * wavenumber / kelvin);
    light += intensity;
    sum += intensity * wavenumber;
  }
  return sum / light;
}

TEST(Soot, ConstantIsThatOfTheRefractiveIndex) {
  EXPECT_NEAR(soot_constant(1.75, 1.03), 7.03, 0.005);
  EXPECT_NEAR(soot_constant(1.57, 0.56), 4.89, 0.01);
  EXPECT_EQ(soot_constant(1.5, 0.0), 0.0);
  test::expect_error([] { soot_constant(0, 1); }, {"refractive index of soot is 0 - 1 i"});
  test::expect_error([] { soot_constant(1.5, -1); }, {"1.5 - -1 i"});
}

TEST(Soot, AbsorbsInProportionToTheWavenumber) {
  for (const double wavenumber : {500.0, 3000.0, 12000.0}) {
    const Band narrow{wavenumber - 12.5, wavenumber + 12.5};
    EXPECT_NEAR(soot_absorption(narrow, 1500) / (7.0 * 100 * wavenumber), 1, 5e-4);
    EXPECT_NEAR(soot_absorption(narrow, 1500, 4.9) / (4.9 * 100 * wavenumber), 1, 5e-4);
  }
}

TEST(Soot, HasTheMeanOfABandOverItsLight) {
  for (const double kelvin : {300.0, 1000.0, 2400.0}) {
    for (const Band& band : {Band{0, 25}, Band{2000, 2100}, Band{500, 9000}, Band{0, 30000}}) {
      EXPECT_NEAR(
          soot_absorption(band, kelvin, 1.0) / mean_wavenumber(band.low_cm1, band.high_cm1, kelvin),
          1, 1e-7)
          << band.low_cm1 << " to " << band.high_cm1 << " 1/cm at " << kelvin << " K";
    }
    EXPECT_NEAR(soot_absorption({25000, no_end}, kelvin, 1.0) /
                    mean_wavenumber(25000, 25000 + 40 * kelvin, kelvin),
                1, 1e-7)
        << "beyond the last edge at " << kelvin << " K";
  }
}

TEST(Soot, PlanckMeanIsExact) {
  EXPECT_NEAR(soot_planck_mean(1500, 7.0) / (3.83 * 7.0 * 1500 / c2_of_planck), 1, 1e-3);
  // All of the spectrum as one band.
  for (const double kelvin : {300.0, 1500.0}) {
    EXPECT_NEAR(soot_absorption({0, no_end}, kelvin) / soot_planck_mean(kelvin), 1, 1e-9);
  }
}

void expect_all_of_the_spectrum(const std::vector<Band>& bands) {
  EXPECT_EQ(bands.front().low_cm1, 0.0);
  for (std::size_t b = 1; b < bands.size(); ++b) {
    EXPECT_EQ(bands[b].low_cm1, bands[b - 1].high_cm1);
    EXPECT_GT(bands[b].high_cm1, bands[b].low_cm1);
  }
  EXPECT_EQ(bands.back().high_cm1, no_end);
}

TEST(Soot, BandsFillWhatGasesLeave) {
  const auto alone = soot_bands({});
  expect_all_of_the_spectrum(alone);
  EXPECT_LT(alone.size(), 120u);
  EXPECT_EQ(alone.back().low_cm1, 25000.0);
  const std::vector<Band> gas{{37.5, 62.5}, {62.5, 87.5}, {2000, 2025}};
  std::vector<Band> all = soot_bands(gas);
  all.insert(all.end(), gas.begin(), gas.end());
  std::sort(all.begin(), all.end(),
            [](const Band& a, const Band& b) { return a.low_cm1 < b.low_cm1; });
  expect_all_of_the_spectrum(all);
  expect_all_of_the_spectrum({{0, 1e5}, soot_bands({{0, 1e5}})[0]});
}

/// What bands of one k emit together is what the Planck mean says.
TEST(Soot, BandsEmitWhatSootEmits) {
  for (const double kelvin : {300.0, 800.0, 1500.0, 2400.0, 5000.0}) {
    double emission = 0.0;
    for (const Band& band : soot_bands({{2000, 2500}})) {
      emission += soot_absorption(band, kelvin) * planck_intensity(band, kelvin);
    }
    emission += soot_absorption({2000, 2500}, kelvin) * planck_intensity({2000, 2500}, kelvin);
    EXPECT_NEAR(emission / (soot_planck_mean(kelvin) * test::intensity(kelvin)), 1, 1e-8);
  }
}

TEST(Soot, RefusesWhatIsNone) {
  test::expect_error([] { soot_absorption({0, 25}, 0); }, {"soot has a temperature of 0 K"});
  test::expect_error([] { soot_absorption({25, 25}, 300); }, {"25 to 25 1/cm is not a band"});
  test::expect_error([] { soot_planck_mean(300, -1); }, {"the constant of soot is -1"});
}

}  // namespace
}  // namespace ermine
