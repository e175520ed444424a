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
/// done their steps on a level, each in its turn, so that the processor works on the next pack
/// while one waits for its memory. Those that have come to a wall, or are about to play the
/// roulette, wait until they fill a pack. Each ray does what that of a SegmentMarch does: after
/// every `halo` steps on a level, and at walls, the tolerance and the roulette are seen to.
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

  void walk(const Gas<Pack>& gas, const Task& task) {
    Int crossings(0);
    const auto cross_some = [&](Rays& rays, int first) ERMINE_PACK_INLINE {
      (void)first;
      assert(has_entries<Pack>(scene_.level[task.level], task.rays, first, rays.in_use) &&
             "a ray has left its window");
      cross(gas, task, rays, crossings);
    };
    const auto turn_some = [&](Rays& rays, int) ERMINE_PACK_INLINE { turn(gas, task, rays); };
    const auto play_some = [&](Rays& rays, int) ERMINE_PACK_INLINE { play(task, rays); };
    for (int rounds = 1; task.rays.count + at_wall_.count + faint_.count > 0; ++rounds) {
      constexpr int rounds_between_looks = 1024;
      if (rounds % rounds_between_looks == 0 && scene_.stop()) {
        task.scores.gave_up = true;
        task.rays.count = task.coarser.count = at_wall_.count = faint_.count = 0;
        return;
      }
      // Those who wait do so until they fill a pack, or until those who walk no longer do.
      const bool few = task.rays.count < Pack::width;
      const bool nobody_waits = at_wall_.count + faint_.count == 0;
      visit_packs<Pack>(task.rays, few && nobody_waits, cross_some);
      visit_packs<Pack>(at_wall_, few, turn_some);
      visit_packs<Pack>(faint_, few, play_some);
    }
    int of_lane[Pack::width];
    crossings.store(of_lane);
    for (const int n : of_lane) task.scores.crossings += n;
  }

  /// One pack, through some cells.
  ERMINE_PACK void cross(const Gas<Pack>& gas, const Task& task, Rays& rays, Int& crossings) {
    const LaneLevel& level = scene_.level[task.level];
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
    alignas(64) int cell[halo][Pack::width];
    alignas(64) float depth[halo][Pack::width];
    alignas(64) float intensity[halo][Pack::width];
    typename Gas<Pack>::Place place[halo];
    Mask goes[halo];
    for (int step = 0; step < halo; ++step) {
      goes[step] = way.goes;
      way.cell.store(cell[step]);
      way.advance().store(depth[step]);
    }
    asm volatile("" : "+m"(cell));
    for (int step = 0; step < halo; ++step) gas.find(cell[step], rays.row, place[step]);
    asm volatile("" : "+m"(place));
    for (int step = 0; step < halo; ++step) {
      const LaneGas<Pack> here = gas.at(place[step]);
      const Float opaque = 125.0f;
      Pack::min(here.absorption * Float::load(depth[step]), opaque).store(depth[step]);
      here.intensity.store(intensity[step]);
    }
    for (int step = 0; step < halo; ++step) {
      const Float here = Pack::select(goes[step], Float::load(intensity[step]), rays.intensity);
      rays.difference = Pack::fma(rays.transmissivity, rays.intensity - here, rays.difference);
      rays.intensity = here;
      rays.transmissivity = rays.transmissivity * halvings<Pack>(Float::load(depth[step]));
      crossings = Pack::count(crossings, goes[step] & (rays.transmissivity > Float(faintest)));
    }
  }

  /// One pack of those that have come to a wall.
  ERMINE_PACK void turn(const Gas<Pack>& gas, const Task& task, Rays& rays) {
    meet_walls<Pack, uniform>(scene_, task.level, cells_, task.numbers, gas, rays);
    const Mask all = Int(0) == Int(0);
    const unsigned bright = without_faint<true>(task, all, rays.in_use, rays);
    if (bright) go_on(task, bright, rays);
  }

  /// Some of a pack, which are in the gas: their segment or their way on the level may be over.
  ERMINE_PACK void go_on(const Task& task, unsigned chosen, const Rays& rays) {
    const Int done = Int(task.steps) - rays.left;
    const Mask over = rays.left == Int(0);
    const Mask pauses = over | ((done & Int(halo - 1)) == Int(0));
    if (pauses.bits() & chosen) {
      chosen = without_faint<false>(task, pauses, chosen, rays);
      if (over.bits() & chosen) {
        leave_level(task, over.bits() & chosen, rays);
        chosen &= ~over.bits();
      }
    }
    if (chosen) rays.push(task.rays, chosen);
  }

  ERMINE_PACK void leave_level(const Task& task, unsigned chosen, const Rays& rays) {
    if (task.last) {
      task.scores.lost += __builtin_popcount(chosen);
      task.findings.template store<Pack>(rays.difference, rays.lane, chosen);
    } else {
      Rays coarse = rays;
      coarsen<Pack, uniform>(scene_, task.level, coarse);
      coarse.push(task.coarser, chosen);
    }
  }

  /// Which of some rays, where they pause, go on. Others end there, or wait for the roulette.
  template <bool at_wall>
  ERMINE_PACK unsigned without_faint(const Task& task, Mask pauses, unsigned chosen,
                                     const Rays& rays) {
    const Float tolerance = scene_.tolerance > faintest ? scene_.tolerance : faintest;
    const Mask faint = pauses & (rays.transmissivity <= tolerance);
    const unsigned fainted = faint.bits() & chosen;
    if (!fainted) return chosen;
    unsigned plays = 0;
    if (scene_.roulette) {
      plays = Pack::but_not(faint, rays.transmissivity <= Float(faintest)).bits() & chosen;
      if (plays) {
        Rays waiting = rays;
        if (at_wall) waiting.left = waiting.left + Int(of_wall);
        waiting.push(faint_, plays);
      }
    }
    const unsigned ended = fainted & ~plays;
    if (ended) task.findings.template store<Pack>(rays.difference, rays.lane, ended);
    return chosen & ~fainted;
  }

  /// One pack of those that wait for the roulette.
  ERMINE_PACK void play(const Task& task, Rays& rays) {
    const unsigned at_wall = (rays.left.sign() == Int(-1)).bits();
    rays.left = rays.left & Int(~of_wall);
    const Mask all = Int(0) == Int(0);
    rays.transmissivity = play_roulette<Pack>(scene_, cells_, task.numbers, all,
                                              rays.transmissivity, rays.lane, rays.draws);
    const unsigned ended = (rays.transmissivity <= Float(faintest)).bits() & rays.in_use;
    if (ended) task.findings.template store<Pack>(rays.difference, rays.lane, ended);
    const unsigned alive = rays.in_use & ~ended;
    // At a wall it is not the end of a segment that they play for, which is still to come.
    if (alive & at_wall) go_on(task, alive & at_wall, rays);
    const unsigned others = alive & ~at_wall;
    const unsigned over = (rays.left == Int(0)).bits() & others;
    if (over) leave_level(task, over, rays);
    if (others & ~over) rays.push(task.rays, others & ~over);
  }

  /// Bit of the steps left of a ray that plays because it has met a wall.
  static constexpr int of_wall = static_cast<int>(0x80000000u);

  const LaneScene& scene_;
  const LaneCells& cells_;
  LaneStack at_wall_;
  LaneStack faint_;  ///< rays that wait for the roulette
  LaneStack other_;
};

/// Where no wall reflects.
template <class Pack>
struct NoReflectingWalk {
  ERMINE_PACK NoReflectingWalk(const LaneScene&, const LaneCells&) {}
};

}  // namespace ermine
