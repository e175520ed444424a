#include "medium/short_absorption.hpp"

#include "medium/gas_of_scene.hpp"
#include "support/gas.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ermine {
namespace {

double through_code(double k, int exponent) {
  const std::uint32_t code = short_code(std::ldexp(k, exponent));
  EXPECT_EQ(lower_short(code), upper_short(code << 16));
  return std::ldexp(static_cast<double>(lower_short(code)), -exponent);
}

TEST(ShortAbsorption, KeepsElevenBits) {
  for (const double largest : {1e-20, 0.3, 1.0, 1e6}) {
    const int exponent = short_exponent(largest);
    for (double k = largest; k > 1e-18 * largest; k *= 0.913) {
      EXPECT_NEAR(through_code(k, exponent), k, k / 2048);
    }
    EXPECT_EQ(through_code(1e-20 * largest, exponent), 0.0);
    EXPECT_EQ(through_code(0.0, exponent), 0.0);
  }
}

TEST(ShortAbsorption, RoundsOnce) {
  const int exponent = short_exponent(4.0);
  for (double k = 4.0; k > 1e-6; k *= 0.71) {
    const double once = through_code(k, exponent);
    EXPECT_EQ(through_code(once, exponent), once);
    EXPECT_EQ(through_code(once, short_exponent(once)), once);
  }
}

/// Sum over all points of k and the intensity of their bands at a temperature of the table.
double emission(const GasMedium& gas, std::size_t component, double kelvin) {
  const GasComponent& of = gas.component(component);
  const auto nodes = gas.temperature().subspan(gas.first_gas_node());
  const auto t = static_cast<std::size_t>(std::upper_bound(nodes.begin(), nodes.end(), kelvin) -
                                          nodes.begin() - 1);
  const double way = (kelvin - nodes[t]) / (nodes[t + 1] - nodes[t]);
  double sum = 0.0;
  for (std::size_t b = 0; b < of.band.size(); ++b) {
    const double intensity = std::pow(kelvin, 3) * std::exp(-1500.0 / kelvin);  // of any shape
    for (std::size_t g = 0; g < gas.weights().size(); ++g) {
      const float* row =
          of.rows.data() + (b * gas.weights().size() + g) * of.broadening.size() * nodes.size();
      const double low = static_cast<double>(row[t]);
      sum += gas.weights()[g] * intensity * (low + way * (static_cast<double>(row[t + 1]) - low));
    }
  }
  return sum;
}

/// Where the range is wide, k has every third node of the table; what is emitted stays the same.
TEST(ShortGasOfScene, EmitsAsTheTableDoes) {
  const GasMedium gas(test::atmosphere, {{Species::h2o, {0.1, 0.2}}, {Species::co2, {0.05, 0.1}}});
  const GasMedium scene = short_gas_of_scene(gas, {400, 2000, 0.1}, 2);
  EXPECT_EQ(scene.intensity_steps(), 3u);
  EXPECT_LT(scene.temperature().size(), gas.temperature().size() / 2);
  EXPECT_LE(scene.temperature()[scene.first_gas_node()], 400 * 0.995);
  EXPECT_GE(scene.temperature().back(), 2000 * 1.005);
  for (std::size_t c = 0; c < 2; ++c) {
    for (const double kelvin : {401.0, 433.0, 777.0, 1234.0, 1999.0}) {
      const double expected = emission(gas, c, kelvin);
      EXPECT_NEAR(emission(scene, c, kelvin), expected, 8e-4 * expected) << c << " " << kelvin;
    }
  }
}

TEST(ShortGasOfScene, KeepsNodesOfNarrowRanges) {
  const GasMedium gas(test::atmosphere, {{Species::h2o, {0.1, 0.2}}});
  const PointDensity density{500, 600, 0.1};
  const GasMedium scene = short_gas_of_scene(gas, density, 1);
  const GasMedium full = gas_of_scene(gas, density, 1);
  EXPECT_EQ(scene.intensity_steps(), 1u);
  ASSERT_EQ(scene.temperature().size(), full.temperature().size());
  const auto& short_rows = scene.component(0).rows;
  const auto& rows = full.component(0).rows;
  double largest = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] > 0) largest = std::max<double>(largest, std::abs(short_rows[i] / rows[i] - 1));
  }
  EXPECT_GT(largest, 1e-5);
  EXPECT_LT(largest, 1.0 / 2048 + 1e-6);
}

/// Walls may be colder than the gas of any table, and gas as hot as the table ends.
TEST(ShortGasOfScene, ReachesFromColdWallsToTheEndOfTheTable) {
  const GasMedium gas(test::atmosphere, {{Species::co, {0.1, 0.2}}});
  const GasMedium scene = short_gas_of_scene(gas, {0, gas.hottest(), 0.1}, 1);
  EXPECT_EQ(scene.temperature().front(), 0.0);
  EXPECT_EQ(scene.temperature().back(), gas.temperature().back());
  EXPECT_EQ(scene.temperature()[scene.first_gas_node()], gas.temperature()[gas.first_gas_node()]);
}

}  // namespace
}  // namespace ermine
