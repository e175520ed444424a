#pragma once

#include "geometry/grid_view.hpp"

#include <cmath>

namespace ermine {

/// The walk of a ray along one axis of the grid.
template <class Real>
struct AxisWalk {
  const Real* width;  ///< of the cell [m], within those of the axis
  Real next;          ///< ray length at the next face
  Real inverse;       ///< ray length per distance along the axis; 0 for a ray parallel to the faces
  Real ahead;         ///< distance to the next face when the direction was set
  int step;           ///< +1 or -1
  int stride;         ///< of the cell number, in the direction of travel
  int left;           ///< cells between this one and the end of the axis

  /// Enters the next cell; returns the change of the cell number.
  ERMINE_FUNCTION int enter() {
    width += step;
    --left;
    next += *width * inverse;
    return stride;
  }
};

/// Where a ray starts and where it goes.
template <class Real>
struct RayStart {
  Vec3<int> index;       ///< of the cell
  Vec3<Real> offset;     ///< distance from the cell's low faces [m]
  Vec3<Real> direction;  ///< of unit length
};

/// Walks a straight ray from cell to cell (J. Amanatides & A. Woo, Eurographics 1987), keeping for
/// each axis the ray length at which its next face is met. The cell is tracked by integers only,
/// so that rounding can never lose the ray. A ray through an edge or corner crosses one face after
/// the other, with nothing travelled between. A direction component of exactly zero never meets a
/// face of its axis.
template <class Real>
class RayWalk {
 public:
  ERMINE_FUNCTION RayWalk(const GridView<Real>& grid, const RayStart<Real>& start)
      : cell_(grid.cell(start.index).value) {
    x_.width = grid.width[0] + start.index[0];
    y_.width = grid.width[1] + start.index[1];
    z_.width = grid.width[2] + start.index[2];
    aim(grid, start.offset, start.direction);
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
    if (x_.next <= length_) return cross(x_, grid, 0);
    if (y_.next <= length_) return cross(y_, grid, 1);
    return cross(z_, grid, 2);
  }

  /// The wall at which cross() refused.
  ERMINE_FUNCTION WallPlace wall_place(const GridView<Real>& grid) const {
    const int met = axis();
    const int step = met == 0 ? x_.step : (met == 1 ? y_.step : z_.step);
    return {2 * met + (step > 0 ? 1 : 0),
            {{index(x_, grid, 0), index(y_, grid, 1), index(z_, grid, 2)}}};
  }

  ERMINE_FUNCTION void reflect_specular(const GridView<Real>& grid) {
    const int met = axis();
    if (met == 0) turn_back(x_, grid.cells[0]);
    if (met == 1) turn_back(y_, grid.cells[1]);
    if (met == 2) turn_back(z_, grid.cells[2]);
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
    walk.step = back ? -1 : 1;
    walk.stride = walk.step * grid.stride[a];
    walk.left = back ? index(walk, grid, a) : grid.cells[a] - 1 - index(walk, grid, a);
    walk.ahead = back ? offset : *walk.width - offset;
    walk.inverse = direction != 0 ? std::abs(1 / direction) : Real(0);
    const Real never = static_cast<Real>(HUGE_VAL);
    walk.next = direction != 0 ? walk.ahead * walk.inverse : never;
  }

  ERMINE_FUNCTION static int index(const AxisWalk<Real>& walk, const GridView<Real>& grid, int a) {
    return static_cast<int>(walk.width - grid.width[a]);
  }

  ERMINE_FUNCTION static void turn_back(AxisWalk<Real>& walk, int cells) {
    walk.left = cells - 1;
    walk.step = -walk.step;
    walk.stride = -walk.stride;
    walk.next += *walk.width * walk.inverse;
  }

  /// Distance from the low face of the cell, at the face reached by advance(). A ray parallel to
  /// the faces has kept its first distance.
  ERMINE_FUNCTION Real offset(const AxisWalk<Real>& walk) const {
    const Real width = *walk.width;
    Real ahead = walk.inverse > 0 ? (walk.next - length_) / walk.inverse : walk.ahead;
    ahead = ahead < 0 ? Real(0) : (ahead > width ? width : ahead);
    return walk.step > 0 ? width - ahead : ahead;
  }

  /// The axis whose face advance() reached; the first one at an edge or corner.
  ERMINE_FUNCTION int axis() const { return x_.next <= length_ ? 0 : (y_.next <= length_ ? 1 : 2); }

  ERMINE_FUNCTION bool cross(AxisWalk<Real>& walk, const GridView<Real>& grid, int a) {
    if (walk.left == 0) {
      if (!grid.periodic[a]) return false;
      // Step back over the whole axis, to the ghost cell before its first one.
      walk.width -= grid.cells[a] * walk.step;
      walk.left = grid.cells[a];
      cell_ -= grid.cells[a] * walk.stride;
    }
    cell_ += walk.enter();
    return true;
  }

  AxisWalk<Real> x_, y_, z_;
  Real length_ = 0;  ///< since the direction was set
  int cell_;
};

}  // namespace ermine
