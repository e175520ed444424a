#pragma once

#include "core/pack.hpp"
#include "transport/ray/lane_rays.hpp"

namespace ermine {

/// Rays walking from cell to cell on one level, as RayWalk does: a tie of two faces is crossed in
/// the order x, y, z. They do not look where they are (see halo).
template <class Pack, bool uniform>
struct LaneWalk {
  using Float = typename Pack::Float;
  using Int = typename Pack::Int;
  using Mask = typename Pack::Mask;

  Float next[3];
  Float slope[3];
  Int stride[3];
  Float length;
  Int cell;
  // Not with uniform spacing:
  const float* width;
  Int at[3];    ///< number of the cell's width
  Int step[3];  ///< 1 or -1

  ERMINE_PACK LaneWalk(const LaneScene& scene, const LaneLevel& level, const LanePack<Pack>& rays)
      : length(0.0f), cell(level.first), width(scene.width) {
    for (int a = 0; a < 3; ++a) {
      const Int back = Pack::bits_of(rays.slope[a]).sign();
      next[a] = rays.next[a];
      slope[a] = Pack::absolute(rays.slope[a]);
      stride[a] = (Int(level.stride[a]) ^ back) - back;
      cell = cell + rays.index[a] * Int(level.stride[a]);
      if constexpr (!uniform) {
        at[a] = rays.index[a] + Int(level.width[a]);
        step[a] = (Int(1) ^ back) - back;
      }
    }
  }

  /// Through one cell; returns the length travelled.
  ERMINE_PACK Float advance() {
    const Float nearest = Pack::min(Pack::min(next[0], next[1]), next[2]);
    const Float travelled = nearest - length;
    length = nearest;
    const Mask x = (next[0] <= next[1]) & (next[0] <= next[2]);
    const Mask y = Pack::but_not(next[1] <= next[2], x);
    const Mask x_or_y = x | y;
    cell = cell + Pack::select(x, stride[0], Pack::select(y, stride[1], stride[2]));
    if constexpr (uniform) {
      next[0] = Pack::add_where(x, next[0], slope[0]);
      next[1] = Pack::add_where(y, next[1], slope[1]);
      next[2] = Pack::add_unless(x_or_y, next[2], slope[2]);
    } else {
      const Int to =
          Pack::select(x, at[0] + step[0], Pack::select(y, at[1] + step[1], at[2] + step[2]));
      const Float chosen = Pack::select(x, slope[0], Pack::select(y, slope[1], slope[2]));
      const Float through = Pack::gather(width, to) * chosen;
      next[0] = Pack::add_where(x, next[0], through);
      next[1] = Pack::add_where(y, next[1], through);
      next[2] = Pack::add_unless(x_or_y, next[2], through);
      at[0] = Pack::select(x, to, at[0]);
      at[1] = Pack::select(y, to, at[1]);
      at[2] = Pack::select(x_or_y, at[2], to);
    }
    return travelled;
  }

  /// Index of the cells they have come to, counted on beyond the ends of the axis.
  ERMINE_PACK Int index(const LaneLevel& level, const LanePack<Pack>& from, int a) const {
    if constexpr (uniform) {
      const Int steps = Pack::nearest((next[a] - from.next[a]) * Pack::rough_inverse(slope[a]));
      const Int back = Pack::bits_of(from.slope[a]).sign();
      return from.index[a] + ((steps ^ back) - back);
    } else {
      return at[a] - Int(level.width[a]);
    }
  }
};

/// The cell that a place beyond the end of a periodic axis stands for, however far beyond.
template <class Pack>
ERMINE_PACK typename Pack::Int wrapped_from_afar(typename Pack::Int index, int cells) {
  using Float = typename Pack::Float;
  const Float rounds =
      Pack::floor((Pack::to_float(index) + Float(0.5f)) * Float(1.0f / static_cast<float>(cells)));
  return index - Pack::truncate(rounds) * typename Pack::Int(cells);
}

/// The same for a place that lies at most `halo` cells beyond the end.
template <class Pack>
ERMINE_PACK typename Pack::Int wrapped(typename Pack::Int index, int cells) {
  using Int = typename Pack::Int;
  if (cells < halo) return wrapped_from_afar<Pack>(index, cells);
  // Numbers below zero are the largest unsigned ones.
  const Int up = Pack::unsigned_min(index, index + Int(cells));
  return Pack::unsigned_min(up, up - Int(cells));
}

/// From here on among the cells of the next coarser level, see RayWalk::coarsen().
template <class Pack, bool uniform>
ERMINE_PACK void coarsen(const LaneScene& scene, int level, LanePack<Pack>& rays) {
  using Float = typename Pack::Float;
  using Int = typename Pack::Int;
  using Mask = typename Pack::Mask;
  const LaneLevel& fine = scene.level[level];
  const LaneLevel& coarse = scene.level[level + 1];
  for (int a = 0; a < 3; ++a) {
    // Beyond the ends of an axis that does not wrap there are as many whole pairs as within.
    const bool unrolled = scene.periodic[a] && !fine.wraps[a];
    const bool comes_back = unrolled && coarse.wraps[a];
    if (coarse.cells[a] == fine.cells[a]) {
      if (comes_back) rays.index[a] = wrapped<Pack>(rays.index[a], coarse.cells[a]);
      continue;
    }
    const Int back = Pack::bits_of(rays.slope[a]).sign();  // -1: backwards
    const Float slope = Pack::absolute(rays.slope[a]);
    const Int i = rays.index[a];
    // Of the two parts of a coarse cell, the lower one has its neighbour ahead going forwards.
    const Mask paired = (i & Int(1)) == (back & Int(1));
    if constexpr (uniform) {
      rays.next[a] = Pack::add_where(paired, rays.next[a], slope);
      rays.slope[a] = rays.slope[a] + rays.slope[a];
    } else {
      const Int ahead = i + ((Int(1) ^ back) - back);
      const Mask neighbour =
          unrolled ? paired : Pack::but_not(paired, Pack::not_below(ahead, fine.cells[a]));
      const Float width =
          Pack::gather(scene.width, Pack::where(neighbour, ahead) + Int(fine.width[a]));
      rays.next[a] = Pack::add_where(neighbour, rays.next[a], width * slope);
    }
    if (unrolled) {
      constexpr int many = 1 << 28;  // cells, so that no number is below zero
      const Int halved = (i + Int(2 * many)).template right<1>() - Int(many);
      rays.index[a] = comes_back ? wrapped<Pack>(halved, coarse.cells[a]) : halved;
    } else {
      rays.index[a] = i.template right<1>();
    }
  }
}

}  // namespace ermine
