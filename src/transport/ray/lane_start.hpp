#pragma once

#include "core/pack.hpp"
#include "transport/ray/lane_gas.hpp"
#include "transport/ray/lane_halvings.hpp"
#include "transport/ray/lane_rays.hpp"

namespace ermine {

/// As Draw::uniform<float>.
template <class Pack>
ERMINE_PACK typename Pack::Float uniform_from(typename Pack::Int word) {
  using Float = typename Pack::Float;
  return (Pack::to_float(word.template right<9>()) + Float(0.5f)) * Float(0x1p-23f);
}

/// As the function of that name for a single number.
template <class Pack>
ERMINE_PACK void sin_cos_of_turns(typename Pack::Float u, typename Pack::Float& sine,
                                  typename Pack::Float& cosine) {
  using Float = typename Pack::Float;
  using Int = typename Pack::Int;
  const Int quarter = Pack::truncate(Pack::fma(u, Float(4.0f), Float(0.5f)));
  const Float x = (u - Pack::to_float(quarter) * Float(0.25f)) * Float(6.28318531f);
  const Float x2 = x * x;
  sine = Pack::fma(x2, Float(1.0f / 362880), Float(-1.0f / 5040));
  sine = Pack::fma(x2, sine, Float(1.0f / 120));
  sine = Pack::fma(x2, sine, Float(-1.0f / 6));
  sine = x * Pack::fma(x2, sine, Float(1.0f));
  cosine = Pack::fma(x2, Float(1.0f / 40320), Float(-1.0f / 720));
  cosine = Pack::fma(x2, cosine, Float(1.0f / 24));
  cosine = Pack::fma(x2, cosine, Float(-1.0f / 2));
  cosine = Pack::fma(x2, cosine, Float(1.0f));
  const auto odd = (quarter & Int(1)) == Int(1);
  const Float s = Pack::select(odd, cosine, sine);
  const Float c = Pack::select(odd, sine, cosine);
  // Bit 1 of the quarter becomes the sign.
  sine = Pack::from_bits(Pack::bits_of(s) ^ (quarter & Int(2)).template left<30>());
  cosine = Pack::from_bits(Pack::bits_of(c) ^ ((quarter + Int(1)) & Int(2)).template left<30>());
}

/// As IsotropicSampler<float>. No component is ever zero.
template <class Pack>
ERMINE_PACK void isotropic(typename Pack::Int word0, typename Pack::Int word1, int polar,
                           typename Pack::Float (&direction)[3]) {
  using Float = typename Pack::Float;
  Float sine, cosine;
  sin_cos_of_turns<Pack>(uniform_from<Pack>(word1), sine, cosine);
  const Float mu = Float(1.0f) - uniform_from<Pack>(word0) * Float(2.0f);
  const Float rho = Pack::sqrt((Float(1.0f) - mu) * (Float(1.0f) + mu));
  const Float along = rho * cosine;
  const Float across = rho * sine;
  direction[0] = polar == 2 ? along : (polar == 1 ? across : mu);
  direction[1] = polar == 2 ? across : (polar == 1 ? mu : along);
  direction[2] = polar == 2 ? mu : (polar == 1 ? along : across);
}

/// As CosineSampler<float>: the component away from the wall, and those along its two axes. None is
/// ever zero.
template <class Pack>
ERMINE_PACK void leaving(typename Pack::Int word0, typename Pack::Int word1,
                         typename Pack::Float& away, typename Pack::Float& fast,
                         typename Pack::Float& slow) {
  using Float = typename Pack::Float;
  const Float square = uniform_from<Pack>(word0);
  const Float rho = Pack::sqrt(Float(1.0f) - square);
  Float sine, cosine;
  sin_cos_of_turns<Pack>(uniform_from<Pack>(word1), sine, cosine);
  away = Pack::sqrt(square);
  fast = rho * cosine;
  slow = rho * sine;
}

/// As mean_decay(), of x / ln 2.
template <class Pack>
ERMINE_PACK typename Pack::Float mean_halvings(typename Pack::Float y) {
  using Float = typename Pack::Float;
  const Float x = y * Float(ln_2);
  const Float thick = (Float(1.0f) - halvings<Pack>(Pack::min(y, Float(125.0f)))) / x;
  Float thin = Pack::fma(x, Float(1.0f / 120), Float(-1.0f / 24));
  thin = Pack::fma(x, thin, Float(1.0f / 6));
  thin = Pack::fma(x, thin, Float(-1.0f / 2));
  thin = Pack::fma(x, thin, Float(1.0f));
  return Pack::select(x > Float(0.125f), thick, thin);
}

/// As CellExit; lengths are in units of ln(2).
template <class Pack>
struct LaneExit {
  using Float = typename Pack::Float;
  using Mask = typename Pack::Mask;

  Float length;
  Float density;

  /// As leave_cell(). `next`: lengths through the cell before, to the next faces afterwards.
  ERMINE_PACK LaneExit(const LaneRay& ray, Float (&next)[3]) {
    Float faces[3];
    for (int a = 0; a < 3; ++a) faces[a] = Float(1.0f) / next[a];
    const Float all = faces[0] + faces[1] + faces[2];
    const Float by_length =
        all * Float(3.0f) / Pack::fma(all, Float(3.0f), Float(ray.usual_absorption * ln_2));
    const Float first = ray.crossing[0];
    const Float second = ray.crossing[1];
    const Float third = ray.crossing[2];
    const Mask along = by_length > third;
    const Float which = (third - by_length) / (Float(1.0f) - by_length) * all;
    const Mask x = Pack::but_not(faces[0] > which, along);
    const Mask not_z = Pack::but_not(faces[0] + faces[1] > which, along);
    const Mask y = Pack::but_not(not_z, x);
    Float part[3];
    part[0] = Pack::select(x, Float(0.0f), first);
    part[1] = Pack::select(y, Float(0.0f), Pack::select(x, first, second));
    part[2] = Pack::select(along, third / by_length, Pack::where(not_z, second));
    Float forwards = part[0] * next[0];
    Float backwards = (Float(1.0f) - part[0]) * next[0];
    for (int a = 0; a < 3; ++a) {
      backwards = Pack::min(backwards, (Float(1.0f) - part[a]) * next[a]);
      next[a] = part[a] * next[a];
      forwards = Pack::min(forwards, next[a]);
    }
    for (int a = 0; a < 3; ++a) next[a] = next[a] - forwards;
    length = forwards + backwards;
    density = Pack::fma(by_length, length, (Float(1.0f) - by_length) / all);
  }

  ERMINE_PACK Float share(Float absorption) const {
    return length * mean_halvings<Pack>(absorption * length) / density;
  }
};

enum class LaneStart { cell, node, face };

/// Starts ray `number` of those together in each cell, as CellTracer does, at each node, or at each
/// face cell, as WallTracer does; returns how many have started.
/// Cells where the spectral point absorbs nothing, and faces that do not emit, have none.
template <class Pack, bool uniform, LaneStart from, class Gas>
ERMINE_PACK int start_lanes(const LaneScene& scene, const LaneCells& cells, const Gas& gas,
                            const LaneRay& ray, typename Pack::Int row, int number, int started,
                            LaneRayStates& rays, float* strength) {
  using Float = typename Pack::Float;
  using Int = typename Pack::Int;
  using Mask = typename Pack::Mask;
  constexpr bool from_nodes = from == LaneStart::node;
  constexpr bool from_faces = from == LaneStart::face;
  const LaneLevel& level = scene.level[0];
  const int wall = from_faces ? cells.side / 2 : -1;
  const Int sign_bit(static_cast<int>(0x80000000u));
  const int first_lane = number * most_lanes;
  for (int first = 0; first < cells.count; first += Pack::width) {
    const auto used = Int(cells.count - first) > Pack::counting();
    LanePack<Pack> pack;
    Float direction[3];
    const Int word0 = Int::load(cells.shift[0] + first) ^ Int(ray.word[0]);
    const Int word1 = Int::load(cells.shift[1] + first) ^ Int(ray.word[1]);
    if constexpr (from_faces) {
      Float away, fast, slow;
      leaving<Pack>(word0, word1, away, fast, slow);
      if (cells.side % 2 == 1) away = Float(0.0f) - away;
      direction[0] = wall == 0 ? away : fast;
      direction[1] = wall == 1 ? away : (wall == 0 ? fast : slow);
      direction[2] = wall == 2 ? away : slow;
    } else {
      isotropic<Pack>(word0, word1, scene.polar, direction);
    }
    const Mask averages = Int::load(cells.averages + first) > Int(0);
    Float through[3];
    Int cell(level.first);
    for (int a = 0; a < 3; ++a) {
      pack.index[a] = Pack::select(used, Int::load(cells.index[a] + first), Int(cells.index[a][0]));
      if constexpr (from_nodes) {
        // In that of the cells around it that lies ahead.
        pack.index[a] = pack.index[a] + Int(1) + Pack::bits_of(direction[a]).sign();
      }
      cell = cell + pack.index[a] * Int(level.stride[a]);
      const Float width =
          uniform ? Float(scene.uniform_width[a] * log2_e)
                  : Pack::gather(scene.width, pack.index[a] + Int(level.width[a])) * Float(log2_e);
      const Float inverse = Float(1.0f) / Pack::absolute(direction[a]);
      const Float slope = uniform ? width * inverse : inverse * Float(log2_e);
      through[a] = width * inverse;
      Float part = 0.5f;
      if constexpr (from_faces) part = Pack::select(averages, Float(ray.crossing[a]), part);
      if (from_nodes || a == wall) part = 1.0f;
      pack.next[a] = through[a] * part;
      pack.slope[a] =
          Pack::from_bits(Pack::bits_of(slope) ^ (Pack::bits_of(direction[a]) & sign_bit));
    }
    LaneGas<Pack> here;
    if constexpr (from_nodes) {
      here = look_up<Pack>(gas, Float::load(cells.coordinate + first), row);
    } else {
      if constexpr (from_faces) {
        // What the wall emits is in the entry beyond the face.
        cell = cell + Int(cells.side % 2 == 0 ? -level.stride[wall] : level.stride[wall]);
      }
      int numbers[Pack::width];
      cell.store(numbers);
      here = look_up<Pack>(gas, numbers, row);
    }
    pack.transmissivity = Float(1.0f);
    pack.intensity = here.intensity;
    pack.difference = Float(0.0f);
    pack.row = row;
    constexpr float four_pi = 12.5663706f;
    Float factor = 1.0f;
    if constexpr (from == LaneStart::cell) {
      factor = here.absorption * Float(four_pi) * Float(ray.weight);
      if (averages.bits() & used.bits()) {
        const LaneExit<Pack> exit(ray, through);
        factor = Pack::select(averages, factor * exit.share(here.absorption), factor);
        for (int a = 0; a < 3; ++a) {
          pack.next[a] = Pack::select(averages, through[a], pack.next[a]);
        }
      }
    } else if constexpr (from_faces) {
      factor = Float::load(cells.emissivity + first) * Float(four_pi / 4) * Float(ray.weight);
    }
    factor.store(strength + first_lane + first);
    const unsigned alive = ((factor > Float(0.0f)) & used).bits();
    const Int lane = Pack::counting() + Int(first_lane + first);
    if (alive == (1ull << Pack::width) - 1) {
      pack.store(rays, started, AsTheyAre{});
      lane.store(rays.lane + started);
    } else {
      const typename Pack::Compress compress(alive);
      pack.store(rays, started, compress);
      compress(lane).store(rays.lane + started);
    }
    Int(0).store(rays.draws + started);
    started += __builtin_popcount(alive);
  }
  return started;
}

}  // namespace ermine
