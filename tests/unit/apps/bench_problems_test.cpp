#include "bench_problems.hpp"

#include "embedded.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ermine::cli {
namespace {

class ChannelProblem : public testing::TestWithParam<int> {
 protected:
  /// Temperatures [K] of the plane of cells at this distance from the hot wall.
  std::vector<double> plane(std::size_t i) const {
    std::vector<double> values;
    for (std::size_t cell = i; cell < channel_.temperature.size(); cell += channel_.grid.cells(0)) {
      values.push_back(channel_.temperature[cell]);
    }
    return values;
  }

  Case channel_ = channel_problem(GetParam(), "cpu");
};

TEST_P(ChannelProblem, IsABoxBetweenAHotAndAColdWall) {
  const Grid& grid = channel_.grid;
  EXPECT_DOUBLE_EQ(grid.length(0), 2);
  EXPECT_DOUBLE_EQ(grid.length(1), 2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(grid.length(2), 4 * std::numbers::pi);
  EXPECT_FALSE(grid.periodic(0));
  EXPECT_TRUE(grid.periodic(1) && grid.periodic(2));
  EXPECT_LT(grid.width(0, 0), 0.6 * 2 / GetParam());
  EXPECT_EQ(channel_.walls.temperature(Face::x_low, 0), 955);
  EXPECT_EQ(channel_.walls.temperature(Face::x_high, 0), 573);
  EXPECT_EQ(channel_.walls.emissivity(Face::x_high, 0), 1);
  EXPECT_EQ(channel_.options.rays_per_wall_face, 0);
}

/// Next to a wall the gas has its temperature and hardly varies; in between it does.
TEST_P(ChannelProblem, FluctuatesAwayFromTheWalls) {
  const auto spread = [](const std::vector<double>& values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return *high - *low;
  };
  const std::size_t cells = channel_.grid.cells(0);
  const double distance = channel_.grid.centre(0, 0);  // of the first cells from their wall [m]
  for (const auto& [i, wall] : {std::pair(std::size_t{0}, 955.0), std::pair(cells - 1, 573.0)}) {
    const auto values = plane(i);
    for (const double value : values) EXPECT_NEAR(value, wall, 3000 * distance);
  }
  EXPECT_GT(spread(plane(cells / 2)), 100);
  const auto [low, high] =
      std::minmax_element(channel_.temperature.begin(), channel_.temperature.end());
  EXPECT_GE(*low, 573);
  EXPECT_LE(*high, 955);
}

INSTANTIATE_TEST_SUITE_P(Grids, ChannelProblem, testing::Values(16, 32));

TEST(SlabProfile, IsTheSlabWithFewerCells) {
  const Case slab = slab_problem(8, "cpu");
  const Case profile = bench_problem("case10").make_profile(8, "cpu");
  EXPECT_EQ(profile.grid.cell_count(), 72u);
  for (std::size_t cell = 0; cell < slab.temperature.size(); ++cell) {
    EXPECT_EQ(slab.temperature[cell], profile.temperature[cell % 8]);
  }
}

/// Times of cubes can be compared: only gas and walls differ.
TEST(Cubes, DifferInGasAndWalls) {
  struct Expected {
    const char* name;
    std::size_t components;
    std::size_t cells_of_composition;
    double emissivity;
  };
  const Case vapour = eddies_problem(4, "cpu");
  for (const Expected& expected :
       {Expected{"cube", 1, 1, 1}, Expected{"cube-mixture", 3, 1, 1},
        Expected{"cube-fields", 3, 64, 1}, Expected{"cube-grey-walls", 1, 1, 0.7},
        Expected{"cube-fields-grey-walls", 3, 64, 0.7}}) {
    SCOPED_TRACE(expected.name);
    const Case cube = bench_problem(expected.name).make(4, "cpu");
    const auto& gas = std::get<GasMedium>(cube.medium);
    EXPECT_EQ(gas.component_count(), expected.components);
    EXPECT_EQ(gas.cell_count(), expected.cells_of_composition);
    EXPECT_EQ(cube.temperature, vapour.temperature);
    for (const Face face : all_faces) {
      EXPECT_EQ(cube.walls.emissivity(face, 0), expected.emissivity);
      EXPECT_EQ(cube.walls.temperature(face, 0), 750);
    }
  }
}

/// On as many cells as `ermine validate` has, the problems are the same.
TEST(Boxes, AreThoseOfValidation) {
  const auto expect_same = [](const char* name, int grid, const std::string& text) {
    const BenchProblem& problem = bench_problem(name);
    const Case made = problem.make(grid, "cpu");
    const Case validated = parse_case(text, "validation.toml");
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(made.grid.cells(axis), validated.grid.cells(axis)) << name;
    }
    EXPECT_EQ(problem.cell_count(grid), validated.grid.cell_count());
    EXPECT_EQ(made.temperature, validated.temperature) << name;
  };
  expect_same("flame", 24, embedded::jet_flame);
  expect_same("furnace", 20, embedded::mirror_furnace);
}

}  // namespace
}  // namespace ermine::cli
