#pragma once

#include "geometry/levels.hpp"
#include "support/problems.hpp"

namespace ermine::test {

/// The grid itself, nothing coarser.
inline Levels one_level(const Grid& grid) { return Levels(grid, 1, 1); }

/// So many cells in a row, nothing coarser.
inline Levels row_of_cells(std::size_t cells = 1) {
  return one_level(slab_grid(static_cast<int>(cells)));
}

}  // namespace ermine::test
