#pragma once

#include <ermine/grid.hpp>
#include <ermine/walls.hpp>

#include "geometry/grid_view.hpp"

#include <vector>

namespace ermine {

/// Owns the arrays behind a GridView.
template <class Real>
class GridStorage {
 public:
  explicit GridStorage(const Grid& grid) {
    int stride = 1;
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      width_[axis].push_back(0);
      for (std::size_t i = 0; i < grid.cells(axis); ++i) {
        width_[axis].push_back(static_cast<Real>(grid.width(axis, i)));
      }
      width_[axis].push_back(0);
      view_.width[a] = width_[axis].data() + 1;
      view_.cells[a] = static_cast<int>(grid.cells(axis));
      view_.stride[a] = stride;
      view_.periodic[a] = grid.periodic(axis);
      stride *= view_.cells[a];
    }
  }
  GridStorage(const GridStorage&) = delete;
  GridStorage& operator=(const GridStorage&) = delete;

  const GridView<Real>& view() const { return view_; }

 private:
  std::array<std::vector<Real>, 3> width_;
  GridView<Real> view_{};
};

/// Owns the arrays behind a WallsView. `to_coordinate` is the medium's map from temperature [K].
template <class Real>
class WallsStorage {
 public:
  template <class ToCoordinate>
  WallsStorage(const Grid& grid, const Walls& walls, ToCoordinate&& to_coordinate) {
    for (const Face face : all_faces) {
      const auto side = static_cast<std::size_t>(face);
      view_.offset[side] = static_cast<int>(coordinate_.size());
      view_.specular[side] = grid.walled(face) && walls.reflection(face) == Reflection::specular;
      if (!grid.walled(face)) continue;
      for (std::size_t i = 0; i < grid.face_cell_count(face); ++i) {
        coordinate_.push_back(static_cast<Real>(to_coordinate(walls.temperature(face, i))));
        emissivity_.push_back(static_cast<Real>(walls.emissivity(face, i)));
      }
    }
    view_.offset[6] = static_cast<int>(coordinate_.size());
    view_.coordinate = coordinate_.data();
    view_.emissivity = emissivity_.data();
  }
  WallsStorage(const WallsStorage&) = delete;
  WallsStorage& operator=(const WallsStorage&) = delete;

  const WallsView<Real>& view() const { return view_; }

 private:
  std::vector<Real> coordinate_;
  std::vector<Real> emissivity_;
  WallsView<Real> view_{};
};

}  // namespace ermine
