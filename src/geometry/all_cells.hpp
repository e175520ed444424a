#pragma once

#include <ermine/grid.hpp>

#include "core/box.hpp"

namespace ermine {

inline Box all_cells(const Grid& grid) {
  Box box;
  for (const std::size_t a : {0, 1, 2}) box.end[a] = static_cast<std::int64_t>(grid.cells(a));
  return box;
}

}  // namespace ermine
