#pragma once

#include "core/constants.hpp"
#include "geometry/tiles.hpp"
#include "transport/ray/trace_batch.hpp"

namespace ermine {

/// Rays of a cell: Q_i = 4 pi sum_s k_s(T_i) <D_s>, each ray estimates 4 pi k_s(T_i) D / p_s
/// [W/m3]. The paper's Algorithm 1. Averages over the cell start as leave_cell() has it.
template <class March, class Rays>
struct CellTracer : BatchTracer<March, Rays> {
  using Origin = CellId;
  using Real = typename March::Real;

  ERMINE_FUNCTION int origin_count() const {
    return this->march.grid.finest.stride[2] * this->march.grid.finest.cells[2];
  }
  ERMINE_FUNCTION CellTiles tiles() const {
    CellTiles tiles{};  // nvcc drops the braces of a list
    tiles.grid = this->march.grid.finest;
    return tiles;
  }
  /// Volume of a cell [m3].
  ERMINE_FUNCTION Real size(CellId cell) const {
    const Vec3<int> index = this->march.grid.finest.index(cell);
    const Vec3<Real> widths = cell_widths<March::spacing>(this->march.grid, index);
    return widths[0] * widths[1] * widths[2];
  }

  /// What estimates are proportional to, other things being equal.
  ERMINE_FUNCTION Real scale(CellId cell) const { return this->march.medium.scale(cell); }

  /// Whether rays of a cell start all over it.
  ERMINE_FUNCTION bool averages(CellId cell) const {
    return this->rough ? this->rough[cell.value] != 0 : this->start_point == StartPoint::uniform;
  }

  /// Image of the directions of its tile that a cell sees: each of 2 x 2 x 2 neighbours another
  /// one, and those of a plane together all signs of each component, like the black and white of a
  /// chessboard, so that averages over planes know as much of all directions as the tile does.
  ERMINE_FUNCTION static int image(const Vec3<int>& index) {
    const int x = index[0] % 2;
    const int y = index[1] % 2;
    const int z = index[2] % 2;
    return (x ^ y ^ z) + 2 * (x ^ y) + 4 * (y ^ z);
  }

  ERMINE_FUNCTION BatchScore operator()(CellId cell, const typename Rays::Range& range) const {
    const March& marcher = this->march;
    const Vec3<int> index = marcher.grid.finest.index(cell);
    const Vec3<Real> widths = cell_widths<March::spacing>(marcher.grid, index);
    const Real coordinate = marcher.coordinate[cell];
    const auto launch = [&](const auto& drawn, const auto& point, RayStream& stream) {
      const GasState<Real> gas = marcher.medium.at(point, cell, coordinate);
      const Vec3<Real> direction = IsotropicSampler<Real>{this->rays.polar_axis()}(drawn.direction);
      RayLaunch<Real> ray{
          {index, {}, direction},
          gas.intensity,
          static_cast<Real>(4 * constants::pi) * gas.absorption * this->rays.weight(point)};
      if (!averages(cell)) {
        for (int a = 0; a < 3; ++a) ray.start.offset[a] = widths[a] / 2;
        return ray;
      }
      Vec3<Real> through;
      for (int a = 0; a < 3; ++a) through[a] = widths[a] * std::abs(reciprocal(direction[a]));
      if (marcher.scattering.classes > 0 && marcher.scattering.coefficient(cell) > 0) {
        // Rays may turn within the cell: nothing is known of the line through it.
        const Vec3<Real> part =
            this->rays.template crossing<Real>(drawn.batch, drawn.number, stream);
        for (int a = 0; a < 3; ++a) ray.start.offset[a] = part[a] * widths[a];
        return ray;
      }
      const CellExit<Real> exit =
          leave_cell(through, this->rays.template crossing<Real>(drawn.batch, drawn.number, stream),
                     this->rays.sampler.usual_absorption[point.value]);
      for (int a = 0; a < 3; ++a) {
        const Real ahead = exit.ahead[a] * std::abs(direction[a]);
        ray.start.offset[a] = direction[a] < 0 ? ahead : widths[a] - ahead;
      }
      ray.strength *= exit.share(gas.absorption);
      return ray;
    };
    const auto batch = this->rays.batch(cell.value, tiles().tile_of(cell), image(index), range);
    return this->trace(batch, launch);
  }
};

}  // namespace ermine
