#include "support/problems.hpp"
#include "transport/run/gather.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

TEST(RaysOfWallFaces, AreEnoughForTheSmallestSide) {
  const Grid cube = test::box_grid(32);
  EXPECT_EQ(rays_of_wall_faces(cube, 1024), (1 << 21) / (32 * 32));
}

TEST(RaysOfWallFaces, AreAtMostSixteenTimesThoseOfACell) {
  const Grid slab = test::slab_grid(64, 8);
  EXPECT_EQ(rays_of_wall_faces(slab, 512), 16 * 512);
}

/// A furnace of 40 x 20 x 20 cells has a face cell for every four cells.
TEST(RaysOfWallFaces, AreInAllNoMoreThanThoseOfCells) {
  const Grid furnace({Axis::uniform(40, 0, 2), Axis::uniform(20, 0, 1), Axis::uniform(20, 0, 1)});
  EXPECT_EQ(rays_of_wall_faces(furnace, 256), 4 * 256);
}

/// Where there are few cells, rays cost nothing.
TEST(RaysOfWallFaces, AreManyOnASmallGrid) {
  const Grid flat({Axis::uniform(1, 0, 1), Axis::uniform(4, 0, 1), Axis::uniform(4, 0, 1)});
  EXPECT_EQ(rays_of_wall_faces(flat, 256), 16 * 256);
}

/// Which has two face cells.
TEST(RaysOfWallFaces, AreNotFewerThanThoseOfACell) {
  const Grid sheet({Axis::uniform(1, 0, 1), Axis::uniform(400, 0, 1), Axis::uniform(400, 0, 1)});
  EXPECT_EQ(rays_of_wall_faces(sheet, 1024), 1024);
}

}  // namespace
}  // namespace ermine
