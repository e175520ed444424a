#pragma once

#include "core/pack.hpp"
#include "transport/ray/lane_walk.hpp"

namespace ermine {

/// The walk of LaneWalk, but no farther than into a wall, and for as many steps as each ray may
/// take: at most `halo`.
template <class Pack, bool uniform>
struct LaneWalkToWall : LaneWalk<Pack, uniform> {
  using Float = typename Pack::Float;
  using Int = typename Pack::Int;
  using Mask = typename Pack::Mask;
  using Walk = LaneWalk<Pack, uniform>;
  using Walk::at;
  using Walk::cell;
  using Walk::length;
  using Walk::next;
  using Walk::slope;
  using Walk::step;
  using Walk::stride;
  using Walk::width;

  Mask goes;  ///< has not come to its end
  /// Four bytes: steps along x, y and z, and all of them. Where one comes to 128, the ray stops.
  Int begin, counters;

  ERMINE_PACK LaneWalkToWall(const LaneScene& scene, const LaneLevel& level,
                             const LanePack<Pack>& rays, Int steps)
      : Walk(scene, level, rays) {
    begin = (Int(128) - steps).template left<24>();
    add_cells_left<0>(scene, level, rays);
    add_cells_left<1>(scene, level, rays);
    add_cells_left<2>(scene, level, rays);
    counters = begin;
    goes = going();
  }

  /// Through one cell, or not; returns the length travelled.
  ERMINE_PACK Float advance() {
    const Float nearest = Pack::min(Pack::min(next[0], next[1]), next[2]);
    const Float travelled = Pack::where(goes, nearest - length);
    length = Pack::select(goes, nearest, length);
    const Mask x = (next[0] <= next[1]) & (next[0] <= next[2]);
    const Mask y = Pack::but_not(next[1] <= next[2], x);
    const Mask go_x = x & goes;
    const Mask go_y = y & goes;
    const Mask go_z = Pack::but_not(goes, x | y);
    cell = cell + Pack::where(goes, select(x, y, stride[0], stride[1], stride[2]));
    counters = counters +
               Pack::where(goes, select(x, y, Int(0x01000001), Int(0x01000100), Int(0x01010000)));
    if constexpr (uniform) {
      next[0] = Pack::add_where(go_x, next[0], slope[0]);
      next[1] = Pack::add_where(go_y, next[1], slope[1]);
      next[2] = Pack::add_where(go_z, next[2], slope[2]);
    } else {
      const Int to = select(x, y, at[0] + step[0], at[1] + step[1], at[2] + step[2]);
      const Float chosen = Pack::select(x, slope[0], Pack::select(y, slope[1], slope[2]));
      const Float through = Pack::gather(width, to) * chosen;
      next[0] = Pack::add_where(go_x, next[0], through);
      next[1] = Pack::add_where(go_y, next[1], through);
      next[2] = Pack::add_where(go_z, next[2], through);
      at[0] = Pack::select(go_x, to, at[0]);
      at[1] = Pack::select(go_y, to, at[1]);
      at[2] = Pack::select(go_z, to, at[2]);
    }
    goes = going();
    return travelled;
  }

  /// Number of steps taken.
  ERMINE_PACK Int steps() const { return (counters - begin).template right<24>(); }

  /// Index of the cells they have come to, counted on beyond the ends of the axis.
  template <int a>
  ERMINE_PACK Int index(const LanePack<Pack>& from) const {
    const Int steps = (counters - begin).template right<8 * a>() & Int(255);
    const Int back = Pack::bits_of(from.slope[a]).sign();
    return from.index[a] + ((steps ^ back) - back);
  }

 private:
  ERMINE_PACK static Int select(Mask x, Mask y, Int of_x, Int of_y, Int of_z) {
    return Pack::select(x, of_x, Pack::select(y, of_y, of_z));
  }
  ERMINE_PACK Mask going() const { return (counters & Int(0x80808080u)) == Int(0); }

  /// The step from the last cell of an axis leads into its wall.
  template <int a>
  ERMINE_PACK void add_cells_left(const LaneScene& scene, const LaneLevel& level,
                                  const LanePack<Pack>& rays) {
    if (scene.periodic[a]) return;
    const Int back = Pack::bits_of(rays.slope[a]).sign();
    const Int left =
        Pack::select(back == Int(0), Int(level.cells[a] - 1) - rays.index[a], rays.index[a]);
    begin = begin + (Int(127) - Pack::unsigned_min(left, Int(halo))).template left<8 * a>();
  }
};

}  // namespace ermine
