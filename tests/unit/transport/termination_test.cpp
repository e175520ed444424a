#include "transport/ray/termination.hpp"

#include <ermine/tracer.hpp>

#include "support/problems.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

TEST(Termination, TransparentPointsAreNotLeftToTheRoulette) {
  const PointStrength thick{1.0, 1.0, 1.0, 0.0, 2.0};
  const PointStrength thin{1.0, 1.0, 1.0, 0.0, 0.01};
  PointStrength faint = thin;
  faint.intensity = 0.01;
  EXPECT_TRUE(fades_in_gas(std::vector{thick, thick}, 1.0));
  EXPECT_TRUE(fades_in_gas(std::vector{thick, faint, thin}, 1.0));
  std::vector<PointStrength> mostly_thin(20, thin);
  mostly_thin.push_back(thick);
  EXPECT_FALSE(fades_in_gas(mostly_thin, 1.0));
  EXPECT_TRUE(fades_in_gas(mostly_thin, 100.0));
}

/// Rays of walls know the cutoff alone, and so do those of cells of a transparent gas, unless
/// someone asks for the roulette.
TEST(Termination, NoiseOfTheRouletteStaysOutOfThinGas) {
  const Grid grid = test::box_grid(8);
  const std::vector<double> hot(grid.cell_count(), 1500.0);
  const Walls walls = test::enclosure(grid, test::wall(300, 0.6));
  const auto solve = [&](double absorption, Termination termination) {
    return Tracer(grid, walls, GreyMedium(absorption),
                  {.rays_per_cell = 256, .rays_per_wall_face = 256, .termination = termination})
        .solve(hot);
  };
  for (const double absorption : {0.01, 2.0}) {
    const Result chosen = solve(absorption, Termination::automatic);
    const Result cutoff = solve(absorption, Termination::cutoff);
    EXPECT_EQ(chosen.termination, absorption < 1 ? Termination::cutoff : Termination::roulette);
    EXPECT_LT(chosen.relative_standard_error(), 2 * cutoff.relative_standard_error());
    for (std::size_t side = 0; side < 6; ++side) {
      EXPECT_EQ(chosen.wall_flux[side].net_flux, cutoff.wall_flux[side].net_flux);
    }
  }
  EXPECT_GT(solve(0.01, Termination::roulette).relative_standard_error(),
            4 * solve(0.01, Termination::automatic).relative_standard_error());
}

}  // namespace
}  // namespace ermine
