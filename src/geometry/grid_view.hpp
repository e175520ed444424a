#pragma once

#include "core/id.hpp"
#include "core/vec3.hpp"

namespace ermine {

/// The grid at one level of detail. Cells, wall face cells and widths of all levels are numbered
/// through; these are the numbers of the first of each.
struct LevelView {
  Vec3<int> cells;
  Vec3<int> stride;  ///< of the cell number, x fastest
  Vec3<int> width;   ///< of the first cell of each axis, among GridView::width
  int first_cell;
  int wall[7];  ///< first face cell of each side; last: one past the last of the level

  ERMINE_FUNCTION CellId cell(const Vec3<int>& index) const {
    return CellId{first_cell + index[0] * stride[0] + index[1] * stride[1] + index[2] * stride[2]};
  }

  ERMINE_FUNCTION Vec3<int> index(CellId cell) const {
    const int number = cell.value - first_cell;
    return {{number % cells[0], number / cells[0] % cells[1], number / (cells[0] * cells[1])}};
  }
};

/// What a ray needs of the grid: cell widths along each axis, and which axes wrap around.
template <class Real>
struct GridView {
  LevelView finest;          ///< the grid itself
  Vec3<Real> uniform_width;  ///< of its cells, where the spacing is uniform [m]
  const LevelView* level;    ///< [0]: the grid itself, [l]: half the resolution of l - 1
  const Real* width;         ///< [m]; a zero before the first and after the last cell of each axis
  int levels;
  int steps;  ///< of a ray on each level but the last
  Vec3<int> periodic;

  ERMINE_FUNCTION Real cell_width(int axis, int i) const { return width[finest.width[axis] + i]; }
};

/// Optical state of the walls, face cells of all walled sides and levels one after the other.
template <class Real>
struct WallsView {
  const Real* coordinate;  ///< temperature as the medium's coordinate
  const Real* emissivity;
  int specular[6];  ///< 1: mirror-like, 0: diffuse
};

/// Place on the walls: the side and the face cell within it.
struct WallPlace {
  int side;  ///< 2 * axis + (high ? 1 : 0)
  Vec3<int> index;
};

ERMINE_FUNCTION constexpr int first_tangent(int axis) { return axis == 0 ? 1 : 0; }
ERMINE_FUNCTION constexpr int second_tangent(int axis) { return axis == 2 ? 1 : 2; }

ERMINE_FUNCTION WallCellId wall_cell(const LevelView& level, const WallPlace& place) {
  // Choices rather than an index, which would send the place to a GPU's memory.
  const int axis = place.side / 2;
  const int fast = axis == 0 ? place.index[1] : place.index[0];
  const int slow = axis == 2 ? place.index[1] : place.index[2];
  return WallCellId{level.wall[place.side] + fast + level.cells[first_tangent(axis)] * slow};
}

/// The inverse of wall_cell().
ERMINE_FUNCTION WallPlace wall_place(const LevelView& level, WallCellId wall) {
  int side = 0;
  while (wall.value >= level.wall[side + 1]) ++side;
  const int fast = first_tangent(side / 2);
  const int slow = second_tangent(side / 2);
  const int within = wall.value - level.wall[side];
  WallPlace place{side, {}};
  place.index[side / 2] = side % 2 == 0 ? 0 : level.cells[side / 2] - 1;
  place.index[fast] = within % level.cells[fast];
  place.index[slow] = within / level.cells[fast];
  return place;
}

}  // namespace ermine
