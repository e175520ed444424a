#pragma once

#include <ermine/options.hpp>

#include "core/lanes.hpp"
#include "transport/draw/net_rays.hpp"
#include "transport/draw/random_rays.hpp"
#include "transport/ray/march.hpp"
#include "transport/ray/sample_start.hpp"

#include <cstdint>
#include <type_traits>

namespace ermine {

/// What the rays of one batch add up to.
struct BatchScore {
  double sum = 0.0;
  double squares = 0.0;
  std::uint32_t traced = 0;
  std::uint32_t lost = 0;
  std::int64_t crossings = 0;
  bool gave_up = false;  ///< not all rays were traced: too many were lost, or nobody wants them
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

/// Traces the rays of a batch one after the other; how they are drawn is left to RaysType, where
/// they start to `launch`.
template <class MarchType, class RaysType>
struct BatchTracer {
  using March = MarchType;
  using Rays = RaysType;
  using Real = typename March::Real;
  using Point = typename March::Medium::Point;

  March march;
  Rays rays;
  StartPoint start_point;
  const char* rough = nullptr;  ///< see rough_cells(); null: all start as start_point has it
  /// Share of the rays of a batch beyond which it gives up: each lost ray has cost a great many
  /// crossings.
  float hopeless_fraction;

  /// What a ray is launched with.
  struct Drawn {
    Draw direction;
    const typename Rays::Batch& batch;
    std::uint32_t number;
  };

  /// launch(drawn, point, stream) is the RayLaunch of a ray. Where rays differ much in length, the
  /// threads of a GPU's warp whose rays have ended do not wait for the longest of the others: from
  /// time to time all pause, and those without a ray begin their next one. Each adds up its own
  /// rays in their order all the same.
  template <class Launch>
  ERMINE_FUNCTION BatchScore trace(typename Rays::Batch batch, const Launch& launch) const {
    using Turns = std::conditional_t<March::detail == Detail::single, Warp, Alone>;
    BatchScore score;
    typename March::Ray ray;
    RayStream stream;
    Point point;
    Real strength = 0;
    bool in_flight = false;
    std::uint32_t begun = 0;
    constexpr std::int64_t crossings_between_looks = 4096;
    std::int64_t next_look = crossings_between_looks;
    while (Turns::any(in_flight || begun < batch.count)) {
      while (!in_flight && begun < batch.count) {
        Draw draw;
        point = rays.next(batch, begun, draw, stream);
        ++begun;
        const RayLaunch<Real> next = launch(Drawn{draw, batch, begun - 1}, point, stream);
        if (!(next.strength > 0)) continue;
        ray = march.start(next.start, next.intensity, stream);
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
        bool gives_up = hopeless(score.lost, batch.count);
        if (score.crossings >= next_look) {
          next_look = score.crossings + crossings_between_looks;
          gives_up = gives_up || Turns::stop();
        }
        if (gives_up) {
          score.gave_up = true;
          begun = batch.count;
        }
      } while (!Turns::pause(in_flight, !in_flight && begun < batch.count));
    }
    return score;
  }

  ERMINE_FUNCTION bool hopeless(std::uint32_t lost, std::uint32_t count) const {
    return lost > 8 && static_cast<float>(lost) > hopeless_fraction * static_cast<float>(count);
  }
};

}  // namespace ermine
