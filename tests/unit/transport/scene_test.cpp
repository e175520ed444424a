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

/// A tracer between walls of one temperature and a field from `coldest` to `hottest`.
struct Ranged {
  Grid grid{{Axis::uniform(3, 0, 1), Axis::uniform(4, 0, 1), Axis::uniform(50, 0, 1)}};
  Walls walls;
  Medium medium = GreyMedium(1.0);

  explicit Ranged(double wall) : walls(test::enclosure(grid, test::wall(wall))) {}

  Tracer tracer() const { return Tracer(grid, walls, medium, {.threads = 3}); }
  std::vector<double> field(double coldest, double hottest) const {
    std::vector<double> temperature(grid.cell_count(), (coldest + hottest) / 2);
    temperature[17] = coldest;
    temperature[599] = hottest;
    return temperature;
  }
  std::pair<double, double> range(double coldest, double hottest) const {
    return scene_range(tracer(), field(coldest, hottest));
  }
  PointDensity density(double coldest, double hottest) const {
    return scene_density(tracer(), field(coldest, hottest));
  }
};

TEST(SceneRange, IsALittleWiderThanTheField) {
  for (const double low : {20.0, 299.7, 650.0, 1900.0}) {
    for (const double width : {1e-3, 0.37, 5.0, 64.0, 411.0, 2900.0}) {
      const double high = low + width;
      const auto [coldest, hottest] = Ranged(low).range(low + 0.3 * width, high);
      EXPECT_LE(coldest, low + 0.3 * width);
      EXPECT_GE(hottest, high);
      EXPECT_GE(coldest, low);
      EXPECT_LE(hottest - high, width / 16);
      EXPECT_LE(low + 0.3 * width - coldest, width / 16);
    }
  }
}

TEST(SceneRange, IsThatOfFieldsNearby) {
  const Ranged problem(800);
  const auto range = problem.range(655, 1190);
  EXPECT_EQ(problem.range(650, 1200), range);
  EXPECT_EQ(problem.range(641, 1215), range);
  EXPECT_NE(problem.range(639, 1215), range);
  EXPECT_NE(problem.range(641, 1217), range);
}

TEST(SceneRange, IsExactForOneTemperature) {
  EXPECT_EQ(Ranged(711.1).range(711.1, 711.1), std::pair(711.1, 711.1));
  EXPECT_EQ(Ranged(0).range(0, 0), std::pair(0.0, 0.0));
  EXPECT_EQ(Ranged(300).range(1011.0, 1011.0), std::pair(1011.0, 1011.0));
}

TEST(SceneRange, EndsWhereTheMediumIsCovered) {
  Ranged problem(500);
  problem.medium = SpectralList({301, 100, 3}, {1, 2, 3, 4, 5, 6}, {10, 20, 30, 40, 50, 60});
  EXPECT_EQ(problem.range(302, 500.5), std::pair(301.0, 501.0));
  // What is refused is not taken for covered.
  EXPECT_LE(problem.range(299, 502).first, 299);
  EXPECT_GE(problem.range(299, 502).second, 502);
}

TEST(SceneDensity, HasTheColdestAndHottestOfGasAndWalls) {
  EXPECT_EQ(Ranged(800).density(650, 1200).coldest, Ranged(800).range(650, 1200).first);
  EXPECT_EQ(Ranged(800).density(650, 1200).hottest, Ranged(800).range(650, 1200).second);
  EXPECT_EQ(Ranged(300).density(650, 1200).coldest, 300);
  EXPECT_EQ(Ranged(1500).density(650, 1200).hottest, 1500);
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
