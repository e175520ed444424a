#pragma once

#include "geometry/grid_view.hpp"

#include <cstddef>

namespace ermine {

/// Cells of a tile along each axis.
inline constexpr int tile_cells[3] = {4, 4, 2};
inline constexpr int cells_per_tile = 32;

ERMINE_FUNCTION constexpr int square(int value) { return value * value; }

/// Boxes of 4 x 4 x 2 neighbouring cells, x fastest; those at the end of an axis may be incomplete.
struct CellTiles {
  LevelView grid;

  ERMINE_FUNCTION Vec3<int> counts() const {
    return {{(grid.cells[0] + 3) / 4, (grid.cells[1] + 3) / 4, (grid.cells[2] + 1) / 2}};
  }
  ERMINE_FUNCTION int count() const {
    const Vec3<int> n = counts();
    return n[0] * n[1] * n[2];
  }
  /// Number `lane` of its cells; negative: beyond the grid.
  ERMINE_FUNCTION CellId at(int tile, int lane) const {
    const Vec3<int> n = counts();
    const Vec3<int> index{{4 * (tile % n[0]) + lane % 4, 4 * (tile / n[0] % n[1]) + lane / 4 % 4,
                           2 * (tile / (n[0] * n[1])) + lane / 16}};
    for (int a = 0; a < 3; ++a) {
      if (index[a] >= grid.cells[a]) return CellId{-1};
    }
    return grid.cell(index);
  }
  ERMINE_FUNCTION int tile_of(CellId cell) const {
    const Vec3<int> n = counts();
    const Vec3<int> index = grid.index(cell);
    return index[0] / 4 + n[0] * (index[1] / 4 + n[1] * (index[2] / 2));
  }
  /// Calls visit(cell, squared distance in cells) for a cell and those up to `reach` cells away
  /// from it along each axis.
  template <class Visit>
  ERMINE_FUNCTION void each_near(CellId cell, int reach, const Visit& visit) const {
    const Vec3<int> at = grid.index(cell);
    const auto begin = [&](int a) { return at[a] > reach ? at[a] - reach : 0; };
    const auto end = [&](int a) {
      return at[a] + reach < grid.cells[a] ? at[a] + reach + 1 : grid.cells[a];
    };
    for (int z = begin(2); z < end(2); ++z) {
      for (int y = begin(1); y < end(1); ++y) {
        for (int x = begin(0); x < end(0); ++x) {
          visit(grid.cell({{x, y, z}}), square(x - at[0]) + square(y - at[1]) + square(z - at[2]));
        }
      }
    }
  }
};

/// Boxes of 2 x 2 x 2 neighbouring tiles, x fastest; those at the end of an axis may be incomplete.
struct TileGroups {
  CellTiles tiles;

  static constexpr int tiles_per_group = 8;

  ERMINE_FUNCTION Vec3<int> counts() const {
    const Vec3<int> n = tiles.counts();
    return {{(n[0] + 1) / 2, (n[1] + 1) / 2, (n[2] + 1) / 2}};
  }
  ERMINE_FUNCTION int count() const {
    const Vec3<int> n = counts();
    return n[0] * n[1] * n[2];
  }
  /// Number `member` of the tiles of a group; negative: beyond the grid.
  ERMINE_FUNCTION int tile(int group, int member) const {
    const Vec3<int> n = counts();
    const Vec3<int> all = tiles.counts();
    const Vec3<int> at{{2 * (group % n[0]) + member % 2, 2 * (group / n[0] % n[1]) + member / 2 % 2,
                        2 * (group / (n[0] * n[1])) + member / 4}};
    for (int a = 0; a < 3; ++a) {
      if (at[a] >= all[a]) return -1;
    }
    return at[0] + all[0] * (at[1] + all[1] * at[2]);
  }
  /// That of a cell of the grid.
  ERMINE_FUNCTION int group_at(const Vec3<int>& index) const {
    const Vec3<int> n = counts();
    return index[0] / (2 * tile_cells[0]) +
           n[0] * (index[1] / (2 * tile_cells[1]) + n[1] * (index[2] / (2 * tile_cells[2])));
  }
  ERMINE_FUNCTION int group_of(int tile) const {
    const Vec3<int> n = counts();
    const Vec3<int> all = tiles.counts();
    return tile % all[0] / 2 +
           n[0] * (tile / all[0] % all[1] / 2 + n[1] * (tile / (all[0] * all[1]) / 2));
  }
};

/// Patches of 8 x 4 neighbouring wall face cells, lower axis first, side after side; those at the
/// end of an axis may be incomplete. Each lies beside one group of tiles of cells.
struct WallTiles {
  int wall[7];  ///< as in LevelView
  Vec3<int> cells;

  static constexpr int width = 8;
  static constexpr int height = 4;

  /// A side and a patch of it.
  struct Place {
    int side;
    int patch;
  };

  ERMINE_FUNCTION int columns(int side) const {
    return (cells[first_tangent(side / 2)] + width - 1) / width;
  }
  ERMINE_FUNCTION int rows(int side) const {
    return (cells[second_tangent(side / 2)] + height - 1) / height;
  }
  ERMINE_FUNCTION int tiles_of(int side) const {
    return wall[side + 1] > wall[side] ? columns(side) * rows(side) : 0;
  }
  ERMINE_FUNCTION int count() const {
    int count = 0;
    for (int side = 0; side < 6; ++side) count += tiles_of(side);
    return count;
  }
  ERMINE_FUNCTION Place place(int tile) const {
    int side = 0;
    while (tile >= tiles_of(side)) tile -= tiles_of(side++);
    return {side, tile};
  }
  ERMINE_FUNCTION WallCellId at(int tile, int lane) const {
    const auto [side, patch] = place(tile);
    const int fast = patch % columns(side) * width + lane % width;
    const int slow = patch / columns(side) * height + lane / width;
    const int across = cells[first_tangent(side / 2)];
    if (fast >= across || slow >= cells[second_tangent(side / 2)]) return WallCellId{-1};
    return WallCellId{wall[side] + fast + across * slow};
  }
  ERMINE_FUNCTION int tile_of(WallCellId cell) const {
    int side = 0;
    int before = 0;
    while (cell.value >= wall[side + 1]) before += tiles_of(side++);
    const int within = cell.value - wall[side];
    const int across = cells[first_tangent(side / 2)];
    return before + within % across / width + columns(side) * (within / across / height);
  }
  /// Cell of the grid beside the first face cell of a tile.
  ERMINE_FUNCTION Vec3<int> beside(int tile) const {
    const auto [side, patch] = place(tile);
    const int axis = side / 2;
    Vec3<int> index{};
    index[axis] = side % 2 == 0 ? 0 : cells[axis] - 1;
    index[first_tangent(axis)] = patch % columns(side) * width;
    index[second_tangent(axis)] = patch / columns(side) * height;
    return index;
  }
  /// As CellTiles has it, on the same side.
  template <class Visit>
  ERMINE_FUNCTION void each_near(WallCellId cell, int reach, const Visit& visit) const {
    int side = 0;
    while (cell.value >= wall[side + 1]) ++side;
    const int across = cells[first_tangent(side / 2)];
    const int up = cells[second_tangent(side / 2)];
    const int fast = (cell.value - wall[side]) % across;
    const int slow = (cell.value - wall[side]) / across;
    for (int y = slow > reach ? slow - reach : 0; y < up && y <= slow + reach; ++y) {
      for (int x = fast > reach ? fast - reach : 0; x < across && x <= fast + reach; ++x) {
        visit(WallCellId{wall[side] + x + across * y}, square(x - fast) + square(y - slow));
      }
    }
  }
};
static_assert(WallTiles::width * WallTiles::height == cells_per_tile);

}  // namespace ermine
