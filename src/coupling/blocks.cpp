#include "coupling/blocks.hpp"

#include "core/check.hpp"
#include "core/memory.hpp"

#include <string>
#include <vector>

namespace ermine {
namespace {

std::string cells_text(const Box& box, const Caller& caller) {
  std::string text;
  for (const std::size_t a : {0, 1, 2}) {
    text += fmt::format("{}{} {}", a == 0 ? "" : ", ", "xyz"[a], caller.first() + box.begin[a]);
    if (box.extent(a) > 1) text += fmt::format(" to {}", caller.first() + box.end[a] - 1);
  }
  return text;
}

/// What is left of a box without another one: up to six boxes.
void subtract(const Box& from, const Box& other, std::vector<Box>& left) {
  const Box common = intersection(from, other);
  if (common.empty()) {
    left.push_back(from);
    return;
  }
  Box rest = from;
  for (const std::size_t a : {2, 1, 0}) {
    Box below = rest;
    Box above = rest;
    below.end[a] = common.begin[a];
    above.begin[a] = common.end[a];
    for (const Box& part : {below, above}) {
      if (!part.empty()) left.push_back(part);
    }
    rest.begin[a] = common.begin[a];
    rest.end[a] = common.end[a];
  }
}

}  // namespace

Block slab_of_rank(const Grid& grid, int rank, int size) {
  const Box all = all_cells(grid);
  for (const std::size_t a : {2, 1, 0}) {
    if (all.extent(a) < size) continue;
    Block block{all.begin, all.end, {0, 0, 0}, {0, 0, 0}, {0, 1, 2}};
    block.begin[a] = all.extent(a) * rank / size;
    block.end[a] = all.extent(a) * (rank + 1) / size;
    return block;
  }
  fail(
      "{} processes are more than the grid has cells along any axis ({}, {}, {}), use fewer, or "
      "give each a block",
      size, grid.cells(0), grid.cells(1), grid.cells(2));
}

void check_block(const Block& block, const Grid& grid, const Caller& caller) {
  const Box cells{block.begin, block.end};
  const bool within = !cells.empty() && all_cells(grid).contains(cells);
  if (caller.language == Language::fortran) {
    ERMINE_REQUIRE(within,
                   "the block lo = {}, {}, {}, hi = {}, {}, {} (counted from 1) is not within a "
                   "grid of {} x {} x {}, give the first and the last cell of this process",
                   block.begin[0] + 1, block.begin[1] + 1, block.begin[2] + 1, block.end[0],
                   block.end[1], block.end[2], grid.cells(0), grid.cells(1), grid.cells(2));
  }
  ERMINE_REQUIRE(within,
                 "the block of cells x {} to {}, y {} to {}, z {} to {} (counted from 0, the ends "
                 "not in it) is not within a grid of {} x {} x {}, give begin and end of the cells "
                 "of this process",
                 block.begin[0], block.end[0], block.begin[1], block.end[1], block.begin[2],
                 block.end[2], grid.cells(0), grid.cells(1), grid.cells(2));
  std::array<bool, 3> seen{};
  const auto first = static_cast<int>(caller.first());
  for (const int axis : block.order) {
    ERMINE_REQUIRE(axis >= 0 && axis < 3 && !seen[static_cast<std::size_t>(axis)],
                   "the order of axes is {}, {}, {}, give {}, {} and {} in some order",
                   block.order[0] + first, block.order[1] + first, block.order[2] + first, first,
                   first + 1, first + 2);
    seen[static_cast<std::size_t>(axis)] = true;
  }
  double values = 1.0;
  for (const std::size_t a : {0, 1, 2}) {
    // Grids of one cell along an axis have ghost layers, too, and some arrays are padded.
    const std::int64_t most = all_cells(grid).extent(a) + 1024;
    for (const std::int64_t halo : {block.halo_below[a], block.halo_above[a]}) {
      ERMINE_REQUIRE(halo >= 0 && halo <= most,
                     "the halo along {} is {} and {} cells, give 0 to {}", "xyz"[a],
                     block.halo_below[a], block.halo_above[a], most);
    }
    values *= static_cast<double>(cells.extent(a) + block.halo_below[a] + block.halo_above[a]);
  }
  ERMINE_REQUIRE(values * sizeof(float) <= physical_memory(),
                 "arrays of {:.3g} values, the halo included, are more than this machine has "
                 "memory for ({:.3g} GB), give the halo of the arrays",
                 values, physical_memory() / 1e9);
}

void check_tiling(std::span<const Box> blocks, const Grid& grid, const Caller& caller) {
  for (std::size_t r = 0; r < blocks.size(); ++r) {
    for (std::size_t s = 0; s < r; ++s) {
      const Box common = intersection(blocks[r], blocks[s]);
      ERMINE_REQUIRE(
          common.empty(),
          "cells {} {} are in the blocks of both rank {} and rank {}, give every cell to "
          "one",
          cells_text(common, caller), caller.counted(), s, r);
    }
  }
  std::vector<Box> left{all_cells(grid)};
  for (const Box& block : blocks) {
    std::vector<Box> next;
    for (const Box& box : left) subtract(box, block, next);
    left = std::move(next);
  }
  ERMINE_REQUIRE(left.empty(), "cells {} {} are in the block of no rank, give every cell to one",
                 cells_text(left.front(), caller), caller.counted());
}

}  // namespace ermine
