#include <ermine/gas_properties.hpp>
#include <ermine/narrow_band.hpp>
#include <ermine/planck.hpp>

#include "core/constants.hpp"
#include "support/gas.hpp"
#include "support/spectra.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace ermine {
namespace {

using test::atmosphere;

/// Bands of equal width from `low`, each grey with its own k [1/m] that grows with temperature.
SpectralTable grey_bands(const std::string& gas, double low, const std::vector<float>& k) {
  SpectralTable table;
  table.gas = gas;
  table.pressure = atmosphere;
  table.quadrature = Quadrature::gauss_legendre(2);
  table.temperature = {500.0, 1500.0};
  for (std::size_t b = 0; b < k.size(); ++b) {
    const double edge = low + 1000.0 * static_cast<double>(b);
    table.bands.push_back({edge, edge + 1000.0});
    for (int j = 0; j < 2; ++j) {
      table.absorption.push_back(k[b]);
      table.absorption.push_back(3.0F * k[b]);
    }
  }
  return table;
}

double share(const Band& band, double kelvin) {
  return planck_intensity(band, kelvin) * constants::pi /
         (constants::stefan_boltzmann * std::pow(kelvin, 4));
}

TEST(GasProperties, OfGreyBandsAreKnown) {
  const auto table = grey_bands("A", 1000.0, {0.5F, 2.0F});
  const double kelvin = 1000.0;  // half way: twice the k of 500 K
  const double first = share({1000, 2000}, kelvin);
  const double second = share({2000, 3000}, kelvin);
  EXPECT_NEAR(planck_mean(table, kelvin), 1.0 * first + 4.0 * second, 1e-9);
  EXPECT_NEAR(transmissivity(table, 1, kelvin, 0.3), std::exp(-1.2), 1e-12);
  EXPECT_NEAR(emissivity(table, kelvin, 0.3),
              first * (1.0 - std::exp(-0.3)) + second * (1.0 - std::exp(-1.2)), 1e-9);
  EXPECT_EQ(emissivity(table, kelvin, 0.0), 0.0);
}

TEST(GasProperties, ThinColumnsEmitWithThePlanckMean) {
  const auto table = grey_bands("A", 1000.0, {0.5F, 2.0F});
  EXPECT_NEAR(emissivity(table, 800.0, 1e-12) / 1e-12, planck_mean(table, 800.0), 1e-9);
}

TEST(GasProperties, MixtureMultipliesTransmissivitiesOfEqualBands) {
  const std::array mixture{grey_bands("A", 1000.0, {0.5F, 2.0F}),
                           grey_bands("B", 2000.0, {1.0F, 3.0F})};
  const double kelvin = 500.0;
  const double expected = share({1000, 2000}, kelvin) * (1.0 - std::exp(-0.5)) +
                          share({2000, 3000}, kelvin) * (1.0 - std::exp(-3.0)) +
                          share({3000, 4000}, kelvin) * (1.0 - std::exp(-3.0));
  EXPECT_NEAR(emissivity(mixture, kelvin, 1.0), expected, 1e-9);
  const std::array reversed{mixture[1], mixture[0]};
  EXPECT_NEAR(emissivity(reversed, kelvin, 1.0), expected, 1e-9);
}

TEST(GasProperties, RefuseWhatDoesNotFit) {
  const auto a = grey_bands("A", 1000.0, {0.5F, 2.0F});
  test::expect_error([&] { planck_mean(a, 499.0); }, {"499 K", "500 to 1500 K", "A"});
  test::expect_error([&] { transmissivity(a, 0, 1501.0, 1.0); }, {"1501 K", "500 to 1500 K"});
  test::expect_error([&] { emissivity(a, 499.0, 1.0); }, {"499 K", "500 to 1500 K"});
  EXPECT_THROW(transmissivity(a, 2, 800.0, 1.0), Error);
  EXPECT_THROW(emissivity(a, 800.0, -1.0), Error);
  EXPECT_THROW(emissivity(a, 800.0, std::nan("")), Error);
  EXPECT_THROW(emissivity(std::span<const SpectralTable>{}, 800.0, 1.0), Error);
  const std::array overlapping{a, grey_bands("B", 1500.0, {1.0F})};
  test::expect_error([&] { emissivity(overlapping, 800.0, 1.0); }, {"overlap", "1500 to 2500"});
  std::array pressures{a, a};
  pressures[1].pressure = 1e5;
  test::expect_error([&] { emissivity(pressures, 800.0, 1.0); }, {"100000 Pa", "101325 Pa"});
}

/// With the EM2C files, which do not come with the sources.
class RawSpectra : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("ERMINE_RAW_SPECTRA");
    if (folder == nullptr) {
      GTEST_SKIP() << "set ERMINE_RAW_SPECTRA to the folder that holds snb_em2c2012/";
    }
    folder_ = std::filesystem::path(folder) / "snb_em2c2012";
  }

  NarrowBandParameters read(Species species) const {
    return extended_down(read_snb(folder_ / ("SNB" + std::string(name_of(species))), species),
                         250.0);
  }
  SpectralTable table(Species species, const KDistributionOptions& options = {}) const {
    return k_distribution(read(species), atmosphere, Composition::pure(species), options);
  }

  std::filesystem::path folder_;
};

TEST_F(RawSpectra, PlanckMeansOfPureGases) {
  const auto h2o = table(Species::h2o);
  EXPECT_NEAR(planck_mean(h2o, 500.0), 19.12, 0.005 * 19.12);
  EXPECT_NEAR(planck_mean(h2o, 1000.0), 5.13, 0.005 * 5.13);
  EXPECT_NEAR(planck_mean(table(Species::co2), 1000.0), 23.3, 0.005 * 23.3);
}

/// Planck-weighted k of one point of all bands [1/m].
double weighted_point(const SpectralTable& table, std::size_t point, double kelvin) {
  double sum = 0.0;
  for (std::size_t b = 0; b < table.bands.size(); ++b) {
    sum += share(table.bands[b], kelvin) * table.absorption_at(b, point, kelvin);
  }
  return sum;
}

TEST_F(RawSpectra, LinearInterpolationBetweenDefaultTemperaturesIsGoodToAThousandth) {
  for (const Species species : all_species) {
    SCOPED_TRACE(name_of(species));
    const auto coarse = table(species);
    std::vector<double> middle;
    for (std::size_t t = 1; t < coarse.temperature.size(); ++t) {
      middle.push_back(0.5 * (coarse.temperature[t - 1] + coarse.temperature[t]));
    }
    const auto exact = table(species, {.temperature = middle});
    for (const double kelvin : middle) {
      EXPECT_NEAR(planck_mean(coarse, kelvin) / planck_mean(exact, kelvin), 1.0, 1e-3) << kelvin;
      for (const std::size_t point : {0, 5, 10, 15}) {
        EXPECT_NEAR(weighted_point(coarse, point, kelvin) / weighted_point(exact, point, kelvin),
                    1.0, 1e-3)
            << kelvin << " K, point " << point;
      }
    }
  }
}

TEST_F(RawSpectra, LumpedBandsKeepTheEmissivity) {
  for (const Species species : all_species) {
    SCOPED_TRACE(name_of(species));
    const auto native = table(species, {.temperature = {500, 1000, 2000}});
    const auto lumped = table(species, {.band_width_cm1 = 100.0, .temperature = {500, 1000, 2000}});
    for (const double kelvin : {500.0, 1000.0, 2000.0}) {
      // What remains is the change of the Planck function within 100 1/cm, and the jumps of k(g).
      const double expected = emissivity(native, kelvin, 1.0);
      EXPECT_NEAR(emissivity(lumped, kelvin, 1.0), expected, 0.005 * expected) << kelvin;
    }
  }
}

}  // namespace
}  // namespace ermine
