#include "geometry/ray_walk.hpp"

#include "geometry/grid_storage.hpp"
#include "support/levels.hpp"
#include "support/problems.hpp"
#include "support/walk_kinds.hpp"

#include <gtest/gtest.h>

#include <random>

namespace ermine {
namespace {

/// A grid with its levels, as rays see it.
template <class Real>
struct WalkedGrid {
  explicit WalkedGrid(Grid g, int count = 1)
      : grid(std::move(g)), levels(grid, count, 1), storage(grid, levels), view(storage.view()) {}

  Grid grid;
  Levels levels;
  GridStorage<Real> storage;
  GridView<Real> view;
};

template <class Kind>
class RayWalkTest : public testing::Test {
 protected:
  using Number = typename Kind::Real;
  using Walk = RayWalk<Number, Kind::spacing>;
  static constexpr Number tolerance = sizeof(Number) == 8 ? Number(1e-12) : Number(1e-5);

  /// Of the kind that the walk is made for.
  static Axis axis(int cells, double to, double stretching, Boundary boundary = Boundary::walled) {
    return Kind::spacing == Spacing::uniform ? Axis::uniform(cells, 0, to, boundary)
                                             : Axis::stretched(cells, 0, to, stretching, boundary);
  }

  struct Arrival {
    Number length;  ///< from the start [m]
    int axis;       ///< at the end of which the wall is
  };

  /// Goes on to the first wall.
  static Arrival go_to_wall(const GridView<Number>& grid, Walk& walk) {
    Number length = 0;
    int axis = -1;
    while (axis < 0) {
      length += walk.advance();
      if (!walk.cross(grid)) axis = walk.turn(grid);
    }
    return {length, axis};
  }
};

TYPED_TEST_SUITE(RayWalkTest, test::WalkKinds);

TYPED_TEST(RayWalkTest, TravelsTheExactDistanceToTheWall) {
  using Real = typename TypeParam::Real;
  const WalkedGrid<Real> walked(
      Grid({Axis::uniform(5, 0, 1), this->axis(7, 2, 1.7), Axis::uniform(3, 0, 0.5)}));
  const Grid& grid = walked.grid;
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
    typename TestFixture::Walk walk(walked.view, {at, offset, direction});
    ASSERT_NEAR(this->go_to_wall(walked.view, walk).length, exact, this->tolerance * (1 + exact));
  }
}

TYPED_TEST(RayWalkTest, AxisAlignedRayKeepsItsRow) {
  using Real = typename TypeParam::Real;
  const WalkedGrid<Real> walked(test::box_grid(4));
  typename TestFixture::Walk walk(walked.view,
                                  {{{1, 2, 3}}, {{0.125, 0.125, 0.125}}, {{0, -1, 0}}});
  const auto arrival = this->go_to_wall(walked.view, walk);
  EXPECT_FLOAT_EQ(static_cast<float>(arrival.length), 0.625f);
  const WallPlace place = walk.wall_place(walked.view, arrival.axis);
  EXPECT_EQ(place.side, static_cast<int>(Face::y_low));
  EXPECT_EQ(place.index[0], 1);
  EXPECT_EQ(place.index[1], 0);
  EXPECT_EQ(place.index[2], 3);
}

TYPED_TEST(RayWalkTest, DiagonalRayPassesThroughCorners) {
  using Real = typename TypeParam::Real;
  const WalkedGrid<Real> walked(test::box_grid(4));
  const Real d = 1 / std::sqrt(Real(3));
  typename TestFixture::Walk walk(walked.view, {{{0, 0, 0}}, {{0.125, 0.125, 0.125}}, {{d, d, d}}});
  // One face after the other at each of three corners, then the corner of the box.
  Real length = 0;
  for (int crossing = 1; crossing <= 9; ++crossing) {
    length += walk.advance();
    ASSERT_TRUE(walk.cross(walked.view));
    if (crossing % 3 == 0) {
      EXPECT_EQ(walk.cell().value, crossing / 3 * (1 + 4 + 16));
      EXPECT_NEAR(length, std::sqrt(3.0) * (0.25 * (crossing / 3) - 0.125), this->tolerance);
    }
  }
  walk.advance();
  EXPECT_FALSE(walk.cross(walked.view));
}

TYPED_TEST(RayWalkTest, PeriodicAxisWrapsBothWays) {
  using Real = typename TypeParam::Real;
  const Axis periodic = Axis::uniform(4, 0, 1, Boundary::periodic);
  const WalkedGrid<Real> walked(Grid({periodic, periodic, periodic}));
  for (const int sign : {1, -1}) {
    typename TestFixture::Walk walk(walked.view,
                                    {{{1, 2, 0}}, {{0.125, 0.125, 0.125}}, {{Real(sign), 0, 0}}});
    for (int i = 1; i <= 9; ++i) {
      EXPECT_NEAR(walk.advance(), i == 1 ? 0.125 : 0.25, 1e-6);
      const int before = ((1 + sign * (i - 1)) % 4 + 4) % 4;
      const bool inside = walk.cross(walked.view);
      EXPECT_EQ(inside, before != (sign > 0 ? 3 : 0));
      if (!inside) {
        ASSERT_EQ(walk.turn(walked.view), -1);
      }
      EXPECT_EQ(walk.cell().value, (before + sign + 4) % 4 + 4 * 2);
    }
  }
}

TYPED_TEST(RayWalkTest, SpecularReflectionRetracesThePath) {
  using Real = typename TypeParam::Real;
  const WalkedGrid<Real> walked(
      Grid({this->axis(6, 1, 1.0), Axis::uniform(3, 0, 1, Boundary::periodic),
            Axis::uniform(3, 0, 1, Boundary::periodic)}));
  for (const int sign : {1, -1}) {
    typename TestFixture::Walk walk(
        walked.view, {{{2, 1, 1}}, {{Real(0.05), Real(0.1), Real(0.1)}}, {{Real(sign), 0, 0}}});
    const auto arrival = this->go_to_wall(walked.view, walk);
    walk.reflect_specular(walked.view, arrival.axis);
    const auto back = this->go_to_wall(walked.view, walk);
    EXPECT_NEAR(back.length, 1.0, this->tolerance);
    EXPECT_EQ(walk.wall_place(walked.view, back.axis).side,
              static_cast<int>(sign > 0 ? Face::x_low : Face::x_high));
  }
}

TYPED_TEST(RayWalkTest, RestartsWhereItMetTheWall) {
  using Real = typename TypeParam::Real;
  const WalkedGrid<Real> walked(test::box_grid(8));
  const Real c = Real(0.8), s = Real(0.6);
  // From (0.0625, 0.5625, 0.3125) in the plane z = const down to the wall y = 0.
  typename TestFixture::Walk walk(walked.view,
                                  {{{0, 4, 2}}, {{0.0625, 0.0625, 0.0625}}, {{c, -s, 0}}});
  const auto arrival = this->go_to_wall(walked.view, walk);
  EXPECT_NEAR(arrival.length, 0.5625 / 0.6, this->tolerance);
  EXPECT_EQ(walk.wall_place(walked.view, arrival.axis).side, static_cast<int>(Face::y_low));
  walk.restart(walked.view, {{0, 0, 1}});
  const auto next = this->go_to_wall(walked.view, walk);
  EXPECT_NEAR(next.length, 1 - 0.3125, this->tolerance);
  const WallPlace place = walk.wall_place(walked.view, next.axis);
  EXPECT_EQ(place.side, static_cast<int>(Face::z_high));
  EXPECT_EQ(place.index[0], static_cast<int>((0.0625 + 0.5625 / 0.6 * 0.8) * 8));
  EXPECT_EQ(place.index[1], 0);
}

}  // namespace
}  // namespace ermine
