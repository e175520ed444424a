#pragma once

#include "core/pack.hpp"
#include "transport/ray/lane_gas.hpp"
#include "transport/ray/lane_halvings.hpp"
#include "transport/ray/lane_rays.hpp"
#include "transport/ray/lane_reflecting_walk.hpp"
#include "transport/ray/lane_roulette.hpp"
#include "transport/ray/lane_start.hpp"
#include "transport/ray/lane_walk.hpp"
#include "transport/scene/lane_scene.hpp"

#include <cassert>
#include <type_traits>

namespace ermine {

/// The march of March, for up to 32 cells at once whose rays have their spectral points in common.
/// All rays walk on the same level at the same time, in segments of a few steps; between two of
/// them, those that have ended make room, and ends of periodic axes, coarser levels and the
/// roulette are seen to. So a ray ends at the end of a segment, up to 7 cells late, and rays agree
/// with those of March up to rounding, the tolerance, and the luck in the roulette. Among
/// `reflecting` walls they go through LaneReflectingWalk, with the same result.
template <class Pack, template <class> class Gas, bool uniform, bool reflecting>
class LaneMarch {
  using Float = typename Pack::Float;
  using Int = typename Pack::Int;
  using Mask = typename Pack::Mask;

 public:
  LaneMarch(const LaneScene& scene, const LaneCells& cells)
      : scene_(scene), cells_(cells), reflecting_walk_(scene, cells) {}

  void trace(const LaneRays& rays, LaneScores& scores) {
    const typename Pack::NoSubnormals no_subnormals;
    for (std::uint32_t first = 0, next = 0; first < rays.count; first = next) {
      const LaneRay* ray = rays.ray + first;
      int lowest = ray->point;
      next = first + together(ray, rays.count - first, lowest);
      Gas<Pack> gas(scene_, lowest);
      for (std::uint32_t i = next; i < rays.count && i < next + rays_together; ++i) {
        Gas<Pack>::prefetch(scene_, rays.ray[i].point);
      }
      count_ = 0;
      findings_.count = 0;
      arrivals_.count = 0;
      for (std::uint32_t i = 0; i < next - first; ++i) {
        const int number = static_cast<int>(i);
        numbers_[number] = static_cast<int>(ray[i].number);
        count_ = start(gas, ray[i], gas.row(ray[i].point - lowest, number), number);
      }
      scores.traced += count_;
      if constexpr (reflecting) {
        rays_.count = count_;
        reflecting_walk_(gas, numbers_, rays_, findings_, scores);
      } else {
        walk(gas, scores);
        meet_walls(gas);
      }
      for (int i = 0; i < findings_.count; ++i) {
        difference_[findings_.lane[i]] = findings_.difference[i];
      }
      for (std::uint32_t i = 0; i < next - first; ++i) {
        add(ray[i], strength_ + i * most_lanes, difference_ + i * most_lanes, scores);
      }
      if (scores.lost > rays.most_lost) scores.gave_up = true;
      if (scores.gave_up) return;
    }
    scores.gave_up = scene_.stop();
  }

 private:
  struct Segment {
    int level;
    int steps;
    bool coarsens;  ///< after it
    bool last;      ///< no more crossings are allowed
  };

  int start(const Gas<Pack>& gas, const LaneRay& ray, Int row, int number) {
    if constexpr (Gas<Pack>::has_nodes) {
      if (cells_.strength) {
        return start_at<LaneStart::node>(gas, ray, row, number);
      }
    }
    return cells_.faces ? start_at<LaneStart::face>(gas, ray, row, number)
                        : start_at<LaneStart::cell>(gas, ray, row, number);
  }
  template <LaneStart from>
  int start_at(const Gas<Pack>& gas, const LaneRay& ray, Int row, int number) {
    return start_lanes<Pack, uniform, from>(scene_, cells_, gas, ray, row, number, count_, rays_,
                                            strength_);
  }

  /// What a ray of each cell, node or face cell has found.
  ERMINE_PACK void add(const LaneRay& ray, const float* strength, const float* difference,
                       LaneScores& scores) const {
    if (!cells_.strength) {
      for (int lane = 0; lane < cells_.count; ++lane) {
        scores.sum[lane] += static_cast<double>(strength[lane] * difference[lane]);
      }
      return;
    }
    const float* of_point = cells_.strength + static_cast<long>(ray.point) * lane_parts_stride;
    for (int m = 0; m < lane_parts; ++m) {
      double* sum = scores.part[m];
      for (int lane = 0; lane < cells_.count; ++lane) {
        sum[lane] += static_cast<double>(of_point[m] * difference[lane]);
      }
    }
  }

  /// How many of the next rays are traced together: as many as there may be, if their rows in the
  /// table are not too far apart to be counted. `lowest` becomes the lowest of their points.
  ERMINE_PACK std::uint32_t together(const LaneRay* ray, std::uint32_t count, int& lowest) const {
    const std::uint32_t most = count < rays_together ? count : rays_together;
    int highest = lowest;
    for (std::uint32_t i = 1; i < most; ++i) {
      const int low = ray[i].point < lowest ? ray[i].point : lowest;
      const int high = ray[i].point > highest ? ray[i].point : highest;
      if ((high - low + 1LL) * scene_.nodes * 16 > 0x7FFFFFFF) return i;
      lowest = low;
      highest = high;
    }
    return most;
  }

  ERMINE_PACK void walk(const Gas<Pack>& gas, LaneScores& scores) {
    int level = 0;
    int left_on_level = scene_.steps;
    int left = scene_.max_crossings;
    int segments = 0;
    while (count_ > 0) {
      constexpr int segments_between_looks = 1024;
      if (++segments % segments_between_looks == 0 && scene_.stop()) {
        scores.gave_up = true;
        count_ = 0;
        return;
      }
      const bool last_level = level + 1 >= scene_.levels;
      int steps = left < halo ? left : halo;
      if (!last_level && left_on_level < steps) steps = left_on_level;
      left -= steps;
      left_on_level -= steps;
      const Segment segment{level, steps, !last_level && left_on_level == 0, left == 0};
      walk(gas, segment, scores);
      if (segment.coarsens) {
        ++level;
        left_on_level = scene_.steps;
      }
    }
  }

  void walk(const Gas<Pack>& gas, const Segment& segment, LaneScores& scores) {
    const int count = count_;
    Int crossings(0);
    count_ = 0;
    for (int first = 0; first < count; first += Pack::width) {
      const unsigned in_use = count - first < Pack::width ? (1u << (count - first)) - 1 : all;
      walk(gas, segment, first, in_use, crossings, scores);
    }
    int of_lane[Pack::width];
    crossings.store(of_lane);
    for (const int n : of_lane) scores.crossings += n;
  }

  /// One pack. Those still alive are stored where there is room: at or before where they were.
  ERMINE_PACK void walk(const Gas<Pack>& gas, const Segment& segment, int first, unsigned in_use,
                        Int& crossings, LaneScores& scores) {
    const LaneLevel& level = scene_.level[segment.level];
    LanePack<Pack> rays = LanePack<Pack>::load(rays_, first);
    assert(has_entries<Pack>(level, rays_, first, in_use) && "a ray has left its window");
    // Beyond the last ray there is what is left of others.
    if (in_use != all) rays.keep(Int(count_in(in_use)) > Pack::counting(), rays_, first);
    LaneWalk<Pack, uniform> way(scene_, level, rays);
    Int crossed(0);
    if (segment.steps == halo) {
      cross<halo>(gas, halo, way, rays, crossed);
    } else {
      cross<0>(gas, segment.steps, way, rays, crossed);
    }

    Mask outside = Pack::none();
    for (int a = 0; a < 3; ++a) {
      const Int index = way.index(level, rays, a);
      rays.index[a] = level.wraps[a] ? wrapped<Pack>(index, level.cells[a]) : index;
      rays.next[a] = way.next[a] - way.length;
      if (!scene_.periodic[a]) outside = outside | Pack::not_below(index, level.cells[a]);
    }
    unsigned arrived = outside.bits() & in_use;
    crossings = crossings + crossed;

    const Float tolerance = scene_.tolerance > faintest ? scene_.tolerance : faintest;
    unsigned ends = (rays.transmissivity <= tolerance).bits() & in_use;
    if (ends && scene_.roulette) {
      const Mask plays =
          Pack::but_not(rays.transmissivity <= tolerance, rays.transmissivity <= Float(faintest));
      if (plays.bits() & in_use) {
        Int draws = Int::load(rays_.draws + first);
        rays.transmissivity =
            play_roulette<Pack>(scene_, cells_, numbers_, plays, rays.transmissivity,
                                Int::load(rays_.lane + first), draws);
        draws.store(rays_.draws + first);
      }
      ends = (rays.transmissivity <= Float(faintest)).bits() & in_use;
    }
    arrived &= ~ends;
    if (segment.last) {
      scores.lost += count_in((rays.transmissivity > tolerance).bits() & in_use & ~arrived);
      ends = in_use & ~arrived;
    }
    const Int lane = Int::load(rays_.lane + first);
    if (arrived) rays.store(arrivals_, arrived, way.cell, lane);
    findings_.template store<Pack>(rays.difference, lane, ends);
    if (segment.coarsens) coarsen<Pack, uniform>(scene_, segment.level, rays);
    const unsigned alive = in_use & ~(ends | arrived);
    if (alive == in_use && count_ == first) {
      rays.store(rays_, count_, AsTheyAre{});
    } else {
      const typename Pack::Compress compress(alive);
      rays.store(rays_, count_, compress);
      compress(lane).store(rays_.lane + count_);
      compress(Int::load(rays_.draws + first)).store(rays_.draws + count_);
    }
    count_ += count_in(alive);
  }

  /// Through the cells of a segment. One thing after the other for all of its steps, as the
  /// processor then works on several of them at once, where each alone would wait for its memory
  /// and its series. `fixed`: number of steps that the compiler may know, or 0.
  template <int fixed>
  ERMINE_PACK static void cross(const Gas<Pack>& gas, int steps, LaneWalk<Pack, uniform>& way,
                                LanePack<Pack>& rays, Int& crossed) {
    const Float opaque = 125.0f;
    const int count = fixed ? fixed : steps;
    alignas(64) int cell[halo][Pack::width];
    alignas(64) float depth[halo][Pack::width];
    alignas(64) float intensity[halo][Pack::width];
    typename Gas<Pack>::Place place[halo];
    for (int step = 0; step < count; ++step) {
      way.cell.store(cell[step]);
      way.advance().store(depth[step]);
    }
    asm volatile("" : "+m"(cell));
    for (int step = 0; step < count; ++step) gas.find(cell[step], rays.row, place[step]);
    asm volatile("" : "+m"(place));
    for (int step = 0; step < count; ++step) {
      const LaneGas<Pack> here = gas.at(place[step]);
      const Float through = Pack::min(here.absorption * Float::load(depth[step]), opaque);
      Pack::select(here.wall, opaque, through).store(depth[step]);
      here.intensity.store(intensity[step]);
    }
    Float before = rays.intensity;
    Float transmissivity = rays.transmissivity;
    Float difference[2] = {rays.difference, 0.0f};  // two sums, neither waits for the other
    for (int step = 0; step < count; ++step) {
      const Float here = Float::load(intensity[step]);
      Float& sum = difference[step % 2];
      sum = Pack::fma(transmissivity, before - here, sum);
      before = here;
      transmissivity = transmissivity * halvings<Pack>(Float::load(depth[step]));
      crossed = Pack::count(crossed, transmissivity > Float(faintest));
    }
    rays.intensity = before;
    rays.transmissivity = transmissivity;
    rays.difference = difference[0] + difference[1];
  }

  /// Of rays that have come to a wall with the last step of a segment, all together.
  void meet_walls(const Gas<Pack>& gas) {
    for (int first = 0; first < arrivals_.count; first += Pack::width) {
      const int count =
          arrivals_.count - first < Pack::width ? arrivals_.count - first : Pack::width;
      const Mask used = Int(count) > Pack::counting();
      int cell[Pack::width];
      Pack::where(used, Int::load(arrivals_.cell + first)).store(cell);
      const Int row = Pack::where(used, Int::load(arrivals_.row + first));
      const LaneGas<Pack> wall = look_up<Pack>(gas, cell, row);
      const Float change = Float::load(arrivals_.intensity + first) - wall.intensity;
      const Float found = Pack::fma(Float::load(arrivals_.transmissivity + first), change,
                                    Float::load(arrivals_.difference + first));
      findings_.template store<Pack>(found, Int::load(arrivals_.lane + first), (1u << count) - 1);
    }
  }

  ERMINE_PACK static int count_in(unsigned bits) { return __builtin_popcount(bits); }

  static constexpr unsigned all = (1ull << Pack::width) - 1;

  const LaneScene& scene_;
  const LaneCells& cells_;
  int count_ = 0;
  std::conditional_t<reflecting, LaneStack, LaneRayStates> rays_;
  LaneFindings findings_;
  LaneArrivals arrivals_;
  std::conditional_t<reflecting, LaneReflectingWalk<Pack, Gas, uniform>, NoReflectingWalk<Pack>>
      reflecting_walk_;
  alignas(64) int numbers_[16] = {};  ///< of the rays that are together, in their keys
  // Of each lane of each of them.
  float strength_[LaneRayStates::room] = {};
  float difference_[LaneRayStates::room] = {};
};

/// The LaneMarch for a medium and a spacing.
template <class Pack, template <class> class Gas, bool uniform>
void trace_lanes(const LaneScene& scene, const LaneCells& cells, const LaneRays& rays,
                 LaneScores& scores) {
  if (scene.black) {
    LaneMarch<Pack, Gas, uniform, false>(scene, cells).trace(rays, scores);
  } else {
    LaneMarch<Pack, Gas, uniform, true>(scene, cells).trace(rays, scores);
  }
}

template <class Pack>
TraceLanes tracer_of_lanes(LaneMedium medium, bool uniform) {
  switch (medium) {
    case LaneMedium::table:
      return uniform ? trace_lanes<Pack, TableGas, true> : trace_lanes<Pack, TableGas, false>;
    case LaneMedium::grey:
      return uniform ? trace_lanes<Pack, GreyGas, true> : trace_lanes<Pack, GreyGas, false>;
    case LaneMedium::one_gas:
      return uniform ? trace_lanes<Pack, OneGas, true> : trace_lanes<Pack, OneGas, false>;
    case LaneMedium::two_gases:
      return uniform ? trace_lanes<Pack, TwoGases, true> : trace_lanes<Pack, TwoGases, false>;
    case LaneMedium::three_gases:
      return uniform ? trace_lanes<Pack, ThreeGases, true> : trace_lanes<Pack, ThreeGases, false>;
    case LaneMedium::four_gases:
      return uniform ? trace_lanes<Pack, FourGases, true> : trace_lanes<Pack, FourGases, false>;
    case LaneMedium::five_gases:
      return uniform ? trace_lanes<Pack, FiveGases, true> : trace_lanes<Pack, FiveGases, false>;
  }
  return nullptr;
}

}  // namespace ermine
