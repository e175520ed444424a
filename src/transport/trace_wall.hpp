#pragma once

#include "core/constants.hpp"
#include "transport/trace_batch.hpp"

namespace ermine {

/// Rays of a wall face cell: net flux q = e pi sum_s <D_s>, directions weighted by the cosine, each
/// ray estimates e pi D / p_s [W/m2], positive where the wall loses heat.
template <class March, class Sampler>
struct WallTracer : RayTracer<March, Sampler> {
  using Origin = WallCellId;
  using Real = typename March::Real;

  ERMINE_FUNCTION BatchScore operator()(WallCellId wall, const RayRange& rays) const {
    const March& march = this->march;
    const Real emissivity = march.walls.emissivity[wall.value];
    if (!(emissivity > 0)) return {};
    const WallPlace place = wall_place(*march.grid.level, wall);
    const int axis = place.side / 2;
    const Real coordinate = march.walls.coordinate[wall.value];
    OrderedUniforms ordered(rays.count);
    BatchScore score;
    for (std::uint32_t ray = 0; ray < rays.count; ++ray) {
      RayStream stream = this->stream(wall.value, rays.first + ray);
      const Draw draw = stream.next();
      const auto point = this->sample_point(draw, ordered, stream);
      Vec3<Real> offset = this->sample_start(march.grid, place.index, stream);
      offset[axis] =
          place.side % 2 == 0 ? Real(0) : march.grid.cell_width(axis, place.index[axis]);
      const Vec3<Real> direction = CosineSampler<Real>{place.side}(draw);
      const Real emitted = march.medium.blackbody(point, coordinate);
      const auto found = march({place.index, offset, direction}, point, emitted, stream);
      const Real strength = static_cast<Real>(constants::pi) * emissivity;
      score.add(strength * this->sample_point.weight(point) * found.difference, found);
      if (score.gives_up(rays.count - ray - 1)) break;
    }
    return score;
  }
};

}  // namespace ermine
