#pragma once

#include "core/constants.hpp"
#include "transport/trace_batch.hpp"

namespace ermine {

/// Rays of a cell: Q_i = 4 pi sum_s k_s(T_i) <D_s>, each ray estimates 4 pi k_s(T_i) D / p_s
/// [W/m3]. The paper's Algorithm 1.
template <class March, class Sampler>
struct CellTracer : BatchTracer<March, Sampler> {
  using Origin = CellId;
  using Real = typename March::Real;

  ERMINE_FUNCTION BatchScore operator()(CellId cell, const RayRange& rays) const {
    const March& marcher = this->march;
    const Vec3<int> index = marcher.grid.finest.index(cell);
    const Vec3<Real> widths = cell_widths<March::spacing>(marcher.grid, index);
    const Real coordinate = marcher.coordinate[cell];
    const auto launch = [&](const Draw& draw, const auto& point, RayStream& stream) {
      const GasState<Real> gas = marcher.medium.at(point, cell, coordinate);
      const Real strength = static_cast<Real>(4 * constants::pi) * gas.absorption;
      return RayLaunch<Real>{
          {index, this->sample_start(widths, stream), IsotropicSampler<Real>{}(draw)},
          gas.intensity,
          strength * this->sample_point.weight(point)};
    };
    return this->trace(cell.value, rays, launch);
  }
};

}  // namespace ermine
