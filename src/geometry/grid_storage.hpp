#pragma once

#include <ermine/grid.hpp>
#include <ermine/walls.hpp>

#include "backend/in_place.hpp"
#include "geometry/levels.hpp"

#include <vector>

namespace ermine {

/// Owns the arrays behind a GridView.
template <class Real>
class GridStorage {
 public:
  GridStorage(const Grid& grid, const Levels& levels)
      : levels_(levels.views()),
        width_(levels.widths().begin(), levels.widths().end()),
        steps_(levels.steps()),
        periodic_{{grid.periodic(0), grid.periodic(1), grid.periodic(2)}} {}

  template <class Place = InPlace>
  GridView<Real> view(const Place& place = {}) const {
    GridView<Real> view{
        levels_.front(), {},       place(levels_), place(width_), static_cast<int>(levels_.size()),
        steps_,          periodic_};
    for (int a = 0; a < 3; ++a) {
      view.uniform_width[a] = width_[static_cast<std::size_t>(view.finest.width[a])];
    }
    return view;
  }

 private:
  std::vector<LevelView> levels_;
  std::vector<Real> width_;
  int steps_;
  Vec3<int> periodic_;
};

/// Owns the arrays behind a WallsView.
template <class Real>
class WallsStorage {
 public:
  /// `to_coordinate` is the medium's map from temperature [K]. Coarse face cells have the mean
  /// emissivity, and the mean temperature of what emits.
  template <class ToCoordinate>
  WallsStorage(const Grid& grid, const Walls& walls, const Levels& levels, CoarseTemperature coarse,
               ToCoordinate&& to_coordinate) {
    std::vector<double> temperature, emissivity;
    for (const Face face : all_faces) {
      if (!grid.walled(face)) continue;
      specular_[static_cast<int>(face)] = walls.reflection(face) == Reflection::specular;
      for (std::size_t i = 0; i < grid.face_cell_count(face); ++i) {
        temperature.push_back(walls.temperature(face, i));
        emissivity.push_back(walls.emissivity(face, i));
      }
    }
    levels.extend_walls(emissivity, mean);
    levels.extend_walls(temperature, average_of(coarse), emissivity);
    coordinate_.reserve(temperature.size());
    for (const double t : temperature) coordinate_.push_back(static_cast<Real>(to_coordinate(t)));
    emissivity_.assign(emissivity.begin(), emissivity.end());
  }

  template <class Place = InPlace>
  WallsView<Real> view(const Place& place = {}) const {
    WallsView<Real> view{place(coordinate_), place(emissivity_), {}};
    for (int side = 0; side < 6; ++side) view.specular[side] = specular_[side];
    return view;
  }

 private:
  std::vector<Real> coordinate_;
  std::vector<Real> emissivity_;
  int specular_[6] = {};
};

}  // namespace ermine
