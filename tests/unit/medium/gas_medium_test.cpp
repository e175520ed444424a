#include <ermine/error.hpp>
#include <ermine/gas_properties.hpp>

#include "medium/gas_storage.hpp"
#include "support/gas.hpp"
#include "support/levels.hpp"
#include "support/problems.hpp"
#include "support/spectra.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace ermine {
namespace {

const std::vector<double> one_cell{500.0};

/// Row of point `g` of band `b` of a medium of one species with two points per band.
GasPoint<1> point_of(int b, int g) { return {b, {2 * b + g}}; }

TEST(GasMedium, OfATableIsLinearBetweenItsTemperatures) {
  const SpectralTable table = test::small_table();
  const GasMedium medium(table);
  const GasStorage<double, 1> gas(medium, test::row_of_cells(), one_cell);
  EXPECT_EQ(medium.coldest(), 300.0);
  EXPECT_EQ(medium.hottest(), 1000.0);
  EXPECT_EQ(medium.point_count(), 4u);
  const auto linear = [](double low, double high, double fraction) {
    return low + fraction * (high - low);
  };
  struct Place {
    double kelvin;
    std::size_t node;
    double fraction;
  };
  for (const Place at : {Place{300, 0, 0.0}, Place{350, 0, 0.25}, Place{500, 1, 0.0},
                         Place{900, 1, 0.8}, Place{1000, 1, 1.0}}) {
    for (int b = 0; b < 2; ++b) {
      for (int g = 0; g < 2; ++g) {
        const auto row = table.row(static_cast<std::size_t>(b), static_cast<std::size_t>(g));
        const GasState<double> state =
            gas.view().at(point_of(b, g), CellId{0}, gas.coordinate(at.kelvin));
        EXPECT_NEAR(state.absorption, linear(row[at.node], row[at.node + 1], at.fraction), 1e-12)
            << at.kelvin;
        const Band band = table.bands[static_cast<std::size_t>(b)];
        // The intensity has nodes of its own, however few the table has.
        const double expected = planck_intensity(band, at.kelvin);
        EXPECT_NEAR(state.intensity, expected, 2e-3 * expected) << at.kelvin;
        EXPECT_EQ(gas.view().blackbody(point_of(b, g), gas.wall_coordinate(at.kelvin)),
                  state.intensity);
      }
    }
  }
}

TEST(GasMedium, WallsMayBeColderThanTheGas) {
  const GasMedium medium(test::small_table());
  const GasStorage<double, 1> gas(medium, test::row_of_cells(), one_cell);
  const auto blackbody = [&](int b, double kelvin) {
    return gas.view().blackbody(point_of(b, 0), gas.wall_coordinate(kelvin));
  };
  for (int b = 0; b < 2; ++b) {
    const Band band = medium.bands()[static_cast<std::size_t>(b)];
    EXPECT_EQ(blackbody(b, 0.0), 0.0);
    // Between nodes 1 % apart, where x = h c eta / (k T) < 70: (0.01 x)^2 / 8.
    for (const double kelvin : {299.0, 201.3, 100.0, 62.0}) {
      const double exact = planck_intensity(band, kelvin);
      EXPECT_NEAR(blackbody(b, kelvin), exact, 0.07 * exact) << kelvin;
      EXPECT_GT(blackbody(b, kelvin), 0.0);
    }
    EXPECT_NEAR(blackbody(b, 299.0), planck_intensity(band, 299.0), 2e-3 * blackbody(b, 299.0));
    EXPECT_LT(blackbody(b, 30.0), planck_intensity(band, 62.0));
  }
  test::expect_error([&] { gas.wall_coordinate(1000.1); }, {"1000.1 K", "up to 1000 K"});
  test::expect_error([&] { gas.coordinate(299.9); }, {"299.9 K", "300 to 1000 K"});
  test::expect_error([&] { gas.coordinate(1000.1); }, {"1000.1 K", "300 to 1000 K"});
  EXPECT_THROW(gas.coordinate(std::nan("")), Error);
}

TEST(GasMedium, OfATableEmitsTheSumOverPoints) {
  const GasMedium medium(test::small_table());
  const GasStorage<double, 1> gas(medium, test::row_of_cells(), one_cell);
  for (const double kelvin : {300.0, 350.0, 500.0, 900.0, 1000.0}) {
    const double coordinate = gas.coordinate(kelvin);
    double sum = 0.0;
    for (int b = 0; b < 2; ++b) {
      for (int g = 0; g < 2; ++g) {
        const auto state = gas.view().at(point_of(b, g), CellId{0}, coordinate);
        sum += (g == 0 ? 0.4 : 0.6) * state.absorption * state.intensity;
      }
    }
    EXPECT_NEAR(gas.emission(CellId{0}, coordinate), 4 * std::numbers::pi * sum, 1e-12 * sum);
  }
}

/// The point with row `g` of every species that absorbs in a band.
GasPoint<4> same_row_of_all(const GasMedium& medium, std::size_t band, int g) {
  GasPoint<4> point{static_cast<int>(band), {-1, -1, -1, -1}};
  for (std::size_t c = 0; c < medium.component_count(); ++c) {
    const int first = medium.component(c).first_row[band];
    point.row[c] = first < 0 ? -1 : first + g;
  }
  return point;
}

/// Sum of the species' own tables, made for the composition, at point g of a band.
double sum_of_tables(const std::vector<SpectralTable>& tables, const Band& band, int g,
                     double kelvin) {
  double sum = 0.0;
  for (const SpectralTable& table : tables) {
    for (std::size_t b = 0; b < table.bands.size(); ++b) {
      if (table.bands[b] == band) {
        sum += table.absorption_at(b, static_cast<std::size_t>(g), kelvin);
      }
    }
  }
  return sum;
}

TEST(GasMedium, UniformMixtureIsTheSumOfItsSpeciesInThatMixture) {
  KDistributionOptions options = test::coarse();
  options.temperature = {300, 700, 1500};
  const GasMedium medium = test::h2o_co2(options);
  const GasStorage<double, 4> gas(medium, test::row_of_cells(), one_cell);
  Composition composition;
  composition[Species::h2o] = 0.2;
  composition[Species::co2] = 0.1;
  std::vector<SpectralTable> tables;
  for (const Species species : {Species::h2o, Species::co2}) {
    tables.push_back(
        k_distribution(shipped_parameters(species), test::atmosphere, composition, options));
  }
  int both = 0;
  for (const double kelvin : {300.0, 500.0, 1500.0}) {
    double emission = 0.0;
    for (std::size_t b = 0; b < medium.bands().size(); ++b) {
      for (int g = 0; g < 4; ++g) {
        const GasPoint<4> point = same_row_of_all(medium, b, g);
        both += point.row[0] >= 0 && point.row[1] >= 0;
        const auto state = gas.view().at(point, CellId{0}, gas.coordinate(kelvin));
        const double expected = sum_of_tables(tables, medium.bands()[b], g, kelvin);
        EXPECT_NEAR(state.absorption, expected, 1e-6 * expected);
        emission += 4 * std::numbers::pi * medium.weights()[static_cast<std::size_t>(g)] *
                    state.absorption * state.intensity;
      }
    }
    EXPECT_GT(emission, 0.0);
    EXPECT_NEAR(gas.emission(CellId{0}, gas.coordinate(kelvin)), emission, 1e-10 * emission);
  }
  EXPECT_GT(both, 0);
}

TEST(GasMedium, BandsOfAllSpeciesAreInOrderAndApart) {
  for (const double width : {0.0, 100.0}) {
    const GasMedium medium(
        test::atmosphere,
        {{Species::ch4, {0.1}}, {Species::h2o, {0.1}}, {Species::co, {0.1}}, {Species::co2, {0.1}}},
        {.band_width_cm1 = width,
         .quadrature = Quadrature::skewed(2),
         .temperature = {1000.0, 1500.0}});
    for (std::size_t b = 1; b < medium.bands().size(); ++b) {
      EXPECT_GE(medium.bands()[b].low_cm1, medium.bands()[b - 1].high_cm1);
    }
    EXPECT_EQ(medium.component(2).gas, "CO");
    for (std::size_t c = 0; c < 4; ++c) {
      const GasComponent& component = medium.component(c);
      for (std::size_t i = 0; i < component.band.size(); ++i) {
        const auto band = static_cast<std::size_t>(component.band[i]);
        EXPECT_EQ(component.first_row[band], static_cast<int>(2 * i));
      }
    }
  }
}

TEST(GasMedium, CellsHaveTheirOwnComposition) {
  constexpr std::size_t cells = 5;
  KDistributionOptions options = test::coarse();
  options.temperature = {300, 1000, 2000};
  const GasMedium medium = test::h2o_co2_fields(cells, options);
  const std::vector<double> temperature{300, 1000, 1000, 2000, 300};
  const GasStorage<double, 4> gas(medium, test::row_of_cells(cells), temperature);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const double along = static_cast<double>(cell) / (cells - 1);
    Composition composition;
    composition[Species::h2o] = 0.5 * along;
    composition[Species::co2] = 0.4 - 0.3 * along;
    std::vector<SpectralTable> tables;
    for (const Species species : {Species::h2o, Species::co2}) {
      tables.push_back(
          k_distribution(shipped_parameters(species), test::atmosphere, composition, options));
    }
    const CellId id{static_cast<int>(cell)};
    const double coordinate = gas.coordinate(temperature[cell]);
    double emission = 0.0;
    for (std::size_t b = 0; b < medium.bands().size(); ++b) {
      for (int g = 0; g < 4; ++g) {
        const auto state = gas.view().at(same_row_of_all(medium, b, g), id, coordinate);
        const double exact = sum_of_tables(tables, medium.bands()[b], g, temperature[cell]);
        EXPECT_NEAR(state.absorption, exact, 0.01 * exact) << "cell " << cell;
        emission += 4 * std::numbers::pi * medium.weights()[static_cast<std::size_t>(g)] *
                    state.absorption * state.intensity;
      }
    }
    EXPECT_NEAR(gas.emission(id, coordinate), emission, 1e-10 * emission);
  }
}

/// How far k between layers of broadening is from k made for the composition.
struct BroadeningError {
  double point = 0.0;           ///< relative, of k
  double mean = 0.0;            ///< relative, of the mean of k over a band
  double transmissivity = 0.0;  ///< of a band over 0.1 or 1 m
  double emissivity = 0.0;      ///< relative, total, of 0.1 or 1 m
};

BroadeningError h2o_in_nitrogen(double kelvin) {
  std::vector<double> fractions;  // one cell each, denser where lines are narrow
  for (int i = 1; i <= 40; ++i) fractions.push_back(std::pow(i / 40.0, 2));
  const KDistributionOptions options{.temperature = {kelvin, kelvin + 10}};
  const GasMedium medium(test::atmosphere, {{Species::h2o, fractions}}, options);
  const GasStorage<double, 1> gas(medium, test::row_of_cells(fractions.size()),
                                  std::vector<double>(fractions.size(), kelvin));
  const auto& weights = medium.weights();
  BroadeningError error;
  for (std::size_t cell = 0; cell < fractions.size(); ++cell) {
    Composition composition;
    composition[Species::h2o] = fractions[cell];
    const SpectralTable exact =
        k_distribution(shipped_parameters(Species::h2o), test::atmosphere, composition, options);
    const double lengths[] = {0.1, 1.0};
    double emitted[2] = {}, exact_emitted[2] = {};
    for (std::size_t b = 0; b < exact.bands.size(); ++b) {
      double mean = 0.0, exact_mean = 0.0;
      double passed[2] = {}, exact_passed[2] = {};
      for (std::size_t g = 0; g < weights.size(); ++g) {
        const GasPoint<1> point{static_cast<int>(b), {static_cast<int>(b * weights.size() + g)}};
        const double k =
            gas.view().at(point, CellId{static_cast<int>(cell)}, gas.coordinate(kelvin)).absorption;
        const double k_exact = exact.row(b, g)[0];
        if (k_exact > 0) error.point = std::max(error.point, std::abs(k / k_exact - 1));
        mean += weights[g] * k;
        exact_mean += weights[g] * k_exact;
        for (int l = 0; l < 2; ++l) {
          passed[l] += weights[g] * std::exp(-k * lengths[l]);
          exact_passed[l] += weights[g] * std::exp(-k_exact * lengths[l]);
        }
      }
      if (exact_mean > 0) error.mean = std::max(error.mean, std::abs(mean / exact_mean - 1));
      const double intensity = planck_intensity(exact.bands[b], kelvin);
      for (int l = 0; l < 2; ++l) {
        error.transmissivity =
            std::max(error.transmissivity, std::abs(passed[l] - exact_passed[l]));
        emitted[l] += intensity * (1 - passed[l]);
        exact_emitted[l] += intensity * (1 - exact_passed[l]);
      }
    }
    for (int l = 0; l < 2; ++l) {
      error.emissivity = std::max(error.emissivity, std::abs(emitted[l] / exact_emitted[l] - 1));
    }
  }
  return error;
}

// All fall with the square of ln(broadening_step).
TEST(GasMedium, InterpolationInBroadeningHardlyChangesEmissivities) {
  for (const double kelvin : {300.0, 1000.0, 2000.0}) {
    const BroadeningError error = h2o_in_nitrogen(kelvin);
    EXPECT_LT(error.point, 0.01) << kelvin;
    EXPECT_LT(error.mean, 1e-6) << kelvin;
    EXPECT_LT(error.transmissivity, 5e-4) << kelvin;
    EXPECT_LT(error.emissivity, 1e-3) << kelvin;
    // There is something to interpolate: with one layer this test would see nothing.
    EXPECT_GT(error.point, 1e-4) << kelvin;
  }
}

TEST(GasMedium, RefusesWhatIsNoGas) {
  using Fractions = std::vector<GasMedium::MoleFraction>;
  const auto refused = [](double pressure, const Fractions& fractions, const std::string& text,
                          const KDistributionOptions& options = test::coarse()) {
    test::expect_error([&] { GasMedium(pressure, fractions, options); }, {text});
  };
  const double p = test::atmosphere;
  const double nan = std::nan("");
  for (const double pressure : {0.0, -1.0, nan, HUGE_VAL}) {
    refused(pressure, {{Species::h2o, {0.1}}}, "give a positive one");
  }
  refused(p, {}, "at least one absorbing species");
  refused(p, {{Species::h2o, {1.1}}}, "mole fraction of H2O is 1.1 in cell 0");
  refused(p, {{Species::co2, {0.1, -0.1}}}, "mole fraction of CO2 is -0.1 in cell 1");
  refused(p, {{Species::co2, {nan}}}, "mole fraction of CO2 is nan");
  refused(p, {{Species::h2o, {0.5}}, {Species::co2, {0.1, 0.6}}}, "add up to 1.1 in cell 1");
  refused(p, {{Species::h2o, {}}}, "H2O has 0 values");
  refused(p, {{Species::h2o, {0.1, 0.2}}, {Species::co2, {0.1, 0.1, 0.1}}},
          "CO2 has 3 values, another one 2");
  refused(p, {{Species::h2o, {0.1}}, {Species::h2o, {0.2}}}, "mole fraction of H2O is given twice");
  for (const std::vector<double>& kelvin :
       std::vector<std::vector<double>>{{200, 1000}, {300, 5001}, {1000, 500}, {300, nan}, {500}}) {
    KDistributionOptions options = test::coarse();
    options.temperature = kelvin;
    EXPECT_THROW(GasMedium(p, {{Species::h2o, {0.1}}}, options), Error) << kelvin.back();
  }
  SpectralTable table = test::small_table();
  table.temperature = {300};
  table.absorption.resize(4);
  table.kind = TableKind::line_by_line;
  test::expect_error([&] { GasMedium{table}; }, {"H2O", "one temperature"});
}

TEST(MissingEmissivity, IsAsFoundAndGrowsWithPressure) {
  constexpr double atm = 101325;
  const std::vector<std::pair<double, double>> found{{1, 0.0},   {4, 0.0},   {15, 0.12},
                                                     {30, 0.24}, {50, 0.34}, {1000, 0.34}};
  for (const auto& [pressure, missing] : found) {
    EXPECT_NEAR(missing_emissivity(Species::co2, pressure * atm), missing, 1e-12) << pressure;
  }
  double before = 0.0;
  for (double pressure = 0.1; pressure < 60; pressure *= 1.05) {
    const double missing = missing_emissivity(Species::co2, pressure * atm);
    EXPECT_GE(missing, before) << pressure;
    EXPECT_EQ(pressure_warning(Species::co2, pressure * atm).has_value(), missing > 0.05);
    before = missing;
    for (const Species species : {Species::h2o, Species::co, Species::ch4}) {
      EXPECT_EQ(pressure_warning(species, pressure * atm), std::nullopt);
    }
  }
}

}  // namespace
}  // namespace ermine
