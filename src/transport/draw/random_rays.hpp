#pragma once

#include "core/vec3.hpp"
#include "transport/draw/sample_point.hpp"

#include <cstdint>

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

/// Rays drawn from random numbers, the spectral points of a batch in the order of the sampler.
template <class SamplerType>
struct RandomRays {
  using Sampler = SamplerType;
  using Range = RayRange;

  struct Batch {
    std::uint32_t origin;
    std::uint32_t first;
    std::uint32_t count;
    OrderedUniforms ordered;
  };

  Sampler sampler;
  std::uint64_t seed;
  std::uint32_t update;
  std::uint32_t first_origin;  ///< of the rays' keys: cells first, then wall face cells

  ERMINE_FUNCTION static constexpr int polar_axis() { return 2; }

  ERMINE_FUNCTION Batch batch(int origin, int, int, const RayRange& range) const {
    return {first_origin + static_cast<std::uint32_t>(origin), range.first, range.count,
            OrderedUniforms(range.count)};
  }

  ERMINE_FUNCTION typename Sampler::Point next(Batch& batch, std::uint32_t number, Draw& draw,
                                               RayStream& stream) const {
    stream = RayStream({seed, update, batch.origin, batch.first + number});
    draw = stream.next();
    return sampler(draw, batch.ordered);
  }

  template <class Real>
  ERMINE_FUNCTION Vec3<Real> crossing(const Batch&, std::uint32_t, RayStream& stream) const {
    const Draw draw = stream.next();
    return {{draw.uniform<Real>(0), draw.uniform<Real>(1), draw.uniform<Real>(2)}};
  }

  ERMINE_FUNCTION typename Sampler::Real weight(const typename Sampler::Point& point) const {
    return sampler.weight(point);
  }
};

}  // namespace ermine
