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

}  // namespace ermine
