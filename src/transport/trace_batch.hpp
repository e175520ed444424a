#pragma once

#include "core/lanes.hpp"
#include "transport/march.hpp"
#include "transport/sample_point.hpp"

#include <cstdint>
#include <type_traits>

namespace ermine {

/// Consecutive rays of one origin that make up one batch: a sample of its own, whose sum one thread
/// owns.
struct RayRange {
  std::uint32_t first;
  std::uint32_t count;
};

/// Of `batches` nearly equal parts of `rays` rays.
ERMINE_FUNCTION RayRange batch_of_rays(std::int64_t rays, int batches, int batch) {
  const std::int64_t first = rays * batch / batches;
  return {static_cast<std::uint32_t>(first),
          static_cast<std::uint32_t>(rays * (batch + 1) / batches - first)};
}

/// What the rays of one batch add up to.
struct BatchScore {
  double sum = 0.0;
  double squares = 0.0;
  std::uint32_t traced = 0;
  std::uint32_t lost = 0;
  std::int64_t crossings = 0;
  bool gave_up = false;  ///< not all rays were traced, as too many of them were lost
};

/// Start of a ray within a cell of the given widths: distances from its low faces [m].
template <class Real>
struct StartSampler {
  int uniform;  ///< 1: anywhere in the cell; 0: at its centre, consuming no draw

  ERMINE_FUNCTION Vec3<Real> operator()(const Vec3<Real>& widths, RayStream& stream) const {
    Vec3<Real> fraction{{Real(0.5), Real(0.5), Real(0.5)}};
    if (uniform) {
      const Draw draw = stream.next();
      for (int a = 0; a < 3; ++a) fraction[a] = draw.uniform<Real>(a);
    }
    Vec3<Real> offset;
    for (int a = 0; a < 3; ++a) offset[a] = fraction[a] * widths[a];
    return offset;
  }
};

/// A ray about to start.
template <class Real>
struct RayLaunch {
  RayStart<Real> start;
  Real intensity;  ///< I_s at the start
  Real strength;   ///< factor of D in the estimate; 0: nothing to trace
};

template <Spacing spacing, class Real>
ERMINE_FUNCTION Vec3<Real> cell_widths(const GridView<Real>& grid, const Vec3<int>& index) {
  if constexpr (spacing == Spacing::uniform) return grid.uniform_width;
  return {
      {grid.cell_width(0, index[0]), grid.cell_width(1, index[1]), grid.cell_width(2, index[2])}};
}

/// Traces the rays of a batch one after the other; where they start is left to `launch`.
template <class MarchType, class SamplerType>
struct BatchTracer {
  using March = MarchType;
  using Sampler = SamplerType;
  using Real = typename March::Real;
  using Point = typename March::Medium::Point;

  March march;
  Sampler sample_point;
  StartSampler<Real> sample_start;
  std::uint64_t seed;
  std::uint32_t update;
  std::uint32_t first_origin;  ///< of the rays' keys: cells first, then wall face cells
  /// Share of the rays of a batch beyond which it gives up: each lost ray has cost a great many
  /// crossings.
  float hopeless_fraction;

  /// launch(draw, point, stream) is the RayLaunch of a ray. Where rays differ much in length, the
  /// threads of a GPU's warp whose rays have ended do not wait for the longest of the others: from
  /// time to time all pause, and those without a ray begin their next one. Each adds up its own
  /// rays in their order all the same.
  template <class Launch>
  ERMINE_FUNCTION BatchScore trace(int origin, const RayRange& rays, const Launch& launch) const {
    using Turns = std::conditional_t<March::detail == Detail::single, Warp, Alone>;
    OrderedUniforms ordered(rays.count);
    BatchScore score;
    typename March::Ray ray;
    RayStream stream;
    Point point;
    Real strength = 0;
    bool in_flight = false;
    std::uint32_t begun = 0;
    while (Turns::any(in_flight || begun < rays.count)) {
      while (!in_flight && begun < rays.count) {
        stream = RayStream(
            {seed, update, first_origin + static_cast<std::uint32_t>(origin), rays.first + begun});
        ++begun;
        const Draw draw = stream.next();
        point = sample_point(draw, ordered, stream);
        const RayLaunch<Real> next = launch(draw, point, stream);
        if (!(next.strength > 0)) continue;
        ray = march.start(next.start, next.intensity);
        strength = next.strength;
        in_flight = true;
      }
      do {
        if (!in_flight) continue;
        in_flight = march.step(ray, point, stream);
        if (in_flight) continue;
        const double value = static_cast<double>(strength * ray.difference);
        score.sum += value;
        score.squares += value * value;
        score.crossings += ray.crossings;
        score.lost += march.lost(ray);
        ++score.traced;
        if (hopeless(score.lost, rays.count)) {
          score.gave_up = true;
          begun = rays.count;
        }
      } while (!Turns::pause(in_flight, !in_flight && begun < rays.count));
    }
    return score;
  }

 private:
  ERMINE_FUNCTION bool hopeless(std::uint32_t lost, std::uint32_t rays) const {
    return lost > 8 && static_cast<float>(lost) > hopeless_fraction * static_cast<float>(rays);
  }
};

}  // namespace ermine
