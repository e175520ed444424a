#pragma once

#include "core/id.hpp"
#include "core/vec3.hpp"

namespace ermine {

/// What a ray needs of the grid: cell widths along each axis, and which axes wrap around.
template <class Real>
struct GridView {
  Vec3<const Real*> width;  ///< [m], per axis; entries -1 and cells[a] exist and are never used
  Vec3<int> cells;
  Vec3<int> stride;  ///< of the cell number, x fastest
  Vec3<int> periodic;

  ERMINE_FUNCTION CellId cell(const Vec3<int>& index) const {
    return CellId{index[0] * stride[0] + index[1] * stride[1] + index[2] * stride[2]};
  }

  ERMINE_FUNCTION Vec3<int> index(CellId cell) const {
    return {{cell.value % cells[0], cell.value / cells[0] % cells[1],
             cell.value / (cells[0] * cells[1])}};
  }
};

/// Optical state of the walls, face cells of all walled sides one after the other.
template <class Real>
struct WallsView {
  const Real* coordinate;  ///< temperature as the medium's coordinate
  const Real* emissivity;
  int offset[7];    ///< number of the first face cell of each side; last: how many there are
  int specular[6];  ///< 1: mirror-like, 0: diffuse
};

/// Place on the walls: the side and the face cell within it.
struct WallPlace {
  int side;  ///< 2 * axis + (high ? 1 : 0)
  Vec3<int> index;
};

ERMINE_FUNCTION constexpr int first_tangent(int axis) { return axis == 0 ? 1 : 0; }
ERMINE_FUNCTION constexpr int second_tangent(int axis) { return axis == 2 ? 1 : 2; }

template <class Real>
ERMINE_FUNCTION WallCellId wall_cell(const GridView<Real>& grid, const WallsView<Real>& walls,
                                     const WallPlace& place) {
  const int fast = first_tangent(place.side / 2);
  const int slow = second_tangent(place.side / 2);
  return WallCellId{walls.offset[place.side] + place.index[fast] +
                    grid.cells[fast] * place.index[slow]};
}

/// The inverse of wall_cell().
template <class Real>
ERMINE_FUNCTION WallPlace wall_place(const GridView<Real>& grid, const WallsView<Real>& walls,
                                     WallCellId wall) {
  int side = 0;
  while (wall.value >= walls.offset[side + 1]) ++side;
  const int fast = first_tangent(side / 2);
  const int slow = second_tangent(side / 2);
  const int within = wall.value - walls.offset[side];
  WallPlace place{side, {}};
  place.index[side / 2] = side % 2 == 0 ? 0 : grid.cells[side / 2] - 1;
  place.index[fast] = within % grid.cells[fast];
  place.index[slow] = within / grid.cells[fast];
  return place;
}

}  // namespace ermine
