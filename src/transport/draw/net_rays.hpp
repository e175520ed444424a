#pragma once

#include <ermine/options.hpp>

#include "core/vec3.hpp"
#include "sampling/net.hpp"
#include "transport/draw/sample_point.hpp"

#include <cstdint>

namespace ermine {

/// One replicate of an origin: a net of so many rays.
struct Replicate {
  std::uint32_t number;
  std::uint32_t rays;
  std::uint32_t first_ray = 0;  ///< in the rays' keys
};

/// Rays of a randomised net: of n rays, number r has the spectral point at (r + o) / n of the
/// distribution, and its direction from the bits of r. The origins of a tile share o, so that all
/// of them trace the same points in the same order (increasing k): threads side by side read the
/// same rows and trace rays of about the same length.
template <class SamplerType>
struct NetRays {
  using Sampler = SamplerType;
  using Range = Replicate;

  struct Batch {
    std::uint32_t origin;
    std::uint32_t first;
    std::uint32_t count;
    NetWords shift;
    int image;  ///< of the tile's directions
    double offset;
    double step;  ///< 1 / n
  };

  Sampler sampler;
  std::uint64_t seed;
  std::uint32_t update;
  /// Update whose random shifts these are, and which block of their sequence.
  std::uint32_t shifts_of;
  NetBlock block;
  std::uint32_t first_origin;  ///< of the rays' keys: cells first, then wall face cells
  Shifts shifts;
  int polar;  ///< axis of directions

  ERMINE_FUNCTION int polar_axis() const { return polar; }

  /// Keys of tiles follow those of all origins, from behind.
  /// `image`: of the directions of the tile, where origins have them mirrored.
  ERMINE_FUNCTION Batch batch(int origin, int tile, int image, const Replicate& replicate) const {
    const std::uint32_t origin_key = first_origin + static_cast<std::uint32_t>(origin);
    const std::uint32_t tile_key = ~(first_origin + static_cast<std::uint32_t>(tile));
    const NetStream of_origin({seed, shifts_of, origin_key, replicate.number});
    const NetStream of_tile({seed, shifts_of, tile_key, replicate.number});
    const NetStream of_shift = shifts == Shifts::cell ? of_origin : of_tile;
    const int seen = shifts == Shifts::mirrored ? image : 0;
    return {origin_key,
            replicate.first_ray,
            replicate.rays,
            mirrored(of_shift.shift(block.shift), seen),
            seen,
            of_tile.offset(block.offset),
            1.0 / replicate.rays};
  }

  ERMINE_FUNCTION typename Sampler::Point next(const Batch& batch, std::uint32_t number, Draw& draw,
                                               RayStream& stream) const {
    stream = RayStream({seed, update, batch.origin, batch.first + number});
    const NetWords words = net_words(number, batch.shift);
    draw = {{words.first, words.second, 0, 0}};
    // Rounding must not lead beyond the last point.
    const double u = (number + batch.offset) * batch.step;
    return sampler.at(u < 1 ? u : 1 - 0x1p-53);
  }

  /// Where a ray crosses its cell, see leave_cell(): rays of all cells of a tile cross them alike.
  /// Blocks of one sequence continue each other.
  template <class Real>
  ERMINE_FUNCTION Vec3<Real> crossing(const Batch& batch, std::uint32_t number, RayStream&) const {
    const std::uint32_t random = static_cast<std::uint32_t>(batch.offset * 0x1p32) ^ block.offset;
    const CrossingWords words = crossing_words(block.number * batch.count + number, random);
    const Draw draw{{words.of_axis[0], words.of_axis[1], words.of_axis[2], 0}};
    return {{draw.uniform<Real>(0), draw.uniform<Real>(1), draw.uniform<Real>(2)}};
  }

  ERMINE_FUNCTION typename Sampler::Real weight(const typename Sampler::Point& point) const {
    return sampler.weight(point);
  }
};

}  // namespace ermine
