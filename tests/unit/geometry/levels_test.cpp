#include "geometry/levels.hpp"

#include "support/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace ermine {
namespace {

/// Any cell counts, stretched or not, with and without walls.
std::vector<Grid> many_grids() {
  const auto periodic = Boundary::periodic;
  return {
      Grid({Axis::uniform(1, 0, 1), Axis::uniform(7, -1, 1), Axis::stretched(64, 0, 2, 1.5)}),
      Grid({Axis::uniform(2, 0, 1, periodic), Axis::stretched(5, 0, 3, 1.0),
            Axis::uniform(3, 0, 1)}),
      Grid({Axis::stretched(9, 0, 1, 2.0), Axis::stretched(11, 0, 1, 2.0, periodic),
            Axis::stretched(5, 0, 1, 0.7)}),
      Grid({Axis::uniform(64, 0, 1), Axis::uniform(64, 0, 3, periodic), Axis::uniform(1, 0, 1)}),
      Grid({Axis::stretched(13, 0, 1, 1.1, periodic), Axis::uniform(6, 0, 1),
            Axis::uniform(17, 0, 1)}),
  };
}

int levels_of(int x, int y, int z, int count = 0) {
  const Grid grid({Axis::uniform(x, 0, 1), Axis::uniform(y, 0, 1), Axis::uniform(z, 0, 1)});
  return Levels(grid, count, 5).count();
}

/// Widths of the cells of an axis on a level.
std::vector<double> widths(const Levels& levels, const LevelView& level, int axis) {
  const auto first = levels.widths().begin() + level.width[axis];
  return {first, first + level.cells[axis]};
}

TEST(Levels, HalveEachAxisDownToAFewCells) {
  for (const int cells : {1, 2, 3, 4, 5, 7}) EXPECT_EQ(levels_of(cells, 1, 1), 1) << cells;
  for (const int cells : {6, 8, 9, 10, 13}) EXPECT_EQ(levels_of(cells, 1, 1), 2) << cells;
  EXPECT_EQ(levels_of(11, 1, 1), 3);
  EXPECT_EQ(levels_of(64, 1, 1), 5);
  EXPECT_EQ(levels_of(192, 1, 1), 7);
  EXPECT_EQ(levels_of(3, 2, 192), 7);
  EXPECT_EQ(levels_of(3 << 16, 1, 1), most_levels);
  // No more than asked for.
  EXPECT_EQ(levels_of(192, 192, 192, 1), 1);
  EXPECT_EQ(levels_of(192, 64, 5, 3), 3);
  EXPECT_EQ(levels_of(64, 1, 1, most_levels), 5);
  const Grid grid({Axis::uniform(192, 0, 1), Axis::uniform(64, 0, 1), Axis::uniform(9, 0, 1)});
  const Levels levels(grid, 0, 5);
  const int cells[7][3] = {{192, 64, 9}, {96, 32, 5}, {48, 16, 5}, {24, 8, 5},
                           {12, 4, 5},   {6, 4, 5},   {3, 4, 5}};
  for (std::size_t l = 0; l < 7; ++l) {
    for (int a = 0; a < 3; ++a) EXPECT_EQ(levels.views()[l].cells[a], cells[l][a]) << l;
  }
  EXPECT_EQ(levels.steps(), 5);
}

TEST(Levels, CoarseCellsCoverTheirChildren) {
  for (const Grid& grid : many_grids()) {
    const Levels levels(grid, 0, 1);
    for (std::size_t l = 0; l < levels.views().size(); ++l) {
      const LevelView& level = levels.views()[l];
      for (int a = 0; a < 3; ++a) {
        const auto axis = static_cast<std::size_t>(a);
        const double rounding = 1e-14 * grid.length(axis);
        const std::vector<double> row = widths(levels, level, a);
        double face = 0.0;
        for (const double width : row) face += width;
        EXPECT_NEAR(face, grid.length(axis), 10 * rounding);
        // A zero before the first and after the last.
        const auto first = static_cast<std::size_t>(level.width[a]);
        EXPECT_EQ(levels.widths()[first - 1], 0.0);
        EXPECT_EQ(levels.widths()[first + row.size()], 0.0);
        if (l == 0) {
          for (std::size_t i = 0; i < row.size(); ++i) EXPECT_EQ(row[i], grid.width(axis, i));
          continue;
        }
        const std::vector<double> fine = widths(levels, levels.views()[l - 1], a);
        if (row.size() == fine.size()) {
          EXPECT_TRUE(fine.size() < 6 || fine.size() == 7);
          EXPECT_EQ(row, fine);
          continue;
        }
        ASSERT_GE(row.size(), 3u);
        ASSERT_EQ(row.size(), (fine.size() + 1) / 2);
        for (std::size_t i = 0; i < row.size(); ++i) {
          const double second = 2 * i + 1 < fine.size() ? fine[2 * i + 1] : 0.0;
          EXPECT_NEAR(row[i], fine[2 * i] + second, rounding);
        }
      }
    }
  }
}

TEST(Levels, NumberTheirCellsThrough) {
  for (const Grid& grid : many_grids()) {
    const Levels levels(grid, 0, 1);
    int next = 0;
    for (const LevelView& level : levels.views()) {
      EXPECT_EQ(level.first_cell, next);
      for (int k = 0; k < level.cells[2]; ++k) {
        for (int j = 0; j < level.cells[1]; ++j) {
          for (int i = 0; i < level.cells[0]; ++i, ++next) {
            ASSERT_EQ(level.cell({{i, j, k}}).value, next);
            const Vec3<int> index = level.index(CellId{next});
            ASSERT_TRUE(index[0] == i && index[1] == j && index[2] == k);
          }
        }
      }
    }
    EXPECT_EQ(levels.cell_count(), static_cast<std::size_t>(next));
    EXPECT_EQ(levels.wall_cell_count(), static_cast<std::size_t>(levels.views().back().wall[6]));
  }
}

TEST(Levels, SpacingIsUniformWhereThatOfEveryLevelIs) {
  const auto spacing = [](const Axis& x, const Axis& y, int count) {
    return Levels(Grid({x, y, Axis::uniform(1, 0, 1)}), count, 5).spacing();
  };
  const auto uniform = [](int cells) { return Axis::uniform(cells, 0.1, 0.7); };
  EXPECT_EQ(spacing(uniform(64), uniform(192), 0), Spacing::uniform);
  EXPECT_EQ(spacing(uniform(3), uniform(2), 0), Spacing::uniform);
  EXPECT_EQ(spacing(uniform(5), uniform(7), 0), Spacing::uniform);
  // 18, 9, 5: the last of 5 is half as wide.
  EXPECT_EQ(spacing(uniform(64), uniform(18), 1), Spacing::uniform);
  EXPECT_EQ(spacing(uniform(64), uniform(18), 2), Spacing::uniform);
  EXPECT_EQ(spacing(uniform(64), uniform(18), 3), Spacing::stretched);
  EXPECT_EQ(spacing(uniform(9), uniform(1), 0), Spacing::stretched);
  EXPECT_EQ(spacing(uniform(64), Axis::stretched(4, 0, 1, 0.1), 1), Spacing::stretched);
}

struct Average {
  const char* name;
  CoarseTemperature coarse;
  double power;  ///< whose mean is kept
};

class LevelAverage : public testing::TestWithParam<Average> {};
INSTANTIATE_TEST_SUITE_P(Both, LevelAverage,
                         testing::Values(Average{"mean", CoarseTemperature::mean, 1.0},
                                         Average{"mean_fourth_power",
                                                 CoarseTemperature::mean_fourth_power, 4.0}),
                         [](const auto& param) { return param.param.name; });

TEST_P(LevelAverage, OfAConstantIsExactlyThatConstant) {
  for (const Grid& grid : many_grids()) {
    const Levels levels(grid, 0, 1);
    for (const double constant : {0.0, 777.7, 1e5 / 3}) {
      std::vector<double> cells(grid.cell_count(), constant);
      levels.extend(cells, average_of(GetParam().coarse));
      EXPECT_EQ(cells, std::vector<double>(levels.cell_count(), constant));
      std::vector<double> walls(static_cast<std::size_t>(levels.views()[0].wall[6]), constant);
      levels.extend_walls(walls, average_of(GetParam().coarse));
      EXPECT_EQ(walls, std::vector<double>(levels.wall_cell_count(), constant));
    }
  }
}

std::vector<double> random_temperatures(std::size_t count) {
  std::mt19937 generator(17);
  std::uniform_real_distribution<double> uniform(250, 2500);
  std::vector<double> values(count);
  for (double& value : values) value = uniform(generator);
  return values;
}

TEST_P(LevelAverage, KeepsTheIntegralOverTheVolume) {
  for (const Grid& grid : many_grids()) {
    const Levels levels(grid, 0, 1);
    std::vector<double> field = random_temperatures(grid.cell_count());
    const std::vector<double> given = field;
    const auto [coldest, hottest] = std::minmax_element(given.begin(), given.end());
    levels.extend(field, average_of(GetParam().coarse));
    ASSERT_TRUE(std::equal(given.begin(), given.end(), field.begin()));
    double first = 0.0;
    for (const LevelView& level : levels.views()) {
      double integral = 0.0;
      const auto cells = level.stride[2] * level.cells[2];
      for (int cell = level.first_cell; cell < level.first_cell + cells; ++cell) {
        const Vec3<int> at = level.index(CellId{cell});
        double volume = 1.0;
        for (int a = 0; a < 3; ++a) {
          volume *= levels.widths()[static_cast<std::size_t>(level.width[a] + at[a])];
        }
        const double value = field[static_cast<std::size_t>(cell)];
        ASSERT_GE(value, *coldest);
        ASSERT_LE(value, *hottest);
        integral += volume * std::pow(value, GetParam().power);
      }
      if (level.first_cell == 0) first = integral;
      EXPECT_NEAR(integral / first, 1.0, 1e-12);
    }
  }
}

TEST_P(LevelAverage, KeepsTheIntegralOverEachWall) {
  for (const Grid& grid : many_grids()) {
    const Levels levels(grid, 0, 1);
    std::vector<double> field =
        random_temperatures(static_cast<std::size_t>(levels.views()[0].wall[6]));
    const std::vector<double> given = field;
    levels.extend_walls(field, average_of(GetParam().coarse));
    ASSERT_TRUE(std::equal(given.begin(), given.end(), field.begin()));
    double first[6] = {};
    for (const LevelView& level : levels.views()) {
      for (int side = 0; side < 6; ++side) {
        double integral = 0.0;
        for (int wall = level.wall[side]; wall < level.wall[side + 1]; ++wall) {
          const WallPlace place = wall_place(level, WallCellId{wall});
          ASSERT_EQ(place.side, side);
          double area = 1.0;
          for (int a = 0; a < 3; ++a) {
            if (a == side / 2) continue;
            area *= levels.widths()[static_cast<std::size_t>(level.width[a] + place.index[a])];
          }
          integral += area * std::pow(field[static_cast<std::size_t>(wall)], GetParam().power);
        }
        if (level.first_cell == 0) first[side] = integral;
        EXPECT_NEAR(integral, first[side], 1e-12 * first[side]);
      }
    }
  }
}

TEST_P(LevelAverage, StaysBetweenColdestAndHottest) {
  // Beyond the hottest there may be no spectral data: not even by rounding.
  const Levels::Average average = average_of(GetParam().coarse);
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::uniform_int_distribution<int> near(0, 3);
  for (int trial = 0; trial < 100000; ++trial) {
    std::array<Levels::Part, 8> parts;
    const bool close = trial % 2 == 0;
    const double hot = 300 + 2700 * uniform(generator);
    for (Levels::Part& part : parts) {
      part.value = hot * (close ? 1 - near(generator) * 0x1p-52 : near(generator) / 3.0);
      part.size = std::pow(10.0, -6 * uniform(generator));
    }
    const auto [coldest, hottest] = std::minmax_element(
        parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    const double value = average(parts);
    ASSERT_GE(value, coldest->value);
    ASSERT_LE(value, hottest->value);
  }
}

}  // namespace
}  // namespace ermine
