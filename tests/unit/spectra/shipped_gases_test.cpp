#include <ermine/spectra.hpp>

#include <gtest/gtest.h>

#include <tuple>

namespace ermine {
namespace {

SpectralTable pure_gas(Species species, const std::vector<double>& temperature) {
  KDistributionOptions options;
  options.temperature = temperature;
  return k_distribution(shipped_parameters(species), 101325, Composition::pure(species), options);
}

/// Planck means of the EM2C parameters [1/(m atm)].
TEST(ShippedGases, HaveTheKnownPlanckMeans) {
  const std::vector<std::tuple<Species, double, double>> known{
      {Species::h2o, 500, 19.1}, {Species::h2o, 1000, 5.1}, {Species::co2, 1000, 23.3}};
  for (const auto& [species, kelvin, expected] : known) {
    EXPECT_NEAR(planck_mean(pure_gas(species, {kelvin}), kelvin), expected, 0.02 * expected)
        << name_of(species) << " at " << kelvin << " K";
  }
}

TEST(ShippedGases, EmitMoreFromLongerColumnsButLessThanABlackBody) {
  const std::vector<double> temperature{300, 1000, 2000};
  for (const Species species : all_species) {
    const SpectralTable table = pure_gas(species, temperature);
    for (const double kelvin : temperature) {
      double shorter = 0.0;
      for (double length = 1e-4; length < 2e3; length *= 10) {
        const double value = emissivity(table, kelvin, length);
        EXPECT_GT(value, shorter) << name_of(species) << ", " << kelvin << " K, " << length << " m";
        EXPECT_LT(value, 1.0) << name_of(species) << ", " << kelvin << " K, " << length << " m";
        shorter = value;
      }
    }
  }
}

/// At ten times the pressure lines are ten times as wide: a column of equal mass absorbs more.
TEST(ShippedGases, AbsorbMoreUnderPressure) {
  KDistributionOptions options;
  options.temperature = {1000};
  const auto emissivity_at = [&](double pressure, double length) {
    return emissivity(k_distribution(shipped_parameters(Species::co), pressure,
                                     Composition::pure(Species::co), options),
                      1000, length);
  };
  EXPECT_GT(emissivity_at(1013250, 0.1), 1.1 * emissivity_at(101325, 1.0));
}

}  // namespace
}  // namespace ermine
