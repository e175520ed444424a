#pragma once

#include "core/reciprocal.hpp"
#include "geometry/grid_view.hpp"

#include <cmath>

namespace ermine {

/// uniform: all cells of an axis are equally wide on every level, so that none is looked up.
enum class Spacing { uniform, stretched };

/// The walk of a ray along one axis of the grid. Along an axis whose faces the ray is parallel to,
/// `next` is infinite and `slope` holds minus the distance to the face ahead.
template <class Real>
struct AxisWalk {
  Real next;   ///< ray length at the next face
  Real slope;  ///< ray length per distance along the axis
  int width;   ///< number of the cell's width (not kept up with uniform spacing)
  int stride;  ///< of the cell number, in the direction of travel
  int left;    ///< cells between this one and the end of the axis

  ERMINE_FUNCTION bool parallel() const { return !(slope > 0); }
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
/// face of its axis. With uniform spacing lengths are counted per axis in units of its cell width:
/// `slope` is then the ray length through one cell.
template <class Real, Spacing spacing>
class RayWalk {
 public:
  RayWalk() = default;
  ERMINE_FUNCTION RayWalk(const GridView<Real>& grid, const RayStart<Real>& start)
      : length_(0), cell_(grid.finest.cell(start.index).value), level_(0) {
    begin(x_, grid, 0, start);
    begin(y_, grid, 1, start);
    begin(z_, grid, 2, start);
  }

  ERMINE_FUNCTION CellId cell() const { return CellId{cell_}; }
  ERMINE_FUNCTION int level() const { return level_; }

  /// Goes on to the next face; returns the length travelled in the current cell [m].
  ERMINE_FUNCTION Real advance() {
    const Real nearest = next_face();
    const Real travelled = nearest - length_;
    length_ = nearest;
    return travelled;
  }

  /// Length that advance() would travel [m].
  ERMINE_FUNCTION Real ahead() const { return next_face() - length_; }
  /// Goes on within the current cell, less far than that.
  ERMINE_FUNCTION void go(Real length) { length_ += length; }

  /// Enters the cell behind the face reached by advance(). False at the end of an axis: turn()
  /// then.
  ERMINE_FUNCTION bool cross(const GridView<Real>& grid) {
    // Three plain questions rather than a chain: a GPU answers them without branching.
    const bool x = x_.next <= length_;
    const bool y = !x && y_.next <= length_;
    if (x) enter(x_, grid);
    if (y) enter(y_, grid);
    if (!x && !y) enter(z_, grid);
    return (x_.left | y_.left | z_.left) >= 0;
  }

  /// At the end of an axis. Periodic: enters the cell at its other end and returns -1. Walled:
  /// steps back into the last cell and returns the axis.
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

  /// Of unit length but for rounding.
  ERMINE_FUNCTION Vec3<Real> direction(const GridView<Real>& grid) const {
    return {{component(x_, grid, 0), component(y_, grid, 1), component(z_, grid, 2)}};
  }

  /// Goes on from here in `direction`, which at a wall points away from it.
  ERMINE_FUNCTION void restart(const GridView<Real>& grid, Vec3<Real> direction) {
    restart(x_, grid, 0, direction[0]);
    restart(y_, grid, 1, direction[1]);
    restart(z_, grid, 2, direction[2]);
    length_ = 0;
  }

 private:
  ERMINE_FUNCTION Real next_face() const {
    const Real sooner = y_.next < x_.next ? y_.next : x_.next;
    return z_.next < sooner ? z_.next : sooner;
  }

  ERMINE_FUNCTION const LevelView& here(const GridView<Real>& grid) const {
    return grid.level[level_];
  }

  ERMINE_FUNCTION static void begin(AxisWalk<Real>& walk, const GridView<Real>& grid, int a,
                                    const RayStart<Real>& start) {
    const Real width =
        spacing == Spacing::uniform ? grid.uniform_width[a] : grid.cell_width(a, start.index[a]);
    aim(walk, grid.finest, a, width, start.index[a], start.offset[a], start.direction[a]);
  }

  ERMINE_FUNCTION static void aim(AxisWalk<Real>& walk, const LevelView& level, int a, Real width,
                                  int index, Real offset, Real direction) {
    const bool back = direction < 0;
    const Real ahead = back ? offset : width - offset;
    const Real inverse = std::abs(reciprocal(direction));
    walk.width = level.width[a] + index;
    walk.stride = back ? -level.stride[a] : level.stride[a];
    walk.left = back ? index : level.cells[a] - 1 - index;
    walk.next = direction != 0 ? ahead * inverse : static_cast<Real>(HUGE_VAL);
    walk.slope =
        direction != 0 ? (spacing == Spacing::uniform ? width * inverse : inverse) : -ahead;
  }

  ERMINE_FUNCTION void enter(AxisWalk<Real>& walk, const GridView<Real>& grid) {
    if constexpr (spacing == Spacing::uniform) {
      walk.next += walk.slope;
    } else {
      walk.width += walk.step();
      walk.next += grid.width[walk.width] * walk.slope;
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
        walk.next += grid.width[walk.width] * walk.slope;  // so far by the zero beyond the end
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
    const int coarse_i = halved ? i / 2 : i;
    const bool neighbour_ahead = halved && (i % 2 == 1) != forward && walk.left > 0;
    if (walk.parallel()) {
      if (neighbour_ahead) walk.slope -= grid.width[fine.width[a] + i + walk.step()];
    } else if constexpr (spacing == Spacing::uniform) {
      if (neighbour_ahead) walk.next += walk.slope;
      if (halved) walk.slope *= 2;
    } else if (neighbour_ahead) {
      walk.next += grid.width[fine.width[a] + i + walk.step()] * walk.slope;
    }
    walk.stride = forward ? coarse.stride[a] : -coarse.stride[a];
    walk.left = forward ? coarse.cells[a] - 1 - coarse_i : coarse_i;
    walk.width = coarse.width[a] + coarse_i;
    return coarse_i;
  }

  ERMINE_FUNCTION int index(const AxisWalk<Real>& walk, const GridView<Real>& grid, int a) const {
    return walk.stride > 0 ? here(grid).cells[a] - 1 - walk.left : walk.left;
  }

  ERMINE_FUNCTION void turn_back(AxisWalk<Real>& walk, const GridView<Real>& grid, int a) {
    const LevelView& level = here(grid);
    const Real through = spacing == Spacing::uniform
                             ? walk.slope
                             : grid.width[level.width[a] + index(walk, grid, a)] * walk.slope;
    walk.next += through;
    walk.left = level.cells[a] - 1;
    walk.stride = -walk.stride;
  }

  ERMINE_FUNCTION Real component(const AxisWalk<Real>& walk, const GridView<Real>& grid,
                                 int a) const {
    if (walk.parallel()) return 0;
    const Real width = spacing == Spacing::uniform
                           ? grid.width[here(grid).width[a] + index(walk, grid, a)]
                           : Real(1);
    return walk.stride > 0 ? width / walk.slope : -width / walk.slope;
  }

  /// As aim(), from where the ray is.
  ERMINE_FUNCTION void restart(AxisWalk<Real>& walk, const GridView<Real>& grid, int a,
                               Real direction) {
    const int i = index(walk, grid, a);
    const Real width = grid.width[here(grid).width[a] + i];
    const Real distance = spacing == Spacing::uniform ? width : Real(1);
    Real ahead = walk.parallel() ? -walk.slope : (walk.next - length_) / walk.slope * distance;
    ahead = ahead < 0 ? Real(0) : (ahead > width ? width : ahead);
    aim(walk, here(grid), a, width, i, walk.stride > 0 ? width - ahead : ahead, direction);
  }

  AxisWalk<Real> x_, y_, z_;
  Real length_;  ///< since the direction was set, or the last turn
  int cell_;
  int level_;
};

}  // namespace ermine
