#pragma once

#include <ermine/grid.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace ermine {

/// What lies behind one of the six faces of a cell.
struct Neighbour {
  std::ptrdiff_t offset = 0;  ///< to its number; none where there is a wall
  double distance = 0.0;      ///< between centres [m]
  bool wall = false;

  /// Number of the cell there, seen from `cell`.
  std::size_t from(std::size_t cell) const {
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(cell) + offset);
  }
};

/// Faces of the cells of a grid.
class Stencil {
 public:
  explicit Stencil(const Grid& grid) {
    std::ptrdiff_t stride = 1;
    for (const std::size_t a : {0, 1, 2}) {
      const std::size_t count = grid.cells(a);
      for (std::size_t i = 0; i < count; ++i) {
        width_[a].push_back(grid.width(a, i));
        faces_[a].push_back({neighbour(grid, a, i, i == 0, count - 1, -1, stride),
                             neighbour(grid, a, i, i + 1 == count, 0, 1, stride)});
      }
      stride *= static_cast<std::ptrdiff_t>(count);
    }
  }

  double width(std::size_t axis, std::size_t i) const { return width_[axis][i]; }
  /// Towards the low (0) or the high (1) end of the axis.
  const Neighbour& neighbour(std::size_t axis, std::size_t i, std::size_t side) const {
    return faces_[axis][i][side];
  }

 private:
  static Neighbour neighbour(const Grid& grid, std::size_t a, std::size_t i, bool last,
                             std::size_t around, int step, std::ptrdiff_t stride) {
    if (last && !grid.periodic(a)) return {0, grid.width(a, i) / 2, true};
    const std::size_t other = last ? around : i + static_cast<std::size_t>(step);
    const auto steps = static_cast<std::ptrdiff_t>(other) - static_cast<std::ptrdiff_t>(i);
    return {steps * stride, (grid.width(a, i) + grid.width(a, other)) / 2, false};
  }

  std::array<std::vector<double>, 3> width_;
  std::array<std::vector<std::array<Neighbour, 2>>, 3> faces_;
};

/// Difference from a cell to its wall [K], but not beyond what the next cell lets expect: where gas
/// and wall differ by a jump, not by a layer that cells resolve, the jump is no gradient.
inline double limited(double to_wall, double expected) {
  if (to_wall * expected <= 0) return 0.0;
  return std::abs(to_wall) < std::abs(expected) ? to_wall : expected;
}

}  // namespace ermine
