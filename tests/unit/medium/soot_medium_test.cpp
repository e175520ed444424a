#include "medium/gas_storage.hpp"
#include "medium/joint_points.hpp"
#include "medium/point_rows.hpp"
#include "support/gas.hpp"
#include "support/levels.hpp"
#include "support/problems.hpp"
#include "support/spectra.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace ermine {
namespace {

constexpr int most_sooty = static_cast<int>(most_components);
constexpr double ppm = 1e-6;

GasMedium sooty_gas(std::vector<double> volume_fraction, const KDistributionOptions& options = {}) {
  return GasMedium(test::atmosphere, {{Species::h2o, {0.2}}, {Species::co2, {0.1}}}, options,
                   Soot{std::move(volume_fraction)});
}

/// Power that a cell emits per volume, as the general march has it.
double sooty_emission(const GasMedium& gas, double kelvin) {
  const GasStorage<double, most_sooty> storage(gas, test::row_of_cells(), std::vector{kelvin});
  return storage.emission(CellId{0}, storage.coordinate(kelvin));
}

double black_power(double kelvin) { return 4 * test::sigma * std::pow(kelvin, 4); }

/// At and between the nodes of a table.
TEST(SootMedium, EmitsItsPlanckMean) {
  const GasMedium alone(Soot{{2 * ppm}, 6.0});
  const KDistributionOptions few{.band_width_cm1 = 100, .quadrature = Quadrature::skewed(2)};
  const GasMedium gas(test::atmosphere, {{Species::h2o, {0.2}}}, few);
  const GasMedium both(test::atmosphere, {{Species::h2o, {0.2}}}, few, Soot{{2 * ppm}, 6.0});
  for (double kelvin = 300; kelvin <= 2400; kelvin *= 1.0837) {
    const double exact = 2 * ppm * soot_planck_mean(kelvin, 6.0) * black_power(kelvin);
    EXPECT_NEAR(sooty_emission(alone, kelvin) / exact, 1, 1e-3) << kelvin << " K";
    EXPECT_NEAR((sooty_emission(both, kelvin) - sooty_emission(gas, kelvin)) / exact, 1, 1e-3)
        << kelvin << " K";
  }
}

TEST(SootMedium, IsInEveryBandAndWithAllPointsOfGases) {
  const GasMedium gas = sooty_gas({ppm});
  const GasMedium clean(test::atmosphere, {{Species::h2o, {0.2}}, {Species::co2, {0.1}}});
  ASSERT_EQ(gas.component_count(), 3u);
  const GasComponent& soot = gas.component(2);
  EXPECT_EQ(soot.gas, "soot");
  EXPECT_EQ(gas.bands().back().high_cm1, std::numeric_limits<double>::infinity());
  std::size_t points = 0;
  std::size_t alone = 0;
  for (std::size_t part = 0; part + 1 < gas.part_count(); ++part) {
    const auto joint = joint_points(gas, part);
    points += joint.size();
    double sum = 0.0;
    for (const JointPoint& point : joint) {
      EXPECT_EQ(point.row[2], soot.first_row[part]);
      sum += point.weight;
    }
    EXPECT_NEAR(sum, 1.0, 1e-12);
    if (gas.component(0).first_row[part] >= 0 || gas.component(1).first_row[part] >= 0) continue;
    EXPECT_EQ(joint.size(), 1u);
    ++alone;
  }
  std::size_t without = 0;
  for (std::size_t part = 0; part + 1 < clean.part_count(); ++part) {
    without += joint_points(clean, part).size();
  }
  // The gases have as many points as they have without soot.
  EXPECT_EQ(points - alone, without);
  EXPECT_GT(alone, 10u);
  EXPECT_LT(alone, 60u);
  // Nothing is left outside.
  for (const double i : gas.blackbody_intensity(gas.bands().size())) EXPECT_EQ(i, 0.0);
}

TEST(SootMedium, SumsUniformComponentsToOneRow) {
  const GasMedium gas = sooty_gas({ppm}, test::coarse());
  const PointDensity density{400, 1800, 1.0, 400, 1800};
  const auto rows = point_rows(gas, density);
  ASSERT_TRUE(rows);
  const std::size_t nodes = rows->temperature.size();
  const auto node = static_cast<std::size_t>(
      std::min_element(rows->temperature.begin(), rows->temperature.end(),
                       [](double a, double b) { return std::abs(a - 1500) < std::abs(b - 1500); }) -
      rows->temperature.begin());
  double found = 0.0;
  for (std::size_t s = 0; s * nodes < rows->absorption.size(); ++s) {
    found += 4 * std::numbers::pi * rows->absorption[s * nodes + node] *
             rows->intensity[s * nodes + node];
  }
  const double kelvin = rows->temperature[node];
  const GasMedium clean = test::h2o_co2();
  const auto clean_rows = point_rows(clean, density);
  double of_gas = 0.0;
  for (std::size_t i = node; i < clean_rows->absorption.size(); i += nodes) {
    of_gas += 4 * std::numbers::pi * clean_rows->absorption[i] * clean_rows->intensity[i];
  }
  const double exact = ppm * soot_planck_mean(kelvin) * black_power(kelvin);
  EXPECT_NEAR((found - of_gas) / exact, 1, 1e-3);
}

TEST(SootMedium, MayDifferFromCellToCell) {
  const std::vector<double> fractions{0.0, 0.5 * ppm, 3 * ppm};
  const GasMedium gas = sooty_gas(fractions, test::coarse());
  EXPECT_EQ(gas.cell_count(), 3u);
  const std::vector<double> temperature(3, 1234.0);
  const GasStorage<double, most_sooty> storage(gas, test::row_of_cells(3), temperature);
  const double coordinate = storage.coordinate(1234.0);
  const double exact = soot_planck_mean(1234.0) * black_power(1234.0);
  const double clean = storage.emission(CellId{0}, coordinate);
  EXPECT_GT(clean, 0.0);
  for (const int i : {1, 2}) {
    const double more = storage.emission(CellId{i}, coordinate) - clean;
    EXPECT_NEAR(more / (fractions[static_cast<std::size_t>(i)] * exact), 1, 2e-3);
  }
  // On coarser cells.
  const GasMedium mean = gas.on_cells(1, [](std::span<const double> values) {
    return std::vector{(values[0] + values[1] + values[2]) / 3};
  });
  EXPECT_NEAR(mean.component(2).amount[0],
              (gas.component(2).amount[1] + gas.component(2).amount[2]) / 3, 1e-9);
}

/// Whatever there is of it: cells of the fast march count amounts as shares of the largest.
TEST(SootMedium, HasAmountsLikeThoseOfGases) {
  for (const double fraction : {1e-10, 1e-6, 1e-2}) {
    const GasMedium gas = sooty_gas({0.5 * fraction, fraction}, test::coarse());
    EXPECT_NEAR(gas.component(2).amount[1] / gas.component(0).amount[0], 1, 1e-12);
  }
}

TEST(SootMedium, ChangesWithTheComposition) {
  const GasMedium gas = sooty_gas({ppm}, test::coarse());
  EXPECT_NEAR(sooty_emission(gas.with_soot({2 * ppm}), 1500) - sooty_emission(gas, 1500),
              sooty_emission(gas, 1500) - sooty_emission(test::h2o_co2(), 1500),
              1e-5 * sooty_emission(gas, 1500));
  const GasMedium dry = gas.with_mole_fraction({Species::h2o, {0.0}});
  EXPECT_EQ(dry.component_count(), 3u);
  EXPECT_LT(sooty_emission(dry, 1500), sooty_emission(gas, 1500));
  const GasMedium alone(Soot{{ppm}});
  EXPECT_NEAR(sooty_emission(alone.with_soot({3 * ppm}), 1500), 3 * sooty_emission(alone, 1500),
              1e-5 * sooty_emission(alone, 1500));
  test::expect_error(
      [&] {
        alone.with_mole_fraction({Species::h2o, {0.1}});
      },
      {"there is soot alone"});
  test::expect_error([&] { test::h2o_co2().with_soot({ppm}); }, {"there is no soot in the gas"});
}

TEST(SootMedium, RefusesVolumesThatCannotBe) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  for (const double wrong : {-1e-9, 1.5, nothing}) {
    test::expect_error(
        [&] {
          sooty_gas({ppm, wrong}, test::coarse());
        },
        {"volume fraction of soot is", "in cell 1, give 0 to 1"});
  }
  test::expect_error([] { GasMedium(Soot{{}}); }, {"volume fraction of soot has 0 values"});
  test::expect_error([] { GasMedium(Soot{{ppm}, -7.0}); }, {"the constant of soot is -7"});
  test::expect_error(
      [] {
        GasMedium(test::atmosphere, {{Species::h2o, {0.1, 0.2, 0.3}}}, test::coarse(),
                  Soot{{ppm, ppm}});
      },
      {"volume fraction of soot has 2 values, mole fractions 3"});
}

TEST(SootMedium, IsNamed) {
  EXPECT_EQ(describe(GasMedium(Soot{{ppm}})).substr(0, 6), "soot, ");
  EXPECT_NE(describe(sooty_gas({ppm}, test::coarse())).find("H2O + CO2 + soot"), std::string::npos);
}

}  // namespace
}  // namespace ermine
