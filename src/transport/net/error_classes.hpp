#pragma once

#include <ermine/grid.hpp>

#include <span>
#include <vector>

namespace ermine {

/// Error bars of cells are pooled with those of their neighbours, which are too large where errors
/// fall steeply from cell to cell, as in thick gas, and too small at peaks. Classes of cells, alike
/// in what they emit, in how their rays start, and beside walls or not, have many cells: in each,
/// errors are scaled to agree with what its own cells have found, the closer the more cells it has.
/// `starts`: see CellKinds; `own`: variances of cells from their own replicates alone.
void match_own_variances(const Grid& grid, std::span<const double> emission,
                         std::span<const char> starts, std::span<const double> own,
                         std::span<double> standard_error);

}  // namespace ermine
