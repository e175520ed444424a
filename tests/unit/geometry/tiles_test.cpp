#include "geometry/tiles.hpp"

#include "support/levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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
      for (int n = 0; n < WallTiles::neighbours; ++n) {
        const int other = tiles.neighbour(tile, n);
        if (other < 0) continue;
        EXPECT_EQ(tiles.place(other).side, tiles.place(tile).side);
        EXPECT_EQ(tiles.neighbour(other, n ^ 1), tile);
      }
    }
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
  }
}

}  // namespace
}  // namespace ermine
