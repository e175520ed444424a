#pragma once

#include <ermine/coupling.hpp>
#include <ermine/grid.hpp>

#include "coupling/caller.hpp"
#include "geometry/all_cells.hpp"

#include <span>

namespace ermine {

/// Of one process of many where nothing else is said: slabs of equal thickness, but for one cell,
/// across the last axis that has a cell for each.
Block slab_of_rank(const Grid& grid, int rank, int size);

/// Refuses what cannot be a block of the grid, or of arrays in the memory of this machine.
void check_block(const Block& block, const Grid& grid, const Caller& caller = {});

/// Refuses blocks of all processes that leave cells out, or have some twice; says which.
void check_tiling(std::span<const Box> blocks, const Grid& grid, const Caller& caller = {});

}  // namespace ermine
