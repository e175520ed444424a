#include "geometry/tiles.hpp"

#include "support/levels.hpp"

#include <gtest/gtest.h>

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

TEST(Tiles, OfWallsHoldEveryFaceCellOnce) {
  for (const WallTiles& tiles :
       {WallTiles{{0, 0, 0, 0, 0, 0, 0}}, WallTiles{{0, 0, 0, 1, 33, 33, 33}},
        WallTiles{{0, 32, 64, 100, 133, 134, 300}}}) {
    int found = 0;
    for (int tile = 0; tile < tiles.count(); ++tile) {
      const int first = found;
      for (int lane = 0; lane < cells_per_tile; ++lane) {
        const WallCellId wall = tiles.at(tile, lane);
        if (wall.value < 0) continue;
        EXPECT_EQ(wall.value, found++);
        EXPECT_EQ(tiles.tile_of(wall), tile);
      }
      for (const int start : tiles.wall) EXPECT_FALSE(first < start && start < found);
    }
    EXPECT_EQ(found, tiles.wall[6]);
  }
}

}  // namespace
}  // namespace ermine
