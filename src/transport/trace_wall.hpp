#pragma once

#include "transport/trace_cell.hpp"

namespace ermine {

/// One ray of a wall face cell: net flux q = e pi sum_s <D_s>, directions weighted by the cosine,
/// estimated as e pi D / p_s [W/m2], positive where the wall loses heat.
template <class Medium, class Sampler = PointSampler<typename Medium::RealType>>
struct WallTracer {
  using Real = typename Medium::RealType;

  March<Medium> march;
  Sampler sample_point;
  StartSampler<Real> sample_start;
  std::uint64_t seed;
  std::uint32_t update;
  std::uint32_t first_origin;  ///< wall face cells are numbered after the cells of the gas

  ERMINE_FUNCTION RayScore<Real> operator()(WallCellId wall, std::int64_t ray) const {
    const Real emissivity = march.walls.emissivity[wall.value];
    if (!(emissivity > 0)) return {0, 0, RayEnd::absorbed};
    RayStream stream({seed, update, first_origin + static_cast<std::uint32_t>(wall.value),
                      static_cast<std::uint32_t>(ray)});
    const Draw draw = stream.next();
    const typename Medium::Point point = sample_point(draw, stream);

    const WallPlace place = wall_place(march.grid, march.walls, wall);
    const int axis = place.side / 2;
    Vec3<Real> offset = sample_start(march.grid, place.index, stream);
    offset[axis] = place.side % 2 == 0 ? Real(0) : march.grid.width[axis][place.index[axis]];
    const Vec3<Real> direction = CosineSampler<Real>{place.side}(draw);
    const Real emitted = march.medium.blackbody(point, march.walls.coordinate[wall.value]);
    const auto found = march({place.index, offset, direction}, point, emitted, stream);
    const Real strength = static_cast<Real>(constants::pi) * emissivity;
    return {strength * sample_point.weight(point) * found.difference, found.crossings, found.end};
  }
};

}  // namespace ermine
