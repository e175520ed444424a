#include <ermine/error.hpp>
#include <ermine/grid.hpp>
#include <ermine/walls.hpp>

#include "geometry/levels.hpp"
#include "support/problems.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace ermine {
namespace {

TEST(Axis, UniformAndStretchedEndWhereTold) {
  const Axis uniform = Axis::uniform(4, -1, 3);
  EXPECT_EQ(uniform.faces, (std::vector<double>{-1, 0, 1, 2, 3}));
  const Axis stretched = Axis::stretched(8, 0, 2, 1.5);
  EXPECT_EQ(stretched.faces.front(), 0.0);
  EXPECT_EQ(stretched.faces.back(), 2.0);
  EXPECT_LT(stretched.faces[1] - stretched.faces[0], stretched.faces[4] - stretched.faces[3]);
  EXPECT_NEAR(stretched.faces[4], 1.0, 1e-15);
}

std::vector<float> single_faces(int cells, float (*face)(int, int)) {
  std::vector<float> faces;
  for (int i = 0; i <= cells; ++i) faces.push_back(face(i, cells));
  return faces;
}

TEST(Axis, SinglePrecisionHidesNoEqualWidths) {
  constexpr std::array<float (*)(int, int), 3> formulas{
      [](int i, int) { return 0.1F * static_cast<float>(i); },
      [](int i, int n) { return 0.7F * static_cast<float>(i) / static_cast<float>(n); },
      [](int i, int n) { return -0.35F + 0.7F / static_cast<float>(n) * static_cast<float>(i); }};
  for (const auto formula : formulas) {
    for (const int cells : {1, 2, 7, 96, 1000}) {
      const auto faces = single_faces(cells, formula);
      const Axis axis = Axis::from_single(faces, Boundary::periodic);
      EXPECT_EQ(axis.faces, Axis::uniform(cells, faces.front(), faces.back()).faces) << cells;
      EXPECT_EQ(axis.boundary, Boundary::periodic);
    }
  }
  std::vector<float> sums{0.0F};
  for (int i = 0; i < 300; ++i) sums.push_back(sums.back() + 0.01F);
  EXPECT_EQ(Axis::from_single(sums).faces, Axis::uniform(300, 0, sums.back()).faces);
}

TEST(Axis, SinglePrecisionKeepsOtherWidths) {
  const std::vector<float> stretched = single_faces(64, [](int i, int n) {
    const float x = static_cast<float>(i) / static_cast<float>(n);
    return x + 1e-4F * x * x;
  });
  EXPECT_EQ(Axis::from_single(stretched).faces,
            std::vector<double>(stretched.begin(), stretched.end()));
  for (const std::vector<float>& wrong :
       {std::vector<float>{}, {1.0F}, {0.0F, 0.0F, 0.0F}, {2.0F, 1.0F, 0.0F}, {0.0F, NAN, 1.0F}}) {
    EXPECT_THROW(Axis::from_single(wrong).check(), Error);
  }
}

TEST(Grid, RefusesBadAxes) {
  const Axis good = Axis::uniform(2, 0, 1);
  EXPECT_THROW(Grid({Axis{{0.0}}, good, good}), Error);
  EXPECT_THROW(Grid({Axis{{0.0, 1.0, 1.0}}, good, good}), Error);
  EXPECT_THROW(Grid({Axis{{0.0, 2.0, 1.0}}, good, good}), Error);
  EXPECT_THROW(Grid({Axis{{0.0, std::nan("")}}, good, good}), Error);
  EXPECT_THROW(Axis::uniform(0, 0, 1), Error);
  const Axis large = Axis::uniform(2000, 0, 1);
  EXPECT_THROW(Grid({large, large, large}), Error);
}

TEST(Grid, NumbersCellsWithXFastest) {
  const Grid grid({Axis::uniform(3, 0, 3), Axis::uniform(4, 0, 8), Axis::uniform(5, 0, 15)});
  EXPECT_EQ(grid.cell_count(), 60u);
  EXPECT_EQ(grid.index(1 + 3 * (2 + 4 * 3)), (std::array<std::size_t, 3>{1, 2, 3}));
  EXPECT_EQ(grid.centre(1 + 3 * (2 + 4 * 3)), (std::array<double, 3>{1.5, 5.0, 10.5}));
  EXPECT_DOUBLE_EQ(grid.volume(0), 1.0 * 2.0 * 3.0);
}

TEST(Grid, FaceCellsOfEverySideCoverIt) {
  const Grid grid({Axis::uniform(3, 0, 1), Axis::stretched(4, 0, 2, 1.2), Axis::uniform(5, 0, 3)});
  for (const Face face : all_faces) {
    double area = 0.0;
    for (std::size_t i = 0; i < grid.face_cell_count(face); ++i) {
      area += grid.face_cell_area(face, i);
    }
    const auto [fast, slow] = Grid::tangents(face);
    EXPECT_NEAR(area, grid.length(fast) * grid.length(slow), 1e-12) << name_of(face);
  }
}

TEST(Walls, ChecksEverySideOfWalledAxes) {
  const Grid slab = test::slab_grid(4, 2);
  EXPECT_THROW(Walls(slab, {test::wall(300), {}, {}, {}, {}, {}}), Error);
  EXPECT_NO_THROW(test::plates(slab, test::wall(300), test::wall(400)));
  EXPECT_THROW(test::plates(slab, test::wall(300, 1.1), test::wall(400)), Error);
  EXPECT_THROW(test::plates(slab, test::wall(-1), test::wall(400)), Error);
  Wall field = test::wall(300);
  field.temperature = {300, 310, 320};
  EXPECT_THROW(test::plates(slab, field, test::wall(400)), Error);
  field.temperature = {300, 310, 320, 330};
  EXPECT_EQ(test::plates(slab, field, test::wall(400)).temperature(Face::x_low, 2), 320);
}

TEST(Walls, MadeForAnotherGridAreRefusedByTheTracer) {
  const Grid slab = test::slab_grid(4, 2);
  const Walls plates = test::plates(slab, test::wall(300), test::wall(400));
  EXPECT_NO_THROW(Tracer(slab, plates, GreyMedium(1.0), {}));
  EXPECT_THROW(Tracer(test::box_grid(4), plates, GreyMedium(1.0), {}), Error);
}

TEST(WallPlace, RoundTripsThroughWallCellNumbers) {
  const Grid grid(
      {Axis::uniform(3, 0, 1), Axis::uniform(4, 0, 1, Boundary::periodic), Axis::uniform(9, 0, 1)});
  const Levels levels(grid, 0, 1);
  ASSERT_EQ(levels.count(), 2);
  const LevelView& fine = levels.views()[0];
  const LevelView& coarse = levels.views()[1];
  EXPECT_EQ(fine.wall[6], 2 * (4 * 9 + 3 * 4));
  EXPECT_EQ(coarse.wall[0], fine.wall[6]);
  EXPECT_EQ(coarse.wall[6] - coarse.wall[0], 2 * (4 * 5 + 3 * 4));
  for (const LevelView& level : {fine, coarse}) {
    for (int i = level.wall[0]; i < level.wall[6]; ++i) {
      const WallPlace place = wall_place(level, WallCellId{i});
      EXPECT_NE(place.side / 2, 1);
      EXPECT_EQ(wall_cell(level, place).value, i);
    }
  }
}

}  // namespace
}  // namespace ermine
