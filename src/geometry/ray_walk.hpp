#pragma once

#include "geometry/grid_view.hpp"

#include <cmath>
#include <limits>

namespace ermine {

/// The walk of a ray along one axis of the grid.
template <class Real>
struct AxisWalk {
  const Real* width;  ///< of the cells [m]
  Real next;          ///< ray length at the next face
  Real inverse;       ///< ray length per distance along the axis; 0 for a ray parallel to the faces
  Real ahead;         ///< distance to the next face when the direction was set
  int index;          ///< of the cell
  int step;           ///< +1 or -1
  int stride;         ///< of the cell number, in the direction of travel
  int left;           ///< cells between this one and the end of the axis

  ERMINE_FUNCTION bool meets(Real length) const { return next <= length; }

  /// Enters the next cell if `meets`; returns the change of the cell number. Free of branches:
  /// which axis comes next cannot be predicted.
  ERMINE_FUNCTION int enter(bool meets) {
    const Real beyond = width[index + step] * inverse;
    const int mask = -static_cast<int>(meets);
    next += meets ? beyond : Real(0);
    index += step & mask;
    left += mask;
    return stride & mask;
  }
};

/// Walks a straight ray from cell to cell (J. Amanatides & A. Woo, Eurographics 1987), keeping for
/// each axis the ray length at which its next face is met. The cell is tracked by integers only,
/// so that rounding can never lose the ray. A ray through an edge or corner enters the cell
/// diagonally opposite. A direction component of exactly zero never meets a face of its axis.
template <class Real>
class RayWalk {
 public:
  /// Starts in the cell `index` at distance `offset` [m] from the cell's low faces.
  ERMINE_FUNCTION RayWalk(const GridView<Real>& grid, Vec3<int> index, Vec3<Real> offset,
                          Vec3<Real> direction)
      : cell_(index[0] * grid.stride[0] + index[1] * grid.stride[1] + index[2] * grid.stride[2]) {
    x_.index = index[0];
    y_.index = index[1];
    z_.index = index[2];
    aim(grid, offset, direction);
  }

  ERMINE_FUNCTION CellId cell() const { return CellId{cell_}; }

  /// Goes on to the next face; returns the length travelled in the current cell [m].
  ERMINE_FUNCTION Real advance() {
    const Real sooner = y_.next < x_.next ? y_.next : x_.next;
    const Real nearest = z_.next < sooner ? z_.next : sooner;
    const Real travelled = nearest - length_;
    length_ = nearest;
    return travelled;
  }

  /// Enters the cell behind the face reached by advance(). Returns false, and stays, at a wall.
  ERMINE_FUNCTION bool cross(const GridView<Real>& grid) {
    const bool x_meets = x_.meets(length_);
    const bool y_meets = y_.meets(length_);
    const bool z_meets = z_.meets(length_);
    const int beyond_end = (x_.left - x_meets) | (y_.left - y_meets) | (z_.left - z_meets);
    if (beyond_end < 0 && !wrap(grid)) return false;
    cell_ += x_.enter(x_meets) + y_.enter(y_meets) + z_.enter(z_meets);
    return true;
  }

  /// The wall at which cross() refused.
  ERMINE_FUNCTION WallPlace wall_place(const GridView<Real>& grid) const {
    const int axis = wall_axis(grid);
    const int step = axis == 0 ? x_.step : (axis == 1 ? y_.step : z_.step);
    return {2 * axis + (step > 0 ? 1 : 0), {{x_.index, y_.index, z_.index}}};
  }

  ERMINE_FUNCTION void reflect_specular(const GridView<Real>& grid) {
    const int axis = wall_axis(grid);
    if (axis == 0) turn_back(x_, grid.cells[0]);
    if (axis == 1) turn_back(y_, grid.cells[1]);
    if (axis == 2) turn_back(z_, grid.cells[2]);
  }

  /// Leaves the wall in `direction`, which points away from it.
  ERMINE_FUNCTION void restart_at_wall(const GridView<Real>& grid, Vec3<Real> direction) {
    aim(grid, {{offset(x_), offset(y_), offset(z_)}}, direction);
  }

 private:
  ERMINE_FUNCTION void aim(const GridView<Real>& grid, Vec3<Real> offset, Vec3<Real> direction) {
    length_ = 0;
    aim(x_, grid, 0, offset[0], direction[0]);
    aim(y_, grid, 1, offset[1], direction[1]);
    aim(z_, grid, 2, offset[2], direction[2]);
  }

  ERMINE_FUNCTION static void aim(AxisWalk<Real>& walk, const GridView<Real>& grid, int a,
                                  Real offset, Real direction) {
    const bool back = direction < 0;
    walk.width = grid.width[a];
    walk.step = back ? -1 : 1;
    walk.stride = walk.step * grid.stride[a];
    walk.left = back ? walk.index : grid.cells[a] - 1 - walk.index;
    walk.ahead = back ? offset : walk.width[walk.index] - offset;
    walk.inverse = direction != 0 ? std::abs(1 / direction) : Real(0);
    walk.next = direction != 0 ? walk.ahead * walk.inverse : std::numeric_limits<Real>::infinity();
  }

  ERMINE_FUNCTION static void turn_back(AxisWalk<Real>& walk, int cells) {
    walk.left = cells - 1;
    walk.step = -walk.step;
    walk.stride = -walk.stride;
    walk.next += walk.width[walk.index] * walk.inverse;
  }

  /// Distance from the low face of the cell, at the face reached by advance(). A ray parallel to
  /// the faces has kept its first distance.
  ERMINE_FUNCTION Real offset(const AxisWalk<Real>& walk) const {
    const Real width = walk.width[walk.index];
    Real ahead = walk.inverse > 0 ? (walk.next - length_) / walk.inverse : walk.ahead;
    ahead = ahead < 0 ? Real(0) : (ahead > width ? width : ahead);
    return walk.step > 0 ? width - ahead : ahead;
  }

  ERMINE_FUNCTION bool at_end(const AxisWalk<Real>& walk) const {
    return walk.meets(length_) && walk.left == 0;
  }

  ERMINE_FUNCTION int wall_axis(const GridView<Real>& grid) const {
    if (at_end(x_) && !grid.periodic[0]) return 0;
    return at_end(y_) && !grid.periodic[1] ? 1 : 2;
  }

  /// Prepares to leave through one end of a periodic axis and to come in through the other, by
  /// moving to the ghost cell before the first one. Returns false if there is a wall instead.
  ERMINE_FUNCTION bool wrap(const GridView<Real>& grid) {
    const bool x_ends = at_end(x_);
    const bool y_ends = at_end(y_);
    const bool z_ends = at_end(z_);
    if ((x_ends && !grid.periodic[0]) || (y_ends && !grid.periodic[1]) ||
        (z_ends && !grid.periodic[2])) {
      return false;
    }
    if (x_ends) wrap(x_, grid.cells[0]);
    if (y_ends) wrap(y_, grid.cells[1]);
    if (z_ends) wrap(z_, grid.cells[2]);
    return true;
  }

  ERMINE_FUNCTION void wrap(AxisWalk<Real>& walk, int cells) {
    walk.index -= cells * walk.step;
    walk.left = cells;
    cell_ -= cells * walk.stride;
  }

  AxisWalk<Real> x_, y_, z_;
  Real length_ = 0;  ///< since the direction was set
  int cell_;
};

}  // namespace ermine
