#include <ermine/tracer.hpp>

#include "support/gas.hpp"
#include "support/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

/// Walls at the first temperature of all tables still end rays: single precision, whose march and
/// rows are others, agrees with double precision.
TEST(ColdestWalls, EndRaysInAGasOfAnyComposition) {
  const Grid grid({Axis::uniform(12, 0, 1), Axis::uniform(9, 0, 1), Axis::uniform(8, 0, 1)});
  const GasMedium gas = test::h2o_co2_fields(grid.cell_count());
  const auto temperature = test::evaluate(
      grid, [](std::array<double, 3> at) { return 1000 + 300 * at[0] + 100 * at[1] * at[2]; });
  const double coldest = *std::min_element(temperature.begin(), temperature.end());
  for (const double kelvin : {0.0, 300.0, coldest}) {
    for (const double emissivity : {1.0, 0.5}) {
      const Walls walls = test::enclosure(grid, test::wall(kelvin, emissivity));
      Options options{.termination = Termination::cutoff,  // luck in the roulette is another
                      .levels = 1,
                      .rays_per_cell = 1024,
                      .rays_per_wall_face = 4};
      const Result single = Tracer(grid, walls, gas, options).solve(temperature);
      options.precision = Precision::double_precision;
      const Result truth = Tracer(grid, walls, gas, options).solve(temperature);
      double largest = 0.0;
      for (const double q : truth.flux_divergence) largest = std::max(largest, std::abs(q));
      for (std::size_t i = 0; i < truth.flux_divergence.size(); ++i) {
        const double noise = std::hypot(single.standard_error[i], truth.standard_error[i]);
        ASSERT_LT(noise, 0.03 * largest);
        ASSERT_NEAR(single.flux_divergence[i], truth.flux_divergence[i], 5 * noise)
            << kelvin << " K, emissivity " << emissivity << ", cell " << i;
      }
    }
  }
}

}  // namespace
}  // namespace ermine
