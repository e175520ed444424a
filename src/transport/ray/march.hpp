#pragma once

#include "core/decay.hpp"
#include "geometry/level_window.hpp"
#include "geometry/ray_walk.hpp"
#include "medium/medium_view.hpp"
#include "medium/scattering_view.hpp"
#include "sampling/ray_stream.hpp"
#include "transport/ray/sample_direction.hpp"

namespace ermine {

/// single: rays stay on the grid, on the longest ways there are. levelled: they may go on to
/// coarser levels and are about equally long.
enum class Detail { single, levelled };

/// A value per cell in ordinary memory.
template <class Real>
struct PlainField {
  const Real* value;
  const LevelWindow* window = nullptr;  ///< where there are not all cells, see place_of()

  ERMINE_FUNCTION Real operator[](CellId cell) const {
    return value[window ? place_of(cell, window) : cell.value];
  }
};

/// The reciprocal march. A ray goes backwards along the light that arrives at its start and
/// collects, from cell to cell and at walls,
///   D = sum t (I_old - I_new),
/// the summation by parts of the paper's absorbed-intensity sum: differences of intensities
/// weighted by the transmissivity t back to the start. An isothermal enclosure gives exactly zero,
/// and there is no 1 - exp(-x) to cancel. D = I_s(start) - the intensity arriving at the start
/// against the ray's direction. After `grid.steps` cells the ray goes on among the cells of the
/// next coarser level (the paper's multigrid).
///
/// Where particles scatter, light goes on in another direction after an optical depth of scattering
/// that is drawn, as it does at a mirror: t is due to absorption alone, and I is that of the same
/// cell, so that an isothermal enclosure still gives exactly zero.
template <class MediumType, class FieldType, Spacing spacing_, Detail detail_>
struct March {
  using Medium = MediumType;
  using Field = FieldType;
  using Real = typename Medium::RealType;
  static constexpr Spacing spacing = spacing_;
  static constexpr Detail detail = detail_;

  GridView<Real> grid;
  WallsView<Real> walls;
  Medium medium;
  Field coordinate;  ///< temperature of each cell as the medium's coordinate
  Real tolerance;    ///< a ray of this transmissivity ends, or is left to the roulette
  int max_crossings;
  int roulette = 0;  ///< 1: some of those go on in place of all others
  ScatteringView<Real> scattering{};

  /// A ray on its way.
  struct Ray {
    RayWalk<Real, spacing> walk;
    Real intensity;  ///< where it was last
    Real transmissivity;
    Real difference;
    Real depth;  ///< of scattering, until it is scattered
    int crossings;
    int last_crossing;  ///< on this level
  };

  /// `intensity` is I_s at the start, of the cell or of the wall the ray leaves from.
  ERMINE_FUNCTION Ray start(const RayStart<Real>& from, Real intensity, RayStream& stream) const {
    const Real depth =
        scattering.classes > 0 ? ScatteringView<Real>::depth(stream.next(), 2) : Real(0);
    return {{grid, from}, intensity, 1, 0, depth, 0, last_crossing(0, 0)};
  }

  /// Through one cell, or to where it is scattered; false when the ray has come to its end.
  ERMINE_FUNCTION bool step(Ray& ray, const typename Medium::Point& point,
                            RayStream& stream) const {
    const CellId cell = ray.walk.cell();
    const GasState<Real> gas = medium.at(point, cell, coordinate[cell]);
    ray.difference += ray.transmissivity * (ray.intensity - gas.intensity);
    ray.intensity = gas.intensity;
    const Travel travel = scattering.classes > 0 ? go_on(ray, cell) : Travel{ray.walk.advance()};
    ray.transmissivity *= decay(gas.absorption * travel.length);
    ++ray.crossings;
    if (ray.transmissivity <= tolerance && ends(ray, stream)) return false;
    if (travel.scattered) {
      scatter(ray, cell, stream);
    } else if (!ray.walk.cross(grid)) {
      const int axis = ray.walk.turn(grid);
      if (axis >= 0) {
        meet_wall(ray, axis, point, stream);
        if (ray.transmissivity <= tolerance && ends(ray, stream)) return false;
      }
    }
    if (ray.crossings == ray.last_crossing) {
      if (ray.crossings == max_crossings) return false;
      if constexpr (detail == Detail::levelled) {
        ray.walk.coarsen(grid);
        ray.last_crossing = last_crossing(ray.walk.level(), ray.crossings);
      }
    }
    return true;
  }

  /// Whether a ray that has come to its end was still alive.
  ERMINE_FUNCTION bool lost(const Ray& ray) const { return ray.transmissivity > tolerance; }

 private:
  struct Travel {
    Real length;  ///< [m]
    bool scattered = false;
  };

  /// To the next face, or to the next particle if it comes first.
  ERMINE_FUNCTION Travel go_on(Ray& ray, CellId cell) const {
    const Real coefficient = scattering.coefficient(cell);
    const Real ahead = coefficient * ray.walk.ahead();
    if (!(ahead > ray.depth)) {
      ray.depth -= ahead;
      return {ray.walk.advance()};
    }
    const Real length = ray.depth / coefficient;
    ray.walk.go(length);
    return {length, true};
  }

  /// Scattered rays stay in their cell: it does not count as a step on the level.
  ERMINE_FUNCTION void scatter(Ray& ray, CellId cell, RayStream& stream) const {
    const Draw draw = stream.next();
    ray.walk.restart(grid, scattering.scatter(cell, ray.walk.direction(grid), draw));
    ray.depth = ScatteringView<Real>::depth(draw, 2);
    if (ray.last_crossing < max_crossings) ++ray.last_crossing;
  }

  /// Of a ray that comes to a level after so many.
  ERMINE_FUNCTION int last_crossing(int level, int crossings) const {
    const bool last_level = detail == Detail::single || level + 1 >= grid.levels;
    return last_level || max_crossings - crossings <= grid.steps ? max_crossings
                                                                 : crossings + grid.steps;
  }

  /// Russian roulette: one ray in ten takes over what ten of its kind have left. A ray that lost
  /// it has nothing left.
  ERMINE_FUNCTION bool ends(Ray& ray, RayStream& stream) const {
    constexpr std::uint32_t tenth = 429496730;  // of 2^32
    constexpr Real nothing = static_cast<Real>(1e-30);
    if (!roulette || ray.transmissivity < nothing) return true;
    const bool goes_on = stream.next().word[0] < tenth;
    ray.transmissivity *= goes_on ? 10 : 0;
    return !goes_on;
  }

  /// Takes up what the wall emits, and reflects the ray.
  ERMINE_FUNCTION void meet_wall(Ray& ray, int axis, const typename Medium::Point& point,
                                 RayStream& stream) const {
    const WallPlace place = ray.walk.wall_place(grid, axis);
    const WallCellId wall = wall_cell(grid.level[ray.walk.level()], place);
    const Real emissivity = walls.emissivity[wall.value];
    const Real emitted = medium.blackbody(point, walls.coordinate[wall.value]);
    ray.difference += ray.transmissivity * emissivity * (ray.intensity - emitted);
    ray.transmissivity *= 1 - emissivity;
    if (!(ray.transmissivity > 0)) return;
    if (walls.specular[place.side]) {
      ray.walk.reflect_specular(grid, axis);
    } else {
      ray.walk.restart(grid, CosineSampler<Real>{place.side}(stream.next()));
    }
  }
};

}  // namespace ermine
