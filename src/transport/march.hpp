#pragma once

#include "core/decay.hpp"
#include "geometry/ray_walk.hpp"
#include "medium/medium_view.hpp"
#include "sampling/ray_stream.hpp"
#include "transport/sample_direction.hpp"

namespace ermine {

enum class RayEnd { absorbed, lost };

/// What one ray found: D = I_s(start) - intensity arriving at the start against its direction.
template <class Real>
struct RayFinding {
  Real difference;
  int crossings;
  RayEnd end;
};

/// A value per cell in ordinary memory.
template <class Real>
struct PlainField {
  const Real* value;

  ERMINE_FUNCTION Real operator[](CellId cell) const { return value[cell.value]; }
};

/// The reciprocal march. A ray goes backwards along the light that arrives at its start and
/// collects, from cell to cell and at walls,
///   D = sum t (I_old - I_new),
/// the summation by parts of the paper's absorbed-intensity sum: differences of intensities
/// weighted by the transmissivity t back to the start. An isothermal enclosure gives exactly zero,
/// and there is no 1 - exp(-x) to cancel. After `grid.steps` cells the ray goes on among the cells
/// of the next coarser level (the paper's multigrid).
template <class MediumType, Spacing spacing_, class FieldType>
struct March {
  using Medium = MediumType;
  using Field = FieldType;
  using Real = typename Medium::RealType;
  static constexpr Spacing spacing = spacing_;

  GridView<Real> grid;
  WallsView<Real> walls;
  Medium medium;
  Field coordinate;  ///< temperature of each cell as the medium's coordinate
  Real tolerance;
  int max_crossings;

  /// `intensity` is I_s at the start, of the cell or of the wall the ray leaves from.
  ERMINE_FUNCTION RayFinding<Real> operator()(const RayStart<Real>& start,
                                              const typename Medium::Point& point, Real intensity,
                                              RayStream& stream) const {
    RayWalk<Real, spacing> walk(grid, start);
    Real transmissivity = 1;
    Real difference = 0;
    int coarser_at = grid.levels > 1 ? grid.steps : max_crossings;
    for (int crossings = 1; crossings <= max_crossings; ++crossings) {
      const CellId cell = walk.cell();
      const GasState<Real> gas = medium.at(point, cell, coordinate[cell]);
      difference += transmissivity * (intensity - gas.intensity);
      intensity = gas.intensity;
      transmissivity *= decay(gas.absorption * walk.advance());
      if (transmissivity <= tolerance) return {difference, crossings, RayEnd::absorbed};
      if (!walk.cross(grid)) {
        const int axis = walk.turn(grid);
        if (axis >= 0) {
          meet_wall(walk, axis, point, intensity, stream, transmissivity, difference);
          if (transmissivity <= tolerance) return {difference, crossings, RayEnd::absorbed};
        }
      }
      if (crossings == coarser_at && crossings < max_crossings) {
        walk.coarsen(grid);
        coarser_at = walk.level() + 1 < grid.levels ? crossings + grid.steps : max_crossings;
      }
    }
    return {difference, max_crossings, RayEnd::lost};
  }

 private:
  /// Takes up what the wall emits, and reflects the ray.
  ERMINE_FUNCTION void meet_wall(RayWalk<Real, spacing>& walk, int axis,
                                 const typename Medium::Point& point, Real intensity,
                                 RayStream& stream, Real& transmissivity, Real& difference) const {
    const WallPlace place = walk.wall_place(grid, axis);
    const WallCellId wall = wall_cell(grid.level[walk.level()], place);
    const Real emissivity = walls.emissivity[wall.value];
    const Real emitted = medium.blackbody(point, walls.coordinate[wall.value]);
    difference += transmissivity * emissivity * (intensity - emitted);
    transmissivity *= 1 - emissivity;
    if (transmissivity <= tolerance) return;
    if (walls.specular[place.side]) {
      walk.reflect_specular(grid, axis);
    } else {
      walk.restart_at_wall(grid, CosineSampler<Real>{place.side}(stream.next()));
    }
  }
};

}  // namespace ermine
