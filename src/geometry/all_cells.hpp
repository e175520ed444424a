#pragma once

#include <ermine/grid.hpp>

#include "core/box.hpp"

namespace ermine {

inline Box all_cells(const Grid& grid) {
  Box box;
  for (const std::size_t a : {0, 1, 2}) box.end[a] = static_cast<std::int64_t>(grid.cells(a));
  return box;
}

/// Of all walls.
inline std::size_t wall_cell_count(const Grid& grid) {
  std::size_t count = 0;
  for (const Face face : all_faces) {
    if (grid.walled(face)) count += grid.face_cell_count(face);
  }
  return count;
}

/// Whether a face of the cell lies on a wall.
inline bool beside_wall(const Grid& grid, std::size_t cell) {
  const auto at = grid.index(cell);
  for (const Face face : all_faces) {
    const std::size_t a = axis_of(face);
    if (grid.walled(face) && at[a] == (is_high(face) ? grid.cells(a) - 1 : 0)) return true;
  }
  return false;
}

}  // namespace ermine
