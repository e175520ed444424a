#include "geometry/tiles.hpp"

#include "support/levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace ermine {
namespace {

TEST(Tiles, HoldEveryCellOnce) {
  for (const auto& [x, y, z] : {std::array{8, 4, 2}, std::array{5, 9, 3}, std::array{1, 1, 1}}) {
    const Grid grid({Axis::uniform(x, 0, 1), Axis::uniform(y, 0, 1), Axis::uniform(z, 0, 1)});
    const CellTiles tiles{test::one_level(grid).views().front()};
    std::vector<int> found(grid.cell_count());
    for (int tile = 0; tile < tiles.count(); ++tile) {
      EXPECT_GE(tiles.at(tile, 0).value, 0);
      for (int lane = 0; lane < cells_per_tile; ++lane) {
        const CellId cell = tiles.at(tile, lane);
        if (cell.value < 0) continue;
        ++found[static_cast<std::size_t>(cell.value)];
        EXPECT_EQ(tiles.tile_of(cell), tile);
      }
    }
    EXPECT_EQ(found, std::vector<int>(grid.cell_count(), 1));
  }
}

/// All sides but those of periodic axes.
WallTiles wall_tiles(const Vec3<int>& cells, const std::array<bool, 3>& walled) {
  WallTiles tiles{{}, cells};
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2;
    const int faces = cells[first_tangent(axis)] * cells[second_tangent(axis)];
    tiles.wall[side + 1] = tiles.wall[side] + (walled[static_cast<std::size_t>(axis)] ? faces : 0);
  }
  return tiles;
}

TEST(Tiles, OfWallsHoldEveryFaceCellOnceBesideOneGroup) {
  for (const auto& walled : {std::array{false, false, false}, std::array{false, true, true},
                             std::array{true, true, true}}) {
    const WallTiles tiles = wall_tiles({{17, 9, 13}}, walled);
    LevelView grid{};
    grid.cells = tiles.cells;
    std::copy(std::begin(tiles.wall), std::end(tiles.wall), grid.wall);
    TileGroups groups{};
    groups.tiles.grid = grid;
    std::vector<int> seen(static_cast<std::size_t>(tiles.wall[6]));
    for (int tile = 0; tile < tiles.count(); ++tile) {
      const int group = groups.group_at(tiles.beside(tile));
      for (int lane = 0; lane < cells_per_tile; ++lane) {
        const WallCellId wall = tiles.at(tile, lane);
        if (wall.value < 0) continue;
        ++seen[static_cast<std::size_t>(wall.value)];
        EXPECT_EQ(tiles.tile_of(wall), tile);
        const WallPlace place = wall_place(grid, wall);
        EXPECT_EQ(place.side, tiles.place(tile).side);
        EXPECT_EQ(groups.group_at(place.index), group);
      }
    }
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
  }
}

TEST(Tiles, KnowCellsThatAreNear) {
  const Grid grid({Axis::uniform(7, 0, 1), Axis::uniform(4, 0, 1), Axis::uniform(1, 0, 1)});
  CellTiles tiles{};
  tiles.grid = test::one_level(grid).views().front();
  for (int from = 0; from < 28; ++from) {
    std::vector<int> expected, found;
    for (int to = 0; to < 28; ++to) {
      const int x = to % 7 - from % 7;
      const int y = to / 7 - from / 7;
      if (std::abs(x) <= 2 && std::abs(y) <= 2)
        expected.insert(expected.end(), {to, x * x + y * y});
    }
    tiles.each_near(CellId{from}, 2, [&](CellId cell, int squared) {
      found.insert(found.end(), {cell.value, squared});
    });
    EXPECT_EQ(found, expected);
  }
}

TEST(Tiles, KnowFaceCellsThatAreNearOnTheSameSide) {
  const WallTiles tiles = wall_tiles({{5, 4, 3}}, {true, false, true});
  for (int from = 0; from < tiles.wall[6]; ++from) {
    int side = 0;
    while (from >= tiles.wall[side + 1]) ++side;
    const int across = tiles.cells[first_tangent(side / 2)];
    std::vector<int> expected, found;
    for (int to = tiles.wall[side]; to < tiles.wall[side + 1]; ++to) {
      const int x = (to - tiles.wall[side]) % across - (from - tiles.wall[side]) % across;
      const int y = (to - tiles.wall[side]) / across - (from - tiles.wall[side]) / across;
      if (std::abs(x) <= 1 && std::abs(y) <= 1)
        expected.insert(expected.end(), {to, x * x + y * y});
    }
    tiles.each_near(WallCellId{from}, 1, [&](WallCellId cell, int squared) {
      found.insert(found.end(), {cell.value, squared});
    });
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace ermine
