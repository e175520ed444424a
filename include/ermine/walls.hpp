#pragma once

#include <ermine/grid.hpp>

#include <array>
#include <vector>

namespace ermine {

enum class Reflection { diffuse, specular };

/// One side of the box: opaque and grey, emitting diffusely, reflecting 1 - emissivity.
/// Fields hold one value for the whole side, or one per face cell.
struct Wall {
  std::vector<double> temperature;      ///< [K], >= 0
  std::vector<double> emissivity{1.0};  ///< 0 (mirror or white) .. 1 (black)
  Reflection reflection = Reflection::diffuse;
};

/// The walls of a grid, checked against it. Sides of periodic axes are ignored.
class Walls {
 public:
  Walls(const Grid& grid, std::array<Wall, 6> sides);

  const std::array<Wall, 6>& sides() const { return sides_; }
  Reflection reflection(Face face) const { return side(face).reflection; }
  double temperature(Face face, std::size_t face_cell) const;
  double emissivity(Face face, std::size_t face_cell) const;
  bool reflecting() const { return reflecting_; }  ///< some wall is not black

 private:
  const Wall& side(Face face) const { return sides_[static_cast<std::size_t>(face)]; }

  std::array<Wall, 6> sides_;
  bool reflecting_ = false;
};

}  // namespace ermine
