#include "medium/line_widths.hpp"

#include "support/gas.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

TEST(LineWidths, AreThoseOfTheMedium) {
  const GasMedium gas(3e5,
                      {{Species::co, {0.0, 0.1, 0.3}},
                       {Species::h2o, {0.4, 0.0, 0.2}},
                       {Species::co2, {0.05}},
                       {Species::ch4, {0.1, 0.5, 0.0}}},
                      test::coarse());
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    const LineWidths width(gas, c);
    for (std::size_t cell = 0; cell < 3; ++cell) {
      for (const double kelvin : {300.0, 296.0, 777.0, 2000.0}) {
        EXPECT_NEAR(width(cell, kelvin), gas.broadening(c, cell, kelvin), 1e-14)
            << gas.component(c).gas << ", cell " << cell << ", " << kelvin << " K";
      }
    }
  }
}

}  // namespace
}  // namespace ermine
