#pragma once

#include <ermine/grid.hpp>

#include <array>
#include <vector>

namespace channel {

/// The box, in half heights: walls across x, periodic along y and z.
struct Mesh {
  std::vector<double> x_faces;
  int ny = 1, nz = 1;
  double length_y = 1, length_z = 1;

  int nx() const { return static_cast<int>(x_faces.size()) - 1; }
  double height() const { return x_faces.back() - x_faces.front(); }
  double dy() const { return length_y / ny; }
  double dz() const { return length_z / nz; }
  double centre(int i) const { return 0.5 * (x_faces[i] + x_faces[i + 1]); }
  double width(int i) const { return x_faces[i + 1] - x_faces[i]; }
  /// As the radiation wants it [m], from the length of a half height [m].
  std::array<ermine::Axis, 3> axes(double half_height) const {
    ermine::Axis x;
    for (const double face : x_faces) x.faces.push_back(face * half_height);
    using ermine::Axis, ermine::Boundary;
    return {x, Axis::uniform(ny, 0, length_y * half_height, Boundary::periodic),
            Axis::uniform(nz, 0, length_z * half_height, Boundary::periodic)};
  }
};

}  // namespace channel
