#pragma once

#include "core/constants.hpp"
#include "transport/trace_batch.hpp"

namespace ermine {

/// Rays of a cell: Q_i = 4 pi sum_s k_s(T_i) <D_s>, each ray estimates 4 pi k_s(T_i) D / p_s [W/m3].
/// The paper's Algorithm 1; with a sorted sampler its Algorithm with sorted narrow bands.
template <class March, class Sampler>
struct CellTracer : RayTracer<March, Sampler> {
  using Origin = CellId;
  using Real = typename March::Real;

  ERMINE_FUNCTION BatchScore operator()(CellId cell, const RayRange& rays) const {
    const March& march = this->march;
    const Vec3<int> index = march.grid.level->index(cell);
    const Real coordinate = march.coordinate[cell];
    OrderedUniforms ordered(rays.count);
    BatchScore score;
    for (std::uint32_t ray = 0; ray < rays.count; ++ray) {
      RayStream stream = this->stream(cell.value, rays.first + ray);
      const Draw draw = stream.next();
      const auto point = this->sample_point(draw, ordered, stream);
      const GasState<Real> gas = march.medium.at(point, cell, coordinate);
      if (!(gas.absorption > 0)) continue;

      const Vec3<Real> offset = this->sample_start(march.grid, index, stream);
      const Vec3<Real> direction = IsotropicSampler<Real>{}(draw);
      const auto found = march({index, offset, direction}, point, gas.intensity, stream);
      const Real strength = static_cast<Real>(4 * constants::pi) * gas.absorption;
      score.add(strength * this->sample_point.weight(point) * found.difference, found);
      if (score.gives_up(rays.count - ray - 1)) break;
    }
    return score;
  }
};

}  // namespace ermine
