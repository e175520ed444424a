#pragma once

#include "core/pack.hpp"
#include "transport/ray/lane_gas.hpp"
#include "transport/ray/lane_halvings.hpp"
#include "transport/ray/lane_stack.hpp"
#include "transport/ray/lane_walk_to_wall.hpp"
#include "transport/ray/lane_walls.hpp"

#include <cassert>

namespace ermine {

/// The walk of LaneMarch where walls may reflect. Rays go on by themselves until all of them have
/// done their steps on a level. Those that have come to a wall wait there until they fill a pack.
/// Each ray does what that of a SegmentMarch does: after every `halo` steps on a level, and at
/// walls, the tolerance and the roulette are seen to.
template <class Pack, template <class> class Gas, bool uniform>
class LaneReflectingWalk {
  using Float = typename Pack::Float;
  using Int = typename Pack::Int;
  using Mask = typename Pack::Mask;
  using Rays = StackedPack<Pack>;

 public:
  LaneReflectingWalk(const LaneScene& scene, const LaneCells& cells)
      : scene_(scene), cells_(cells) {}

  /// Takes all rays to their ends. `numbers`: of those together, in the rays' keys.
  void operator()(const Gas<Pack>& gas, const int* numbers, LaneStack& started,
                  LaneFindings& findings, LaneScores& scores) {
    LaneStack* rays = &started;
    LaneStack* coarser = &other_;
    int left = scene_.max_crossings;
    for (int level = 0; rays->count > 0; ++level) {
      const bool last = level + 1 >= scene_.levels;
      const int steps = last || left < scene_.steps ? left : scene_.steps;
      left -= steps;
      for (int i = 0; i < rays->count; i += Pack::width) Int(steps).store(rays->left + i);
      const Task task{level, steps, left == 0, numbers, *rays, *coarser, findings, scores};
      walk(gas, task);
      LaneStack* const done = rays;
      rays = coarser;
      coarser = done;
    }
  }

 private:
  /// What rays do on a level.
  struct Task {
    int level;
    int steps;  ///< of each ray
    bool last;  ///< no more crossings are allowed
    const int* numbers;
    LaneStack& rays;
    LaneStack& coarser;  ///< rays that have come to the next level
    LaneFindings& findings;
    LaneScores& scores;
  };

  /// Steps that a pack takes at once. Rays that stop before wait for the others.
  static constexpr int at_once = 4;

  void walk(const Gas<Pack>& gas, const Task& task) {
    Int crossings(0);
    for (int packs = 1; task.rays.count > 0 || at_wall_.count > 0; ++packs) {
      constexpr int packs_between_looks = 1 << 14;
      if (packs % packs_between_looks == 0 && scene_.stop()) {
        task.scores.gave_up = true;
        task.rays.count = task.coarser.count = at_wall_.count = 0;
        return;
      }
      const bool more = task.rays.count >= Pack::width;
      if (at_wall_.count >= Pack::width || (at_wall_.count > 0 && !more)) {
        turn(gas, task);
      } else {
        cross(gas, task, crossings);
      }
    }
    int of_lane[Pack::width];
    crossings.store(of_lane);
    for (const int n : of_lane) task.scores.crossings += n;
  }

  /// One pack, through some cells.
  ERMINE_PACK void cross(const Gas<Pack>& gas, const Task& task, Int& crossings) {
    const LaneLevel& level = scene_.level[task.level];
    Rays rays = Rays::pop(task.rays);
    assert(has_entries<Pack>(level, task.rays, task.rays.count, rays.in_use) &&
           "a ray has left its window");
    const Int to_pause = Int(halo) - ((Int(task.steps) - rays.left) & Int(halo - 1));
    LaneWalkToWall<Pack, uniform> way(scene_, level, rays, Pack::unsigned_min(to_pause, rays.left));
    cross(gas, way, rays, crossings);
    rays.left = rays.left - way.steps();
    const Int index[3] = {way.template index<0>(rays), way.template index<1>(rays),
                          way.template index<2>(rays)};
    Mask outside = Pack::none();
    for (int a = 0; a < 3; ++a) {
      rays.index[a] = level.wraps[a] ? wrapped<Pack>(index[a], level.cells[a]) : index[a];
      rays.next[a] = way.next[a] - way.length;
      if (!scene_.periodic[a]) outside = outside | Pack::not_below(index[a], level.cells[a]);
    }
    const unsigned arrived = outside.bits() & rays.in_use;
    if (arrived) rays.push(at_wall_, arrived);
    const unsigned others = rays.in_use & ~arrived;
    if (others) go_on(task, others, rays);
  }

  /// As LaneMarch::cross(), and rays that have come to the end of their way stay as they are.
  ERMINE_PACK static void cross(const Gas<Pack>& gas, LaneWalkToWall<Pack, uniform>& way,
                                LanePack<Pack>& rays, Int& crossings) {
    alignas(64) int cell[at_once][Pack::width];
    alignas(64) float depth[at_once][Pack::width];
    alignas(64) float intensity[at_once][Pack::width];
    typename Gas<Pack>::Place place[at_once];
    Mask goes[at_once];
    for (int step = 0; step < at_once; ++step) {
      goes[step] = way.goes;
      way.cell.store(cell[step]);
      way.advance().store(depth[step]);
    }
    asm volatile("" : "+m"(cell));
    for (int step = 0; step < at_once; ++step) gas.find(cell[step], rays.row, place[step]);
    asm volatile("" : "+m"(place));
    for (int step = 0; step < at_once; ++step) {
      const LaneGas<Pack> here = gas.at(place[step]);
      const Float opaque = 125.0f;
      Pack::min(here.absorption * Float::load(depth[step]), opaque).store(depth[step]);
      here.intensity.store(intensity[step]);
    }
    for (int step = 0; step < at_once; ++step) {
      const Float here = Pack::select(goes[step], Float::load(intensity[step]), rays.intensity);
      rays.difference = Pack::fma(rays.transmissivity, rays.intensity - here, rays.difference);
      rays.intensity = here;
      rays.transmissivity = rays.transmissivity * halvings<Pack>(Float::load(depth[step]));
      crossings = Pack::count(crossings, goes[step] & (rays.transmissivity > Float(faintest)));
    }
  }

  /// One pack of those that have come to a wall.
  ERMINE_PACK void turn(const Gas<Pack>& gas, const Task& task) {
    Rays rays = Rays::pop(at_wall_);
    meet_walls<Pack, uniform>(scene_, task.level, cells_, task.numbers, gas, rays);
    const Mask all = Int(0) == Int(0);
    const unsigned ended = ends(task, all, rays.in_use, rays);
    const unsigned alive = rays.in_use & ~ended;
    if (ended) task.findings.template store<Pack>(rays.difference, rays.lane, ended);
    if (alive) go_on(task, alive, rays);
  }

  /// Some of a pack, which are in the gas: their segment or their way on the level may be over.
  ERMINE_PACK void go_on(const Task& task, unsigned chosen, Rays& rays) {
    const Int done = Int(task.steps) - rays.left;
    const Mask over = rays.left == Int(0);
    const Mask pauses = over | ((done & Int(halo - 1)) == Int(0));
    if (pauses.bits() & chosen) {
      const unsigned ended = ends(task, pauses, chosen, rays);
      unsigned moves = over.bits() & chosen & ~ended;
      if (task.last) task.scores.lost += __builtin_popcount(moves);
      const unsigned found = task.last ? ended | moves : ended;
      if (found) task.findings.template store<Pack>(rays.difference, rays.lane, found);
      if (task.last) moves = 0;
      chosen &= ~(found | moves);
      if (moves) {
        Rays coarse = rays;
        coarsen<Pack, uniform>(scene_, task.level, coarse);
        coarse.push(task.coarser, moves);
      }
    }
    if (chosen) rays.push(task.rays, chosen);
  }

  /// Which of some rays end where they pause, as in LaneMarch.
  ERMINE_PACK unsigned ends(const Task& task, Mask pauses, unsigned chosen, Rays& rays) {
    const Float tolerance = scene_.tolerance > faintest ? scene_.tolerance : faintest;
    const Mask faint = pauses & (rays.transmissivity <= tolerance);
    const unsigned fainted = faint.bits() & chosen;
    if (!fainted || !scene_.roulette) return fainted;
    const Mask plays = Pack::but_not(faint, rays.transmissivity <= Float(faintest));
    if (plays.bits() & chosen) {
      rays.transmissivity = play_roulette<Pack>(scene_, cells_, task.numbers, plays,
                                                rays.transmissivity, rays.lane, rays.draws);
    }
    return (pauses & (rays.transmissivity <= Float(faintest))).bits() & chosen;
  }

  const LaneScene& scene_;
  const LaneCells& cells_;
  LaneStack at_wall_;
  LaneStack other_;
};

/// Where no wall reflects.
template <class Pack>
struct NoReflectingWalk {
  ERMINE_PACK NoReflectingWalk(const LaneScene&, const LaneCells&) {}
};

}  // namespace ermine
