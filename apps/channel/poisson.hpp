#pragma once

#include "field.hpp"
#include "mesh.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace channel {

/// The systems along x that Poisson's equation leaves for modes of y and z, factorised.
struct PoissonSystems {
  std::vector<double> below, above;  ///< along x
  std::vector<double> pivot;         ///< reciprocal, [x][mode of z][mode of y]

  /// Modes `begin` to `end` of y, and all of z. The pressure has no mean gradient at walls, and its
  /// mean is free: that of the last plane is set to zero, by a pivot that takes the place of 1/0.
  PoissonSystems(const Mesh& mesh, int begin, int end) {
    const int nx = mesh.nx();
    for (int i = 0; i < nx; ++i) {
      const double width = mesh.width(i);
      below.push_back(i > 0 ? 1 / (width * (mesh.centre(i) - mesh.centre(i - 1))) : 0.0);
      above.push_back(i + 1 < nx ? 1 / (width * (mesh.centre(i + 1) - mesh.centre(i))) : 0.0);
    }
    const auto eigenvalue = [](int mode, int cells, double spacing) {
      return 2 * (std::cos(2 * std::numbers::pi * mode / cells) - 1) / (spacing * spacing);
    };
    const std::size_t modes = static_cast<std::size_t>(end - begin);
    pivot.resize(static_cast<std::size_t>(nx) * mesh.nz * modes);
    for (int k = 0; k < mesh.nz; ++k) {
      for (int m = begin; m < end; ++m) {
        const double sum = eigenvalue(k, mesh.nz, mesh.dz()) + eigenvalue(m, mesh.ny, mesh.dy());
        double last = 0.0;
        for (int i = 0; i < nx; ++i) {
          const double free = sum - below[i] - above[i];
          const double next = free - (i > 0 ? below[i] * above[i - 1] * last : 0.0);
          last = k == 0 && m == 0 && i + 1 == nx ? 0.0 : 1 / next;
          pivot[(static_cast<std::size_t>(i) * mesh.nz + k) * modes + (m - begin)] = last;
        }
      }
    }
  }
};

}  // namespace channel
