#pragma once

#include "core/pack.hpp"
#include "transport/lane_gas.hpp"
#include "transport/lane_rays.hpp"
#include "transport/lane_roulette.hpp"
#include "transport/lane_scene.hpp"
#include "transport/lane_start.hpp"
#include "transport/lane_walk.hpp"

#include <cassert>

namespace ermine {

/// 2^-x for 0 <= x <= 125, relative error 2e-7; x = 0 gives 1. 2^-x = 2^-n 2^-g with |g| <= 1/2;
/// 2^-g by the polynomial of smallest relative error (1.1e-7) that is 1 at 0, paired (Estrin) so
/// that few steps wait for each other.
template <class Pack>
ERMINE_PACK typename Pack::Float halvings(typename Pack::Float x) {
  using Float = typename Pack::Float;
  const Float g = x - Pack::round(x);
  const auto n = Pack::nearest(x).template left<23>();
  const Float p01 = Pack::fma(Float(-6.931470037e-1f), g, Float(1.0f));
  const Float p23 = Pack::fma(Float(-5.550733581e-2f), g, Float(2.402224243e-1f));
  const Float p45 = Pack::fma(Float(-1.326472731e-3f), g, Float(9.671512991e-3f));
  const Float square = g * g;
  const Float p = Pack::fma(Pack::fma(p45, square, p23), square, p01);
  return Pack::from_bits(Pack::bits_of(p) - n);
}

/// The march of March, for up to 32 cells at once whose rays have their spectral points in common.
/// All rays walk on the same level at the same time, in segments of a few steps; between two of
/// them, those that have ended make room, and ends of periodic axes, coarser levels and the
/// roulette are seen to. So a ray ends at the end of a segment, up to 7 cells late, and rays agree
/// with those of March up to rounding, the tolerance, and the luck in the roulette.
template <class Pack, template <class> class Gas, bool uniform>
class LaneMarch {
  using Float = typename Pack::Float;
  using Int = typename Pack::Int;
  using Mask = typename Pack::Mask;

 public:
  LaneMarch(const LaneScene& scene, const LaneCells& cells) : scene_(scene), cells_(cells) {}

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
        count_ = start(gas, ray[i], gas.row(ray[i].point - lowest, number), number);
      }
      scores.traced += count_;
      walk(gas, ray, rays.first + first, scores);
      meet_walls(gas);
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
    const LaneRay* ray;
    std::uint32_t first_ray;  ///< in the rays' keys
  };

  int start(const Gas<Pack>& gas, const LaneRay& ray, Int row, int number) {
    if constexpr (Gas<Pack>::has_nodes) {
      if (cells_.strength) {
        return start_lanes<Pack, uniform, true>(scene_, cells_, gas, ray, row, number, count_,
                                                rays_, strength_);
      }
    }
    return start_lanes<Pack, uniform, false>(scene_, cells_, gas, ray, row, number, count_, rays_,
                                             strength_);
  }

  /// What a ray of each cell or node has found.
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

  ERMINE_PACK void walk(const Gas<Pack>& gas, const LaneRay* ray, std::uint32_t first_ray,
                        LaneScores& scores) {
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
      const Segment segment{level,     steps, !last_level && left_on_level == 0,
                            left == 0, ray,   first_ray};
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
    assert(has_entries(level, first, in_use) && "a ray has left its window");
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
    if (!scene_.black) {
      if (arrived) meet_walls(gas, way.cell, outside, rays);
      arrived = 0;
      const unsigned reflected = Pack::is_nan(rays.difference).bits() & in_use;
      if (reflected) {
        LanePack<Pack> copy = rays;
        crossed = reflect(segment, first, reflected, copy, crossed);
        rays = copy;
      }
    }
    crossings = crossings + crossed;

    const Float tolerance = scene_.tolerance > faintest ? scene_.tolerance : faintest;
    unsigned ends = (rays.transmissivity <= tolerance).bits() & in_use;
    if (ends && scene_.roulette) {
      const Mask plays =
          Pack::but_not(rays.transmissivity <= tolerance, rays.transmissivity <= Float(faintest));
      if (plays.bits() & in_use) {
        rays.transmissivity = play_roulette<Pack>(scene_, cells_, segment.first_ray, plays,
                                                  rays.transmissivity, rays_, first);
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

  /// Of rays that have come to a wall with the last step.
  ERMINE_PACK static void meet_walls(const Gas<Pack>& gas, Int cell, Mask outside,
                                     LanePack<Pack>& rays) {
    int numbers[Pack::width];
    cell.store(numbers);
    typename Gas<Pack>::Place place;
    gas.find(numbers, rays.row, place);
    const LaneGas<Pack> wall = gas.at(place);
    const Float found =
        Pack::fma(rays.transmissivity, rays.intensity - wall.intensity, rays.difference);
    rays.difference = Pack::select(outside, found, rays.difference);
    rays.transmissivity = Pack::select(outside, Float(0.0f), rays.transmissivity);
  }

  /// The same for the arrivals, all together.
  void meet_walls(const Gas<Pack>& gas) {
    for (int first = 0; first < arrivals_.count; first += Pack::width) {
      const int count =
          arrivals_.count - first < Pack::width ? arrivals_.count - first : Pack::width;
      const Mask used = Int(count) > Pack::counting();
      int cell[Pack::width];
      Pack::where(used, Int::load(arrivals_.cell + first)).store(cell);
      typename Gas<Pack>::Place place;
      gas.find(cell, Pack::where(used, Int::load(arrivals_.row + first)), place);
      const Float change = Float::load(arrivals_.intensity + first) - gas.at(place).intensity;
      const Float found = Pack::fma(Float::load(arrivals_.transmissivity + first), change,
                                    Float::load(arrivals_.difference + first));
      findings_.template store<Pack>(found, Int::load(arrivals_.lane + first), (1u << count) - 1);
    }
  }

  /// Rays that have met a wall that reflects go through the segment once more, one by one.
  __attribute__((noinline)) Int reflect(const Segment& segment, int first, unsigned which,
                                        LanePack<Pack>& rays, Int crossed) {
    LaneRayStates after;
    rays.store(after, 0, AsTheyAre{});
    int crossings[Pack::width];
    crossed.store(crossings);
    for (; which; which &= which - 1) {
      const int i = __builtin_ctz(which);
      LaneState ray;
      for (int a = 0; a < 3; ++a) {
        ray.index[a] = rays_.index[a][first + i];
        ray.next[a] = rays_.next[a][first + i] * (1 / log2_e);
        ray.slope[a] = rays_.slope[a][first + i] * (1 / log2_e);
      }
      ray.transmissivity = rays_.transmissivity[first + i];
      ray.intensity = rays_.intensity[first + i];
      ray.difference = rays_.difference[first + i];
      ray.level = segment.level;
      const int lane = rays_.lane[first + i];
      ray.point = segment.ray[lane / most_lanes].point;
      ray.origin = cells_.origin[lane % most_lanes];
      ray.ray = segment.first_ray + static_cast<std::uint32_t>(lane / most_lanes);
      ray.draws = static_cast<std::uint32_t>(rays_.draws[first + i]);
      crossings[i] = scene_.advance(scene_.tracer, ray, segment.steps);
      for (int a = 0; a < 3; ++a) {
        after.index[a][i] = ray.index[a];
        after.next[a][i] = ray.next[a] * log2_e;
        after.slope[a][i] = ray.slope[a] * log2_e;
      }
      after.transmissivity[i] = ray.transmissivity;
      after.intensity[i] = ray.intensity;
      after.difference[i] = ray.difference;
      rays_.draws[first + i] = static_cast<int>(ray.draws);
    }
    rays = LanePack<Pack>::load(after, 0);
    return Int::load(crossings);
  }

  /// For what a process does not have there are none.
  bool has_entries(const LaneLevel& level, int first, unsigned in_use) const {
    const int count[3] = {level.stride[1], level.stride[2] / level.stride[1], level.planes};
    for (; in_use; in_use &= in_use - 1) {
      for (int a = 0; a < 3; ++a) {
        const int within = rays_.index[a][first + __builtin_ctz(in_use)] - level.low[a];
        if (within < 0 || within >= count[a]) return false;
      }
    }
    return true;
  }

  ERMINE_PACK static int count_in(unsigned bits) { return __builtin_popcount(bits); }

  static constexpr unsigned all = (1ull << Pack::width) - 1;

  const LaneScene& scene_;
  const LaneCells& cells_;
  int count_ = 0;
  LaneRayStates rays_;
  LaneFindings findings_;
  LaneArrivals arrivals_;
  // Of each lane of each of the rays that are together.
  float strength_[LaneRayStates::room] = {};
  float difference_[LaneRayStates::room] = {};
};

/// The LaneMarch for a medium and a spacing.
template <class Pack, template <class> class Gas, bool uniform>
void trace_lanes(const LaneScene& scene, const LaneCells& cells, const LaneRays& rays,
                 LaneScores& scores) {
  LaneMarch<Pack, Gas, uniform>(scene, cells).trace(rays, scores);
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
  }
  return nullptr;
}

}  // namespace ermine
