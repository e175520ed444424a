#pragma once

#include <ermine/grid.hpp>
#include <ermine/history.hpp>

#include "core/ranks.hpp"
#include "geometry/tiles.hpp"

#include <vector>

namespace ermine {

/// Tiles of cells whose replicates a rank carries on: those of its part of all groups.
std::vector<int> cells_of_rank(const TileGroups& groups, int rank, int ranks);

/// Collective: the history of all ranks on the first, of which each has what it carries on. What
/// it may have besides of the others does not count. On the others: nothing but the temperature.
History of_all_ranks(const History& mine, const Grid& grid, Ranks& ranks);

}  // namespace ermine
