#include "gas_layers.hpp"

#include "support/gas.hpp"
#include "support/problems.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

cli::GasLayer layer_of(double length, double kelvin, double h2o, double co2) {
  Composition composition;
  composition[Species::h2o] = h2o;
  composition[Species::co2] = co2;
  return {length, kelvin, composition};
}

double flux_of(const std::vector<cli::GasLayer>& layers) {
  return cli::flux_behind_layers(layers, test::atmosphere);
}

TEST(GasLayers, PartsOfALayerAreThatLayer) {
  const double whole = flux_of({layer_of(0.5, 1200, 0.2, 0.1)});
  EXPECT_NEAR(flux_of({layer_of(0.2, 1200, 0.2, 0.1), layer_of(0.3, 1200, 0.2, 0.1)}), whole,
              1e-9 * whole);
  EXPECT_NEAR(flux_of({layer_of(0.5, 1200, 0.2, 0.1), layer_of(0.0, 300, 0.2, 0.1)}), whole,
              1e-9 * whole);
  EXPECT_EQ(flux_of({layer_of(0.0, 1200, 0.2, 0.1)}), 0.0);
}

/// Of CO2, between 1/10 and a sixth of a black body (Hottel's chart, M. F. Modest, Radiative Heat
/// Transfer): the scale is right, not only what layers have to do with each other.
TEST(GasLayers, EmitAboutAsMuchAsChartsSay) {
  const double black = test::sigma * std::pow(1000.0, 4);
  const double flux = flux_of({layer_of(0.5, 1000, 0.0, 0.4)});
  EXPECT_GT(flux, 0.10 * black);
  EXPECT_LT(flux, 0.17 * black);
}

TEST(GasLayers, ColdLayersAbsorbAndOrderMatters) {
  const cli::GasLayer hot = layer_of(0.5, 2000, 0.2, 0.1);
  const cli::GasLayer cold = layer_of(0.5, 300, 0.2, 0.1);
  const double alone = flux_of({hot});
  EXPECT_LT(flux_of({hot, cold}), 0.7 * alone);
  EXPECT_GT(flux_of({cold, hot}), alone);
  EXPECT_LT(flux_of({cold, hot}), 1.01 * alone);
}

}  // namespace
}  // namespace ermine
