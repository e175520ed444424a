#include "transport/scene/scene.hpp"

#include "support/problems.hpp"
#include "support/spectra.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

/// Rises along one axis, with waves along all.
std::vector<double> steep_along(std::size_t axis, const Grid& grid) {
  std::vector<double> temperature(grid.cell_count());
  for (std::size_t i = 0; i < temperature.size(); ++i) {
    const auto at = grid.index(i);
    temperature[i] = 400 + 40.0 * static_cast<double>(at[axis]);
    for (const std::size_t a : {0, 1, 2}) temperature[i] += 10.0 * static_cast<double>(at[a] % 3);
  }
  return temperature;
}

TEST(SteepestAxis, IsThatOfTheLargestDifferencesForAnyNumberOfThreads) {
  const Grid grid({Axis::uniform(9, 0, 1), Axis::uniform(20, 0, 1), Axis::uniform(70, 0, 1)});
  for (const std::size_t axis : {0, 1, 2}) {
    const auto temperature = steep_along(axis, grid);
    for (const int threads : {1, 3, 8}) {
      EXPECT_EQ(steepest_axis(grid, temperature, threads), static_cast<int>(axis));
    }
  }
  const std::vector<double> isothermal(grid.cell_count(), 1000.1);
  for (const int threads : {1, 3}) EXPECT_EQ(steepest_axis(grid, isothermal, threads), 2);
}

TEST(StructureWavenumber, TakesNoRoundingForAStructure) {
  const Grid grid({Axis::uniform(9, 0, 1), Axis::stretched(20, 0, 1, 1.2), Axis::uniform(8, 0, 1)});
  std::vector<double> linear(grid.cell_count());
  for (std::size_t i = 0; i < linear.size(); ++i) linear[i] = 800 + 100 * grid.centre(i)[1];
  std::vector<double> rounded = linear;
  for (double& kelvin : rounded) kelvin = static_cast<double>(static_cast<float>(kelvin));
  EXPECT_EQ(structure_wavenumber(grid, linear, 1, 1), 0.0);
  EXPECT_EQ(structure_wavenumber(grid, rounded, 1, 1), 0.0);
}

TEST(SceneDensity, HasTheColdestAndHottestOfGasAndWalls) {
  const Grid grid({Axis::uniform(3, 0, 1), Axis::uniform(4, 0, 1), Axis::uniform(50, 0, 1)});
  std::vector<double> temperature(grid.cell_count(), 700.0);
  const auto density = [&](const Walls& walls) {
    return scene_density(Tracer(grid, walls, GreyMedium(1.0), {.threads = 3}), temperature);
  };
  temperature[17] = 650;
  temperature[599] = 1200;
  EXPECT_EQ(density(test::enclosure(grid, test::wall(800))).coldest, 650);
  EXPECT_EQ(density(test::enclosure(grid, test::wall(800))).hottest, 1200);
  EXPECT_EQ(density(test::enclosure(grid, test::wall(300))).coldest, 300);
  EXPECT_EQ(density(test::enclosure(grid, test::wall(1500))).hottest, 1500);
}

TEST(Scene, NamesTheFirstTemperatureThatIsRefused) {
  const Grid grid({Axis::uniform(4, 0, 1), Axis::uniform(5, 0, 1), Axis::uniform(6, 0, 1)});
  const SpectralList list({300, 100, 3}, {1, 2, 3, 4, 5, 6}, {10, 20, 30, 40, 50, 60});
  std::vector<double> temperature(grid.cell_count(), 400.0);
  temperature[7] = 501;
  temperature[70] = 299;
  temperature[110] = 1000;
  for (const int threads : {1, 2, 5}) {
    const Tracer tracer(grid, test::enclosure(grid, test::wall(400)), list, {.threads = threads});
    const Levels levels(grid, 1, 1, threads);
    test::expect_error(
        [&] { with_scene(tracer, levels, temperature, [](const auto&) { FAIL(); }); },
        {"temperature 501 K", "300 to 500 K"});
  }
}

}  // namespace
}  // namespace ermine
