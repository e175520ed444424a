#pragma once

#include "core/constants.hpp"
#include "transport/trace_batch.hpp"

namespace ermine {

/// Rays of a wall face cell: net flux q = e pi sum_s <D_s>, directions weighted by the cosine, each
/// ray estimates e pi D / p_s [W/m2], positive where the wall loses heat.
template <class March, class Sampler>
struct WallTracer : BatchTracer<March, Sampler> {
  using Origin = WallCellId;
  using Real = typename March::Real;

  ERMINE_FUNCTION BatchScore operator()(WallCellId wall, const RayRange& rays) const {
    const March& marcher = this->march;
    const WallPlace place = wall_place(marcher.grid.finest, wall);
    const Vec3<Real> widths = cell_widths<March::spacing>(marcher.grid, place.index);
    const int axis = place.side / 2;
    const Real coordinate = marcher.walls.coordinate[wall.value];
    const Real strength = static_cast<Real>(constants::pi) * marcher.walls.emissivity[wall.value];
    const auto launch = [&](const Draw& draw, const auto& point, RayStream& stream) {
      Vec3<Real> offset = this->sample_start(widths, stream);
      offset[axis] = place.side % 2 == 0 ? Real(0) : widths[axis];
      return RayLaunch<Real>{{place.index, offset, CosineSampler<Real>{place.side}(draw)},
                             marcher.medium.blackbody(point, coordinate),
                             strength * this->sample_point.weight(point)};
    };
    return this->trace(wall.value, rays, launch);
  }
};

}  // namespace ermine
