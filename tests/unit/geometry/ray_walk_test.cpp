#include "geometry/ray_walk.hpp"

#include "geometry/grid_storage.hpp"
#include "support/problems.hpp"

#include <gtest/gtest.h>

#include <random>

namespace ermine {
namespace {

template <class Real>
class RayWalkTest : public testing::Test {
 protected:
  static constexpr Real tolerance = sizeof(Real) == 8 ? Real(1e-12) : Real(1e-5);

  /// Length [m] from the start to the first wall.
  static Real length_to_wall(const GridView<Real>& grid, RayWalk<Real>& walk) {
    Real length = 0;
    do {
      length += walk.advance();
    } while (walk.cross(grid));
    return length;
  }
};

using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(RayWalkTest, Reals);

TYPED_TEST(RayWalkTest, TravelsTheExactDistanceToTheWall) {
  using Real = TypeParam;
  const Grid grid(
      {Axis::uniform(5, 0, 1), Axis::stretched(7, 0, 2, 1.7), Axis::uniform(3, 0, 0.5)});
  const GridStorage<Real> storage(grid);
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 2000; ++trial) {
    double d[3] = {normal(generator), normal(generator), normal(generator)};
    const double norm = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const std::size_t cell = static_cast<std::size_t>(trial) % grid.cell_count();
    const auto index = grid.index(cell);
    Vec3<Real> offset, direction;
    Vec3<int> at;
    double exact = std::numeric_limits<double>::infinity();
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      at[a] = static_cast<int>(index[axis]);
      direction[a] = static_cast<Real>(d[a] / norm);
      offset[a] = static_cast<Real>(grid.width(axis, index[axis]) / 2);
      const auto& faces = grid.axis(axis).faces;
      const double end = d[a] > 0 ? faces.back() : faces.front();
      exact = std::min(exact, (end - grid.centre(axis, index[axis])) / (d[a] / norm));
    }
    RayWalk<Real> walk(storage.view(), {at, offset, direction});
    ASSERT_NEAR(this->length_to_wall(storage.view(), walk), exact, this->tolerance * (1 + exact));
  }
}

TYPED_TEST(RayWalkTest, AxisAlignedRayKeepsItsRow) {
  using Real = TypeParam;
  const GridStorage<Real> storage(test::box_grid(4));
  RayWalk<Real> walk(storage.view(), {{{1, 2, 3}}, {{0.125, 0.125, 0.125}}, {{0, -1, 0}}});
  EXPECT_FLOAT_EQ(static_cast<float>(this->length_to_wall(storage.view(), walk)), 0.625f);
  const WallPlace place = walk.wall_place(storage.view());
  EXPECT_EQ(place.side, static_cast<int>(Face::y_low));
  EXPECT_EQ(place.index[0], 1);
  EXPECT_EQ(place.index[2], 3);
}

TYPED_TEST(RayWalkTest, DiagonalRayPassesThroughCorners) {
  using Real = TypeParam;
  const GridStorage<Real> storage(test::box_grid(4));
  const Real d = 1 / std::sqrt(Real(3));
  RayWalk<Real> walk(storage.view(), {{{0, 0, 0}}, {{0.125, 0.125, 0.125}}, {{d, d, d}}});
  // One face after the other at each of three corners, then the corner of the box.
  Real length = 0;
  for (int crossing = 1; crossing <= 9; ++crossing) {
    length += walk.advance();
    ASSERT_TRUE(walk.cross(storage.view()));
    if (crossing % 3 == 0) {
      EXPECT_EQ(walk.cell().value, crossing / 3 * (1 + 4 + 16));
      EXPECT_NEAR(length, std::sqrt(3.0) * (0.25 * (crossing / 3) - 0.125), this->tolerance);
    }
  }
  walk.advance();
  EXPECT_FALSE(walk.cross(storage.view()));
}

TYPED_TEST(RayWalkTest, PeriodicAxisWrapsBothWays) {
  using Real = TypeParam;
  const Axis periodic = Axis::uniform(4, 0, 1, Boundary::periodic);
  const GridStorage<Real> storage(Grid({periodic, periodic, periodic}));
  for (const int sign : {1, -1}) {
    RayWalk<Real> walk(storage.view(),
                       {{{1, 2, 0}}, {{0.125, 0.125, 0.125}}, {{Real(sign), 0, 0}}});
    for (int i = 1; i <= 9; ++i) {
      EXPECT_NEAR(walk.advance(), i == 1 ? 0.125 : 0.25, 1e-6);
      ASSERT_TRUE(walk.cross(storage.view()));
      EXPECT_EQ(walk.cell().value, ((1 + sign * i) % 4 + 4) % 4 + 4 * 2);
    }
  }
}

TYPED_TEST(RayWalkTest, SpecularReflectionRetracesThePath) {
  using Real = TypeParam;
  const GridStorage<Real> storage(
      Grid({Axis::stretched(6, 0, 1, 1.0), Axis::uniform(3, 0, 1, Boundary::periodic),
            Axis::uniform(3, 0, 1, Boundary::periodic)}));
  for (const int sign : {1, -1}) {
    RayWalk<Real> walk(storage.view(),
                       {{{2, 1, 1}}, {{Real(0.05), Real(0.1), Real(0.1)}}, {{Real(sign), 0, 0}}});
    this->length_to_wall(storage.view(), walk);
    walk.reflect_specular(storage.view());
    EXPECT_NEAR(this->length_to_wall(storage.view(), walk), 1.0, this->tolerance);
    EXPECT_EQ(walk.wall_place(storage.view()).side,
              static_cast<int>(sign > 0 ? Face::x_low : Face::x_high));
  }
}

TYPED_TEST(RayWalkTest, RestartsWhereItMetTheWall) {
  using Real = TypeParam;
  const GridStorage<Real> storage(test::box_grid(8));
  const Real c = Real(0.8), s = Real(0.6);
  // From (0.0625, 0.5625, 0.3125) in the plane z = const down to the wall y = 0.
  RayWalk<Real> walk(storage.view(), {{{0, 4, 2}}, {{0.0625, 0.0625, 0.0625}}, {{c, -s, 0}}});
  EXPECT_NEAR(this->length_to_wall(storage.view(), walk), 0.5625 / 0.6, this->tolerance);
  EXPECT_EQ(walk.wall_place(storage.view()).side, static_cast<int>(Face::y_low));
  walk.restart_at_wall(storage.view(), {{0, 0, 1}});
  EXPECT_NEAR(this->length_to_wall(storage.view(), walk), 1 - 0.3125, this->tolerance);
  const WallPlace place = walk.wall_place(storage.view());
  EXPECT_EQ(place.side, static_cast<int>(Face::z_high));
  EXPECT_EQ(place.index[0], static_cast<int>((0.0625 + 0.5625 / 0.6 * 0.8) * 8));
  EXPECT_EQ(place.index[1], 0);
}

}  // namespace
}  // namespace ermine
