#pragma once

#include "geometry/grid_view.hpp"

#include <cmath>

namespace ermine {

/// uniform: all cells of an axis are equally wide on every level, so that none is looked up.
enum class Spacing { uniform, stretched };

/// The walk of a ray along one axis of the grid. Along an axis whose faces the ray is parallel to,
/// `next` is infinite and `inverse` holds minus the distance to the face ahead.
template <class Real>
struct AxisWalk {
  Real next;     ///< ray length at the next face
  Real inverse;  ///< ray length per distance along the axis
  Real through;  ///< ray length through one cell (uniform spacing only)
  int width;     ///< number of the cell's width (stretched spacing only)
  int stride;    ///< of the cell number, in the direction of travel
  int left;      ///< cells between this one and the end of the axis

  ERMINE_FUNCTION bool parallel() const { return !(inverse > 0); }
  ERMINE_FUNCTION int step() const { return stride > 0 ? 1 : -1; }
};

/// Where a ray starts and where it goes.
template <class Real>
struct RayStart {
  Vec3<int> index;       ///< of the cell, on the finest level
  Vec3<Real> offset;     ///< distance from the cell's low faces [m]
  Vec3<Real> direction;  ///< of unit length
};

/// Walks a straight ray from cell to cell (J. Amanatides & A. Woo, Eurographics 1987), keeping for
/// each axis the ray length at which its next face is met. The cell is tracked by integers only,
/// so that rounding can never lose the ray. A ray through an edge or corner crosses one face after
/// the other, with nothing travelled between. A direction component of exactly zero never meets a
/// face of its axis.
template <class Real, Spacing spacing>
class RayWalk {
 public:
  ERMINE_FUNCTION RayWalk(const GridView<Real>& grid, const RayStart<Real>& start)
      : cell_(grid.level->cell(start.index).value) {
    aim(x_, grid, 0, start.index[0], start.offset[0], start.direction[0]);
    aim(y_, grid, 1, start.index[1], start.offset[1], start.direction[1]);
    aim(z_, grid, 2, start.index[2], start.offset[2], start.direction[2]);
  }

  ERMINE_FUNCTION CellId cell() const { return CellId{cell_}; }
  ERMINE_FUNCTION int level() const { return level_; }

  /// Goes on to the next face; returns the length travelled in the current cell [m].
  ERMINE_FUNCTION Real advance() {
    const Real sooner = y_.next < x_.next ? y_.next : x_.next;
    const Real nearest = z_.next < sooner ? z_.next : sooner;
    const Real travelled = nearest - length_;
    length_ = nearest;
    return travelled;
  }

  /// Enters the cell behind the face reached by advance(). False at the end of an axis: turn() then.
  ERMINE_FUNCTION bool cross(const GridView<Real>& grid) {
    if (x_.next <= length_) {
      enter(x_, grid);
    } else if (y_.next <= length_) {
      enter(y_, grid);
    } else {
      enter(z_, grid);
    }
    return (x_.left | y_.left | z_.left) >= 0;
  }

  /// At the end of an axis. Periodic: enters the cell at its other end and returns -1. Walled: steps
  /// back into the last cell and returns the axis.
  ERMINE_FUNCTION int turn(const GridView<Real>& grid) {
    if (x_.left < 0) return turn(x_, grid, 0);
    if (y_.left < 0) return turn(y_, grid, 1);
    return turn(z_, grid, 2);
  }

  /// From here on among the cells of the next coarser level.
  ERMINE_FUNCTION void coarsen(const GridView<Real>& grid) {
    const LevelView& coarse = grid.level[level_ + 1];
    const int i = coarsen(x_, grid, 0);
    const int j = coarsen(y_, grid, 1);
    const int k = coarsen(z_, grid, 2);
    cell_ = coarse.cell({{i, j, k}}).value;
    ++level_;
  }

  /// The wall at the end of `axis`, where turn() has stepped back.
  ERMINE_FUNCTION WallPlace wall_place(const GridView<Real>& grid, int axis) const {
    const int step = axis == 0 ? x_.step() : (axis == 1 ? y_.step() : z_.step());
    return {2 * axis + (step > 0 ? 1 : 0),
            {{index(x_, grid, 0), index(y_, grid, 1), index(z_, grid, 2)}}};
  }

  ERMINE_FUNCTION void reflect_specular(const GridView<Real>& grid, int axis) {
    if (axis == 0) turn_back(x_, grid, 0);
    if (axis == 1) turn_back(y_, grid, 1);
    if (axis == 2) turn_back(z_, grid, 2);
  }

  /// Leaves a wall in `direction`, which points away from it.
  ERMINE_FUNCTION void restart_at_wall(const GridView<Real>& grid, Vec3<Real> direction) {
    restart(x_, grid, 0, direction[0]);
    restart(y_, grid, 1, direction[1]);
    restart(z_, grid, 2, direction[2]);
    length_ = 0;
  }

 private:
  ERMINE_FUNCTION const LevelView& here(const GridView<Real>& grid) const {
    return grid.level[level_];
  }

  ERMINE_FUNCTION void aim(AxisWalk<Real>& walk, const GridView<Real>& grid, int a, int index,
                           Real offset, Real direction) {
    const LevelView& level = here(grid);
    const bool back = direction < 0;
    walk.width = level.width[a] + index;
    walk.stride = back ? -level.stride[a] : level.stride[a];
    walk.left = back ? index : level.cells[a] - 1 - index;
    const Real width = grid.width[walk.width];
    const Real ahead = back ? offset : width - offset;
    walk.inverse = direction != 0 ? std::abs(1 / direction) : -ahead;
    walk.next = direction != 0 ? ahead * walk.inverse : static_cast<Real>(HUGE_VAL);
    walk.through = width * walk.inverse;
  }

  ERMINE_FUNCTION void enter(AxisWalk<Real>& walk, const GridView<Real>& grid) {
    if constexpr (spacing == Spacing::uniform) {
      walk.next += walk.through;
    } else {
      walk.width += walk.step();
      walk.next += grid.width[walk.width] * walk.inverse;
    }
    cell_ += walk.stride;
    --walk.left;
  }

  ERMINE_FUNCTION int turn(AxisWalk<Real>& walk, const GridView<Real>& grid, int a) {
    const int cells = here(grid).cells[a];
    if (grid.periodic[a]) {
      cell_ -= cells * walk.stride;
      walk.left += cells;
      if constexpr (spacing == Spacing::stretched) {
        walk.width -= cells * walk.step();
        walk.next += grid.width[walk.width] * walk.inverse;  // so far by the zero beyond the end
      }
      // Lengths are counted anew, so that they keep their digits on the longest way.
      x_.next -= length_;
      y_.next -= length_;
      z_.next -= length_;
      length_ = 0;
      return -1;
    }
    cell_ -= walk.stride;
    walk.left = 0;
    walk.next = length_;
    if constexpr (spacing == Spacing::stretched) walk.width -= walk.step();
    return a;
  }

  /// Returns the index of the coarse cell. The next coarse face is that of this cell, or of its
  /// neighbour in the same coarse cell if that lies ahead.
  ERMINE_FUNCTION int coarsen(AxisWalk<Real>& walk, const GridView<Real>& grid, int a) {
    const LevelView& fine = here(grid);
    const LevelView& coarse = grid.level[level_ + 1];
    const bool halved = coarse.cells[a] < fine.cells[a];
    const bool forward = walk.stride > 0;
    const int i = index(walk, grid, a);
    const int ratio = halved ? 2 : 1;
    if (halved && (i % 2 == 1) != forward && walk.left > 0) {
      const Real width = grid.width[fine.width[a] + i + walk.step()];
      if (walk.parallel()) {
        walk.inverse -= width;
      } else {
        walk.next += spacing == Spacing::uniform ? walk.through : width * walk.inverse;
      }
    }
    walk.through *= static_cast<Real>(ratio);
    walk.stride = forward ? coarse.stride[a] : -coarse.stride[a];
    walk.left = forward ? coarse.cells[a] - 1 - i / ratio : i / ratio;
    walk.width = coarse.width[a] + i / ratio;
    return i / ratio;
  }

  ERMINE_FUNCTION int index(const AxisWalk<Real>& walk, const GridView<Real>& grid, int a) const {
    return walk.stride > 0 ? here(grid).cells[a] - 1 - walk.left : walk.left;
  }

  ERMINE_FUNCTION void turn_back(AxisWalk<Real>& walk, const GridView<Real>& grid, int a) {
    const LevelView& level = here(grid);
    walk.next += grid.width[level.width[a] + index(walk, grid, a)] * walk.inverse;
    walk.left = level.cells[a] - 1;
    walk.stride = -walk.stride;
  }

  /// As aim(), from the face reached by advance().
  ERMINE_FUNCTION void restart(AxisWalk<Real>& walk, const GridView<Real>& grid, int a,
                               Real direction) {
    const int i = index(walk, grid, a);
    const Real width = grid.width[here(grid).width[a] + i];
    Real ahead = walk.parallel() ? -walk.inverse : (walk.next - length_) / walk.inverse;
    ahead = ahead < 0 ? Real(0) : (ahead > width ? width : ahead);
    aim(walk, grid, a, i, walk.stride > 0 ? width - ahead : ahead, direction);
  }

  AxisWalk<Real> x_, y_, z_;
  Real length_ = 0;  ///< since the direction was set, or the last turn
  int cell_;
  int level_ = 0;
};

}  // namespace ermine
