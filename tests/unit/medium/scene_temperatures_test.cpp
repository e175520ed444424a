#include "medium/scene_temperatures.hpp"

#include <ermine/planck.hpp>

#include "medium/gas_of_scene.hpp"
#include "medium/point_rows.hpp"
#include "medium/smooth_rows.hpp"
#include "spectra/default_temperatures.hpp"
#include "support/gas.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

std::vector<double> table() { return default_temperatures(250, 5000); }

std::size_t intervals_within(const std::vector<double>& nodes, double low, double high) {
  return static_cast<std::size_t>(
      std::count_if(nodes.begin(), nodes.end(), [&](double t) { return t >= low && t < high; }));
}

TEST(SceneTemperatures, AreManyInANarrowRange) {
  for (const auto& [low, high] : {std::pair{295.0, 305.0}, {298.0, 302.0}, {2990.0, 3050.0}}) {
    const auto nodes = scene_temperatures(table(), {low, high, 0.0}).kelvin;
    ASSERT_GE(intervals_within(nodes, low, high), 63u);
    EXPECT_LE(nodes.size(), 130u);
    EXPECT_LT(nodes.front(), 0.995 * low);
    EXPECT_GT(nodes.back(), 1.005 * high);
    // What walls emit is exact.
    for (const double end : {low, high}) {
      EXPECT_EQ(std::count(nodes.begin(), nodes.end(), end), 1) << end;
    }
  }
}

TEST(SceneTemperatures, HaveALeastDistance) {
  for (const double high : {300.0, 300.0 + 1e-9, 300.01}) {
    const auto nodes = scene_temperatures(table(), {300, high, 0.0}).kelvin;
    ASSERT_FALSE(nodes.empty());
    EXPECT_LE(nodes.size(), 60u);
    EXPECT_LT(nodes.front(), 0.995 * 300);
    EXPECT_GT(nodes.back(), 1.005 * high);
    for (std::size_t t = 0; t + 1 < nodes.size(); ++t) {
      EXPECT_GT(nodes[t + 1], nodes[t]);
      EXPECT_LT(nodes[t + 1] / nodes[t], 1.00021);
    }
  }
}

TEST(SceneTemperatures, AreThoseOfTheTableInAWideRange) {
  EXPECT_TRUE(scene_temperatures(table(), {500, 1000, 0.0}).kelvin.empty());
  EXPECT_TRUE(scene_temperatures(table(), {0, 1000, 0.0}).kelvin.empty());
  EXPECT_TRUE(scene_temperatures(table(), {300, 2500, 0.0}).kelvin.empty());
  EXPECT_FALSE(scene_temperatures(table(), {500, 900, 0.0}).kelvin.empty());
}

TEST(SceneTemperatures, AreAtMostAPerCentApartHoweverCoarseTheTable) {
  for (const auto& coarse : {std::vector<double>{300, 500, 1000}, {250, 5000}, {0, 100, 2000}}) {
    const double last = coarse.back();
    for (const double coldest : {0.0, 100.0, 400.0}) {
      const auto [nodes, first] = scene_temperatures(coarse, {coldest, last, 0.0});
      ASSERT_GT(nodes.size(), 2u);
      EXPECT_LE(nodes.size(), 500u);
      EXPECT_EQ(nodes.back(), last);
      EXPECT_LE(nodes.front(), coldest);
      if (coldest < coarse.front()) {
        EXPECT_EQ(nodes[first], coarse.front());
      } else {
        EXPECT_EQ(first, 0u);
      }
      for (std::size_t t = 0; t + 1 < nodes.size(); ++t) {
        ASSERT_GT(nodes[t + 1], nodes[t]);
        if (nodes[t] >= 0.05 * last) {
          EXPECT_LE(nodes[t + 1] / nodes[t], 1.0101);
        }
      }
    }
  }
}

TEST(SceneTemperatures, StayWithinTheTable) {
  const auto low = scene_temperatures(table(), {250, 251, 0.0}).kelvin;
  EXPECT_EQ(low.front(), 250);
  const auto high = scene_temperatures(table(), {4990, 9000, 0.0}).kelvin;
  EXPECT_EQ(high.back(), 5000);
}

/// As k of a line: exponential of 1/T, times a power.
double boltzmann(double kelvin) { return 3 * std::exp(-3000 / kelvin) * std::pow(kelvin, -1.5); }

struct Curve {
  std::vector<double> at, value;
};

Curve smooth(const std::vector<double>& from, const std::vector<double>& values,
             std::vector<double> to) {
  Curve curve{std::move(to), {}};
  curve.value.resize(curve.at.size());
  SmoothRows::Scratch scratch;
  SmoothRows(from, curve.at)(values.data(), curve.value.data(), scratch);
  return curve;
}

std::vector<double> evenly(double from, double to, int count) {
  std::vector<double> values;
  for (int i = 0; i <= count; ++i) values.push_back(from + (to - from) * i / count);
  return values;
}

TEST(SmoothRows, FollowACurveFarBetterThanStraightLines) {
  const auto from = default_temperatures(250, 400);
  std::vector<double> values;
  for (const double t : from) values.push_back(boltzmann(t));
  const Curve curve = smooth(from, values, evenly(250, 400, 1000));
  for (std::size_t i = 0; i < curve.at.size(); ++i) {
    // Straight lines: 1.3e-3.
    EXPECT_NEAR(curve.value[i] / boltzmann(curve.at[i]), 1, 5e-6) << curve.at[i];
  }
}

TEST(SmoothRows, HaveNoKinksAtNodes) {
  const std::vector<double> from{300, 340, 390, 450, 500};
  std::vector<double> values;
  for (const double t : from) values.push_back(boltzmann(t));
  for (const double node : {340.0, 390.0, 450.0}) {
    const double h = 0.01;
    const Curve curve = smooth(from, values, {node - h, node, node + h});
    const double below = (curve.value[1] - curve.value[0]) / h;
    const double above = (curve.value[2] - curve.value[1]) / h;
    EXPECT_NEAR(below / above, 1, 1e-3);
  }
}

TEST(SmoothRows, PassThroughTheNodes) {
  const std::vector<double> from{0, 100, 200, 400, 500};
  const std::vector<double> values{0, 1, 3, 2, 0};
  EXPECT_EQ(smooth(from, values, from).value, values);
  // Linear where there is no logarithm.
  EXPECT_DOUBLE_EQ(smooth(from, values, {25}).value[0], 0.25);
  EXPECT_DOUBLE_EQ(smooth(from, values, {450}).value[0], 1.0);
}

TEST(SmoothRows, DoNotSwingBesideAJump) {
  const std::vector<double> from{300, 303, 306, 309, 312, 315};
  const std::vector<double> values{1e-6, 1e-6, 1e-6, 2.0, 2.0, 2.0};
  const Curve curve = smooth(from, values, evenly(300, 315, 150));
  for (std::size_t i = 0; i < curve.at.size(); ++i) {
    EXPECT_GE(curve.value[i], 1e-6 * (1 - 1e-12));
    EXPECT_LE(curve.value[i], 2.0 * (1 + 1e-12));
  }
  EXPECT_EQ(smooth(from, {7, 7, 7, 7, 7, 7}, {304.7}).value[0], 7);
}

TEST(GasOfScene, HasExactIntensitiesAtItsNodes) {
  const GasMedium gas = test::h2o_co2();
  const GasMedium scene = gas_of_scene(gas, {100, 420, 0.0}, 1);
  EXPECT_EQ(scene.intensity_steps(), 1u);
  EXPECT_EQ(scene.coldest(), gas.coldest());
  EXPECT_EQ(scene.hottest(), gas.hottest());
  EXPECT_EQ(scene.temperature()[scene.first_gas_node()], gas.coldest());
  for (std::size_t band = 0; band < scene.bands().size(); ++band) {
    const auto intensity = scene.blackbody_intensity(band);
    ASSERT_EQ(intensity.size(), scene.temperature().size());
    for (std::size_t t = 0; t < intensity.size(); ++t) {
      EXPECT_EQ(intensity[t], planck_intensity(scene.bands()[band], scene.temperature()[t]));
    }
  }
}

TEST(GasOfScene, IsCloseToTheGasMadeForItsNodes) {
  const auto carbon_dioxide = [](std::vector<double> kelvin) {
    KDistributionOptions options = test::coarse();
    options.temperature = std::move(kelvin);
    return GasMedium(test::atmosphere, {{Species::co2, {0.1}}}, options);
  };
  const GasMedium scene =
      gas_of_scene(carbon_dioxide(default_temperatures(300, 600)), {440, 460, 0.0}, 2);
  const auto nodes = scene.temperature();
  const GasMedium made = carbon_dioxide({nodes.begin(), nodes.end()});
  ASSERT_EQ(scene.component(0).rows.size(), made.component(0).rows.size());
  // Straight lines: 6e-4.
  for (std::size_t i = 0; i < made.component(0).rows.size(); ++i) {
    const double expected = static_cast<double>(made.component(0).rows[i]);
    if (expected * made.component(0).amount[0] < 1e-6) continue;  // as good as transparent
    EXPECT_NEAR(scene.component(0).rows[i], expected, 2e-5 * expected);
  }
}

TEST(GasOfScene, KeepsFieldsOfComposition) {
  KDistributionOptions options = test::coarse();
  options.temperature = default_temperatures(300, 600);
  const GasMedium gas = test::h2o_co2_fields(3, options);
  const GasMedium scene = gas_of_scene(gas, {400, 410, 0.0}, 2);
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    const GasComponent& found = scene.component(c);
    ASSERT_GT(found.broadening.size(), 1u);
    EXPECT_EQ(found.broadening, gas.component(c).broadening);
    EXPECT_EQ(found.amount, gas.component(c).amount);
    for (const std::size_t cell : {0u, 2u}) {
      EXPECT_EQ(scene.broadening(c, cell, 404), gas.broadening(c, cell, 404));
    }
    EXPECT_EQ(found.rows.size() / scene.temperature().size(),
              gas.component(c).rows.size() / options.temperature.size());
  }
}

TEST(PointRowsOfAList, AreSmoothAndCutToTheScene) {
  std::vector<double> k, intensity;
  for (int t = 0; t <= 20; ++t) {
    k.push_back(2.0);
    intensity.push_back(std::pow(100.0 * t, 4));
  }
  const SpectralList list({0, 100, 21}, k, intensity);
  const PointRows rows = point_rows(list, {640, 660, 0.0});
  EXPECT_GT(rows.temperature.front(), 600);
  EXPECT_LT(rows.temperature.back(), 700);
  EXPECT_EQ(rows.covered.coldest, 0);
  EXPECT_EQ(rows.covered.hottest, 2000);
  for (std::size_t t = 0; t < rows.temperature.size(); ++t) {
    EXPECT_EQ(rows.absorption[t], 2.0);
    EXPECT_NEAR(rows.intensity[t] / std::pow(rows.temperature[t], 4), 1, 1e-9);
  }
  // Close nodes of its own are kept.
  const SpectralList fine({0, 1, 2001}, std::vector<double>(2001, 1.0),
                          std::vector<double>(2001, 1.0));
  const PointRows own = point_rows(fine, {500, 1000, 0.0});
  EXPECT_EQ(own.temperature.front(), std::floor(500 * (1 - scene_margin)));
  EXPECT_EQ(own.temperature[1] - own.temperature[0], 1.0);
}

}  // namespace
}  // namespace ermine
