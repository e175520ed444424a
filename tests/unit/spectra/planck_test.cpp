#include <ermine/error.hpp>
#include <ermine/planck.hpp>

#include "core/constants.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ermine {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double blackbody(double kelvin) {
  return constants::stefan_boltzmann / constants::pi * std::pow(kelvin, 4);
}

/// Simpson's rule in long double, of Planck's law as textbooks write it.
double brute_force(const Band& band, double kelvin) {
  const long double h = 6.62607015e-34L;
  const long double c = 299792458.0L;
  const long double boltzmann = 1.380649e-23L;
  const auto planck = [&](long double wavenumber) {
    if (wavenumber == 0.0L) return 0.0L;
    return 2.0L * h * c * c * wavenumber * wavenumber * wavenumber /
           std::expm1(h * c * wavenumber / (boltzmann * kelvin));
  };
  const long double low = 100.0L * band.low_cm1;
  const long double high = 100.0L * band.high_cm1;
  const int intervals = 4000;
  const long double step = (high - low) / intervals;
  long double sum = planck(low) + planck(high);
  for (int i = 1; i < intervals; ++i) sum += (i % 2 == 1 ? 4.0L : 2.0L) * planck(low + i * step);
  return static_cast<double>(sum * step / 3.0L);
}

TEST(Planck, FractionsOfTheTextbookTable) {
  // Fractions below a wavelength times temperature [um K] (Modest, Radiative Heat Transfer, 3rd
  // edition, Appendix C).
  struct {
    double wavelength_temperature, fraction;
  } const rows[]{{1000, 0.00032}, {2000, 0.06673}, {3000, 0.27323},
                 {4000, 0.48087}, {6000, 0.73779}, {10000, 0.91416}};
  for (const auto& row : rows) {
    const double kelvin = 1000.0;
    const double wavenumber_cm1 = 1e4 / (row.wavelength_temperature / kelvin);
    EXPECT_NEAR(1.0 - planck_fraction_below(wavenumber_cm1, kelvin), row.fraction, 1.1e-5);
  }
}

TEST(Planck, BandsAgreeWithBruteForce) {
  for (const double kelvin : {5.0, 77.0, 300.0, 1000.0, 5000.0}) {
    for (const double low : {0.0, 0.5, 10.0, 300.0, 1500.0, 2780.0, 10000.0}) {
      for (const double width : {0.01, 1.0, 25.0, 100.0, 1000.0}) {
        const Band band{low, low + width};
        const double expected = brute_force(band, kelvin);
        if (expected < 1e-290) continue;
        // Simpson's error falls with (step / (T / c2))^4.
        if (1.44 * width / kelvin > 20.0) continue;
        EXPECT_NEAR(planck_intensity(band, kelvin) / expected, 1.0, 1e-10)
            << low << " + " << width << " 1/cm at " << kelvin << " K";
      }
    }
  }
}

TEST(Planck, VeryNarrowBandsKeepTheirDigits) {
  for (const double low : {0.01, 700.0, 20000.0}) {
    const Band band{low, low + 1e-4};
    EXPECT_NEAR(planck_intensity(band, 3000.0) / brute_force(band, 3000.0), 1.0, 1e-10) << low;
  }
}

TEST(Planck, NarrowBandsAddUpToWideOnes) {
  for (const double kelvin : {50.0, 300.0, 1000.0, 4000.0}) {
    for (const double low : {0.0, 900.0, 2700.0}) {
      double sum = 0.0;
      for (int i = 0; i < 20000; ++i) {
        sum += planck_intensity({low + 0.05 * i, low + 0.05 * (i + 1)}, kelvin);
      }
      EXPECT_NEAR(sum / planck_intensity({low, low + 1000.0}, kelvin), 1.0, 1e-10);
    }
  }
}

TEST(Planck, WholeSpectrumIsStefanBoltzmann) {
  for (const double kelvin : {3.0, 300.0, 1000.0, 2500.0}) {
    double sum = 0.0;
    for (int i = 0; i < 40000; ++i) sum += planck_intensity({25.0 * i, 25.0 * (i + 1)}, kelvin);
    EXPECT_NEAR(sum / blackbody(kelvin), 1.0, 1e-9) << kelvin << " K";
    EXPECT_NEAR(planck_intensity({0.0, infinity}, kelvin) / blackbody(kelvin), 1.0, 1e-9);
  }
}

TEST(Planck, FractionIsTheShareOfTheIntensity) {
  double last = 0.0;
  for (double wavenumber = 1.0; wavenumber < 2e4; wavenumber *= 1.1) {
    const double fraction = planck_fraction_below(wavenumber, 800.0);
    EXPECT_NEAR(fraction, planck_intensity({0.0, wavenumber}, 800.0) / blackbody(800.0), 1e-9);
    EXPECT_GT(fraction, last);
    last = fraction;
  }
  EXPECT_EQ(planck_fraction_below(0.0, 800.0), 0.0);
  EXPECT_NEAR(planck_fraction_below(1e6, 800.0), 1.0, 1e-15);
}

TEST(Planck, ColdAndFarLimitsAreQuietZeros) {
  EXPECT_EQ(planck_intensity({100.0, 125.0}, 0.0), 0.0);
  EXPECT_EQ(planck_intensity({100.0, 125.0}, 1e-300), 0.0);
  EXPECT_EQ(planck_intensity({0.0, 25.0}, std::numeric_limits<double>::denorm_min()), 0.0);
  EXPECT_EQ(planck_intensity({1e6, 1e6 + 25.0}, 300.0), 0.0);
  EXPECT_EQ(planck_intensity({100.0, 100.0}, 300.0), 0.0);
  EXPECT_EQ(planck_fraction_below(100.0, 0.0), 1.0);
  EXPECT_EQ(planck_fraction_below(100.0, 1e-300), 1.0);
}

TEST(Planck, RefusesWhatIsNoBandOrTemperature) {
  EXPECT_THROW(planck_intensity({100.0, 125.0}, -1.0), Error);
  EXPECT_THROW(planck_intensity({100.0, 125.0}, std::nan("")), Error);
  EXPECT_THROW(planck_intensity({125.0, 100.0}, 300.0), Error);
  EXPECT_THROW(planck_intensity({-1.0, 100.0}, 300.0), Error);
  EXPECT_THROW(planck_fraction_below(-1.0, 300.0), Error);
}

}  // namespace
}  // namespace ermine
