#include "coupling/blocks.hpp"

#include <ermine/error.hpp>

#include "support/problems.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

std::string refusal(const std::vector<Box>& blocks, const Grid& grid) {
  try {
    check_tiling(blocks, grid);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Blocks, EveryCellOnce) {
  const Grid grid = test::box_grid(8);
  const Box low{{0, 0, 0}, {8, 8, 3}};
  const Box high{{0, 0, 3}, {8, 8, 8}};
  EXPECT_EQ(refusal({low, high}, grid), "");
  EXPECT_EQ(refusal({high, low}, grid), "");
  EXPECT_NE(refusal({low}, grid).find("cells x 0 to 7, y 0 to 7, z 3 to 7"), std::string::npos);
  const Box gap{{0, 0, 3}, {8, 8, 7}};
  EXPECT_NE(refusal({low, gap}, grid).find("z 7 (counted from 0) are in the block of no rank"),
            std::string::npos);
  const Box twice{{2, 5, 2}, {3, 7, 8}};
  const std::string doubled = refusal({low, high, twice}, grid);
  EXPECT_NE(doubled.find("cells x 2, y 5 to 6, z 2 (counted from 0)"), std::string::npos);
  EXPECT_NE(doubled.find("both rank 0 and rank 2"), std::string::npos);
}

TEST(Blocks, SlabsByThemselves) {
  const Grid grid({Axis::uniform(3, 0, 1), Axis::uniform(10, 0, 1), Axis::uniform(2, 0, 1)});
  std::vector<Box> blocks;
  for (int rank = 0; rank < 4; ++rank) {
    const Block block = slab_of_rank(grid, rank, 4);
    check_block(block, grid);
    blocks.push_back({block.begin, block.end});
    EXPECT_EQ(block.end[2] - block.begin[2], 2);
  }
  EXPECT_EQ(refusal(blocks, grid), "");
  EXPECT_THROW(slab_of_rank(grid, 0, 11), Error);
}

TEST(Blocks, RefusesWhatIsNoBlock) {
  const Grid grid = test::box_grid(4);
  const Block good{{0, 0, 0}, {4, 4, 4}, {0, 0, 0}, {0, 0, 0}, {0, 1, 2}};
  EXPECT_NO_THROW(check_block(good, grid));
  for (const auto& spoil : std::vector<void (*)(Block&)>{[](Block& b) { b.end[1] = 5; },
                                                         [](Block& b) { b.begin[0] = -1; },
                                                         [](Block& b) { b.begin[2] = 4; },
                                                         [](Block& b) {
                                                           b.order = {0, 1, 1};
                                                         },
                                                         [](Block& b) {
                                                           b.order = {0, 1, 3};
                                                         },
                                                         [](Block& b) { b.halo_below[0] = -1; }}) {
    Block bad = good;
    spoil(bad);
    EXPECT_THROW(check_block(bad, grid), Error);
  }
}

}  // namespace
}  // namespace ermine
