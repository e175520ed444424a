#pragma once

#include "core/constants.hpp"
#include "geometry/tiles.hpp"
#include "transport/ray/trace_batch.hpp"

namespace ermine {

/// Rays of a wall face cell: net flux q = e pi sum_s <D_s>, directions weighted by the cosine, each
/// ray estimates e pi D / p_s [W/m2], positive where the wall loses heat.
template <class March, class Rays>
struct WallTracer : BatchTracer<March, Rays> {
  using Origin = WallCellId;
  using Real = typename March::Real;

  ERMINE_FUNCTION int origin_count() const { return this->march.grid.finest.wall[6]; }
  ERMINE_FUNCTION WallTiles tiles() const {
    WallTiles tiles{};
    for (int side = 0; side < 7; ++side) tiles.wall[side] = this->march.grid.finest.wall[side];
    tiles.cells = this->march.grid.finest.cells;
    return tiles;
  }
  /// Area of a face cell [m2].
  ERMINE_FUNCTION Real size(WallCellId wall) const {
    const WallPlace place = wall_place(this->march.grid.finest, wall);
    const Vec3<Real> widths = cell_widths<March::spacing>(this->march.grid, place.index);
    return widths[first_tangent(place.side / 2)] * widths[second_tangent(place.side / 2)];
  }

  /// What estimates are proportional to, other things being equal.
  ERMINE_FUNCTION Real scale(WallCellId wall) const {
    return this->march.walls.emissivity[wall.value];
  }

  ERMINE_FUNCTION BatchScore operator()(WallCellId wall, const typename Rays::Range& range) const {
    const March& marcher = this->march;
    const WallPlace place = wall_place(marcher.grid.finest, wall);
    const Vec3<Real> widths = cell_widths<March::spacing>(marcher.grid, place.index);
    const int axis = place.side / 2;
    const Real coordinate = marcher.walls.coordinate[wall.value];
    const Real strength = static_cast<Real>(constants::pi) * marcher.walls.emissivity[wall.value];
    const auto launch = [&](const auto& drawn, const auto& point, RayStream& stream) {
      Vec3<Real> fraction{{Real(0.5), Real(0.5), Real(0.5)}};
      if (this->start_point != StartPoint::point) {
        fraction = this->rays.template crossing<Real>(drawn.batch, drawn.number, stream);
      }
      const Vec3<Real> direction = CosineSampler<Real>{place.side}(drawn.direction);
      Vec3<Real> offset;
      for (int a = 0; a < 3; ++a) {
        const Real ahead = a == axis ? widths[a] : fraction[a] * widths[a];
        offset[a] = direction[a] < 0 ? ahead : widths[a] - ahead;
      }
      return RayLaunch<Real>{{place.index, offset, direction},
                             marcher.medium.blackbody(point, coordinate),
                             strength * this->rays.weight(point)};
    };
    return this->trace(this->rays.batch(wall.value, tiles().tile_of(wall), 0, range), launch);
  }
};

}  // namespace ermine
