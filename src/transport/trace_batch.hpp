#pragma once

#include "transport/march.hpp"
#include "transport/sample_point.hpp"

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

/// What the rays of one batch add up to.
struct BatchScore {
  double sum = 0.0;
  std::uint32_t traced = 0;
  std::uint32_t lost = 0;
  std::int64_t crossings = 0;

  template <class Real>
  ERMINE_FUNCTION void add(Real value, const RayFinding<Real>& ray) {
    sum += static_cast<double>(value);
    ++traced;
    crossings += ray.crossings;
    lost += ray.end == RayEnd::lost;
  }

  /// A batch that loses most of its rays, each after a great many crossings, counts the others as
  /// lost too: the run is bound to fail, and soon.
  ERMINE_FUNCTION bool gives_up(std::uint32_t rays_left) {
    if (lost < 8 || lost < traced / 2) return false;
    lost += rays_left;
    return true;
  }
};

/// Start of a ray within a cell of the given widths: distances from its low faces [m].
template <class Real>
struct StartSampler {
  int uniform;  ///< 1: anywhere in the cell; 0: at its centre, consuming no draw

  ERMINE_FUNCTION Vec3<Real> operator()(const GridView<Real>& grid, const Vec3<int>& index,
                                        RayStream& stream) const {
    Vec3<Real> fraction{{Real(0.5), Real(0.5), Real(0.5)}};
    if (uniform) {
      const Draw draw = stream.next();
      for (int a = 0; a < 3; ++a) fraction[a] = draw.uniform<Real>(a);
    }
    Vec3<Real> offset;
    for (int a = 0; a < 3; ++a) offset[a] = fraction[a] * grid.cell_width(a, index[a]);
    return offset;
  }
};

/// What all rays of a run share.
template <class MarchType, class SamplerType>
struct RayTracer {
  using March = MarchType;
  using Sampler = SamplerType;
  using Real = typename March::Real;

  March march;
  Sampler sample_point;
  StartSampler<Real> sample_start;
  std::uint64_t seed;
  std::uint32_t update;
  std::uint32_t first_origin;  ///< of the rays' keys: cells first, then wall face cells

  ERMINE_FUNCTION RayStream stream(int origin, std::uint32_t ray) const {
    return RayStream({seed, update, first_origin + static_cast<std::uint32_t>(origin), ray});
  }
};

}  // namespace ermine
