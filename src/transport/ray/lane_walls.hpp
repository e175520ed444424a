#pragma once

#include "core/pack.hpp"
#include "transport/ray/lane_roulette.hpp"
#include "transport/ray/lane_stack.hpp"
#include "transport/ray/lane_start.hpp"
#include "transport/ray/lane_walk.hpp"

namespace ermine {

/// The walls that rays of a pack stand in.
template <class Pack>
struct LaneWalls {
  using Int = typename Pack::Int;
  using Mask = typename Pack::Mask;

  Mask across[3];  ///< the wall is at an end of this axis
  Int number;      ///< of the wall's face cell
  Int high;        ///< 1: at the upper end
  Mask specular;

  ERMINE_PACK LaneWalls(const LaneScene& scene, int level_number, const LanePack<Pack>& rays)
      : number(0), high(0) {
    const LaneLevel& level = scene.level[level_number];
    const int* first = scene.sides[level_number].first;
    Int within[3];
    for (int a = 0; a < 3; ++a) {
      const bool unrolled = scene.periodic[a] && !level.wraps[a];
      within[a] = unrolled ? wrapped_from_afar<Pack>(rays.index[a], level.cells[a]) : rays.index[a];
    }
    Int mirrors(0);
    for (int a = 0; a < 3; ++a) {
      across[a] = Pack::none();
      if (scene.periodic[a]) continue;
      across[a] = Pack::not_below(rays.index[a], level.cells[a]);
      const int fast = a == 0 ? 1 : 0;
      const int slow = a == 2 ? 1 : 2;
      const Int upper = Int(1) + rays.index[a].sign();
      const Int side = Int(first[2 * a]) + upper * Int(first[2 * a + 1] - first[2 * a]);
      const Int mirror = Int(scene.specular[2 * a]) +
                         upper * Int(scene.specular[2 * a + 1] - scene.specular[2 * a]);
      number = Pack::select(across[a], side + within[fast] + within[slow] * Int(level.cells[fast]),
                            number);
      high = Pack::select(across[a], upper, high);
      mirrors = Pack::select(across[a], mirror, mirrors);
    }
    specular = mirrors == Int(1);
  }
};

/// Directions away from the walls.
template <class Pack>
ERMINE_PACK void leaving(const LaneWalls<Pack>& walls, typename Pack::Int word0,
                         typename Pack::Int word1, typename Pack::Float (&direction)[3]) {
  using Float = typename Pack::Float;
  Float mu, along, across;
  leaving<Pack>(word0, word1, mu, along, across);
  mu = Pack::from_bits(Pack::bits_of(mu) ^ walls.high.template left<31>());
  direction[0] = Pack::select(walls.across[0], mu, along);
  direction[1] = Pack::select(walls.across[1], mu, Pack::select(walls.across[0], along, across));
  direction[2] = Pack::select(walls.across[2], mu, across);
}

/// Sends rays that stand in a wall back into the cell before it, see SegmentMarch::meet_wall().
template <class Pack, bool uniform>
ERMINE_PACK void leave_walls(const LaneScene& scene, int level_number, const LaneCells& cells,
                             const int* numbers, const LaneWalls<Pack>& walls,
                             StackedPack<Pack>& rays) {
  using Float = typename Pack::Float;
  using Int = typename Pack::Int;
  using Mask = typename Pack::Mask;
  const LaneLevel& level = scene.level[level_number];
  const Int sign_bit(static_cast<int>(0x80000000u));
  Float whole[3];  // width of the cell, in the unit of slopes
  for (int a = 0; a < 3; ++a) {
    const Int back = Int(1) - walls.high - walls.high;
    rays.index[a] = rays.index[a] + Pack::where(walls.across[a], back);
    whole[a] =
        uniform ? Float(1.0f) : Pack::gather(scene.width, rays.index[a] + Int(level.width[a]));
  }
  const Mask diffuse = Pack::but_not(rays.transmissivity > Float(faintest), walls.specular);
  Float direction[3] = {1.0f, 1.0f, 1.0f};
  if (diffuse.bits() & rays.in_use) {
    Int word0, word1;
    random_words<Pack>(scene, cells, numbers, rays.lane, rays.draws, word0, word1);
    rays.draws = Pack::count(rays.draws, diffuse);
    leaving(walls, word0, word1, direction);
  }
  for (int a = 0; a < 3; ++a) {
    const Float slope = Pack::absolute(rays.slope[a]);
    const Int sign = Pack::bits_of(rays.slope[a]) & sign_bit;
    // The mirrored ray.
    const Float mirrored =
        Pack::from_bits(Pack::bits_of(rays.slope[a]) ^ Pack::where(walls.across[a], sign_bit));
    const Float next = Pack::select(walls.across[a], whole[a] * slope, rays.next[a]);
    // The ray that goes on in a direction of its own, from the same place.
    const Int new_sign = Pack::bits_of(direction[a]) & sign_bit;
    Float ahead = rays.next[a] / slope;
    ahead = Pack::min(Pack::where(ahead > Float(0.0f), ahead), whole[a]);
    ahead = Pack::select(sign == new_sign, ahead, whole[a] - ahead);
    ahead = Pack::select(walls.across[a], whole[a], ahead);
    const float scale = uniform ? scene.uniform_width[a] *
                                      static_cast<float>(scene.level[0].cells[a] / level.cells[a]) *
                                      log2_e
                                : log2_e;
    const Float new_slope = Float(scale) / direction[a];
    rays.slope[a] = Pack::select(diffuse, new_slope, mirrored);
    rays.next[a] = Pack::select(diffuse, ahead * Pack::absolute(new_slope), next);
  }
}

/// Rays that stand in a wall take up what it emits and go on from there, as those of
/// March::meet_wall() do. One of which nothing is left is nowhere.
template <class Pack, bool uniform, class Gas>
ERMINE_PACK void meet_walls(const LaneScene& scene, int level_number, const LaneCells& cells,
                            const int* numbers, const Gas& gas, StackedPack<Pack>& rays) {
  using Float = typename Pack::Float;
  using Int = typename Pack::Int;
  const LaneLevel& level = scene.level[level_number];
  const LaneWalls<Pack> walls(scene, level_number, rays);
  Int cell(level.first);
  for (int a = 0; a < 3; ++a) cell = cell + rays.index[a] * Int(level.stride[a]);
  int entry[Pack::width];
  cell.store(entry);
  const Float emissivity = Pack::gather(scene.emissivity, walls.number);
  const Float change = rays.intensity - look_up<Pack>(gas, entry, rays.row).intensity;
  rays.difference = Pack::fma(rays.transmissivity * emissivity, change, rays.difference);
  rays.transmissivity = rays.transmissivity * (Float(1.0f) - emissivity);
  leave_walls<Pack, uniform>(scene, level_number, cells, numbers, walls, rays);
}

}  // namespace ermine
