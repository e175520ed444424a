#pragma once

#include "core/macros.hpp"

namespace ermine {

/// Index of one kind of thing; ids of different kinds do not mix.
template <class Tag>
struct Id {
  int value = 0;

  ERMINE_FUNCTION constexpr explicit Id(int v) : value(v) {}
  constexpr Id() = default;
};

using CellId = Id<struct CellTag>;
using PointId = Id<struct PointTag>;
using WallCellId = Id<struct WallCellTag>;  ///< counts face cells through all walled sides

}  // namespace ermine
