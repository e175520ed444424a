#include "geometry/grid_storage.hpp"
#include "geometry/ray_walk.hpp"
#include "support/walk_kinds.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace ermine {
namespace {

using Point = std::array<double, 3>;

/// Faces of all cells of an axis on a level [m].
std::vector<double> faces(const Levels& levels, int level, int axis) {
  const LevelView& view = levels.views()[static_cast<std::size_t>(level)];
  std::vector<double> faces{0.0};
  for (int i = 0; i < view.cells[axis]; ++i) {
    faces.push_back(faces.back() + levels.widths()[static_cast<std::size_t>(view.width[axis] + i)]);
  }
  return faces;
}

class Directions {
 public:
  Point random() {
    Point d{normal_(generator_), normal_(generator_), normal_(generator_)};
    const double norm = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (double& component : d) component /= norm;
    return d;
  }

  /// Along one axis, in the plane of two, or any; not grazing `axis`, and away from its `low` end.
  Point leaving(int axis, bool low) {
    const auto a = static_cast<std::size_t>(axis);
    Point d = random();
    while (std::abs(d[a]) < 0.2) d = random();
    const double kind = number();
    for (std::size_t other = 0; other < 3; ++other) {
      if (other != a && (kind < 0.1 || (kind < 0.3 && other != (a + 1) % 3))) d[other] = 0;
    }
    const double norm = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (double& component : d) component /= norm;
    d[a] = low ? std::abs(d[a]) : -std::abs(d[a]);
    return d;
  }

  double number() { return uniform_(generator_); }

 private:
  std::mt19937 generator_{29};
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
};

/// A walk and, beside it, where the ray is by simple geometry.
template <class Real, Spacing spacing>
class TrackedWalk {
 public:
  TrackedWalk(const Grid& grid, const Levels& levels, int steps)
      : grid_(grid), storage_(grid, levels), view_(storage_.view()), steps_(steps) {
    for (int l = 0; l < levels.count(); ++l) {
      faces_.push_back({faces(levels, l, 0), faces(levels, l, 1), faces(levels, l, 2)});
    }
    for (const std::size_t a : {0, 1, 2}) largest_ = std::max(largest_, grid.length(a));
  }

  void begin(const Vec3<int>& index, const Point& fraction, const Point& direction) {
    RayStart<Real> start{index, {}, {}};
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      const auto i = static_cast<std::size_t>(index[a]);
      start.offset[a] = static_cast<Real>(fraction[axis] * grid_.width(axis, i));
      start.direction[a] = static_cast<Real>(direction[axis]);
      position_[axis] = faces_[0][axis][i] + static_cast<double>(start.offset[a]);
    }
    direction_ = direction;
    walk_ = RayWalk<Real, spacing>(view_, start);
    crossings_ = 0;
  }

  /// Goes on to a wall, or `most` cells far, and checks all the way that the ray is where the walk
  /// says. Returns the axis of the wall, -1: none met.
  int go_to_wall(int most = 1000) {
    Point end;
    const double exact = distance_to_wall(end);
    double length = 0.0;
    for (int i = 0; i < most; ++i) {
      expect_inside("before");
      const auto travelled = static_cast<double>(walk_.advance());
      EXPECT_GE(travelled, -tolerance());
      length += travelled;
      for (const std::size_t a : {0, 1, 2}) position_[a] += travelled * direction_[a];
      expect_inside("after");
      int axis = -1;
      if (!walk_.cross(view_)) {
        axis = walk_.turn(view_);
        if (axis < 0) wrap();
      }
      if (testing::Test::HasFailure()) return -1;
      cells_.push_back(walk_.cell().value);
      ++crossings_;
      if (axis >= 0) {
        // A corner is met on whichever of its sides.
        EXPECT_NEAR(length, exact, tolerance());
        expect_at_wall(axis);
        return axis;
      }
      coarsen();
    }
    return -1;
  }

  /// As the march does, after a wall's turn too.
  void coarsen() {
    if (crossings_ % steps_ != 0 || walk_.level() + 1 >= view_.levels) return;
    walk_.coarsen(view_);
    expect_inside("coarsened");
  }

  void reflect(int axis) {
    walk_.reflect_specular(view_, axis);
    direction_[static_cast<std::size_t>(axis)] *= -1;
    expect_inside("reflected");
  }

  void restart(const Point& direction) {
    direction_ = direction;
    walk_.restart(view_, {{static_cast<Real>(direction[0]), static_cast<Real>(direction[1]),
                           static_cast<Real>(direction[2])}});
    expect_inside("restarted");
  }

  int level() const { return walk_.level(); }
  const Point& direction() const { return direction_; }
  const std::vector<int>& cells() const { return cells_; }

 private:
  /// Rounding of a few hundred sums.
  double tolerance() const { return (sizeof(Real) == 8 ? 1e-11 : 2e-4) * largest_; }

  double distance_to_wall(Point& end) const {
    double nearest = HUGE_VAL;
    for (const std::size_t a : {0, 1, 2}) {
      end[a] = direction_[a] > 0 ? grid_.length(a) : 0.0;
      if (grid_.periodic(a) || direction_[a] == 0) continue;
      nearest = std::min(nearest, (end[a] - position_[a]) / direction_[a]);
    }
    return nearest;
  }

  void wrap() {
    for (const std::size_t a : {0, 1, 2}) {
      if (!grid_.periodic(a)) continue;
      // At one end of the axis now: the one whose cell the walk has entered.
      const LevelView& level = view_.level[walk_.level()];
      const int i = level.index(walk_.cell())[static_cast<int>(a)];
      const double end = grid_.length(a);
      if (position_[a] > end - tolerance() && direction_[a] > 0 && i == 0) position_[a] -= end;
      if (position_[a] < tolerance() && direction_[a] < 0 &&
          i == level.cells[static_cast<int>(a)] - 1) {
        position_[a] += end;
      }
    }
  }

  void expect_inside(const char* when) const {
    const LevelView& level = view_.level[walk_.level()];
    const Vec3<int> at = level.index(walk_.cell());
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      const auto& row = faces_[static_cast<std::size_t>(walk_.level())][axis];
      ASSERT_TRUE(at[a] >= 0 && at[a] < level.cells[a]);
      const auto i = static_cast<std::size_t>(at[a]);
      EXPECT_GE(position_[axis], row[i] - tolerance()) << when << ", axis " << a;
      EXPECT_LE(position_[axis], row[i + 1] + tolerance()) << when << ", axis " << a;
    }
  }

  void expect_at_wall(int axis) const {
    const auto a = static_cast<std::size_t>(axis);
    const WallPlace place = walk_.wall_place(view_, axis);
    const bool high = direction_[a] > 0;
    EXPECT_EQ(place.side, 2 * axis + (high ? 1 : 0));
    EXPECT_NEAR(position_[a], high ? grid_.length(a) : 0.0, tolerance());
    const LevelView& level = view_.level[walk_.level()];
    EXPECT_EQ(level.cell(place.index).value, walk_.cell().value);
    EXPECT_EQ(place.index[axis], high ? level.cells[axis] - 1 : 0);
  }

  const Grid& grid_;
  GridStorage<Real> storage_;
  GridView<Real> view_;
  int steps_;
  std::vector<std::array<std::vector<double>, 3>> faces_;  ///< per level
  double largest_ = 0.0;
  RayWalk<Real, spacing> walk_;
  Point position_{};
  Point direction_{};
  int crossings_ = 0;
  std::vector<int> cells_;
};

template <class Kind>
class LevelledWalkTest : public testing::Test {
 protected:
  using Walk = TrackedWalk<typename Kind::Real, Kind::spacing>;

  /// Odd and stretched where the walk can take it.
  static std::vector<Grid> grids(Boundary x, Boundary y) {
    if (Kind::spacing == Spacing::uniform) {
      return {
          Grid({Axis::uniform(12, 0, 1, x), Axis::uniform(16, 0, 2, y), Axis::uniform(6, 0, 1)}),
          Grid({Axis::uniform(3, 0, 1, x), Axis::uniform(24, 0, 1, y), Axis::uniform(1, 0, 2)})};
    }
    return {Grid({Axis::stretched(11, 0, 1, 1.5, x), Axis::uniform(17, 0, 2, y),
                  Axis::stretched(9, 0, 1, 0.8)}),
            Grid({Axis::uniform(6, 0, 1, x), Axis::stretched(9, 0, 1, 1.2, y),
                  Axis::stretched(2, 0, 2, 1.0)}),
            Grid({Axis::uniform(13, 0, 1, x), Axis::uniform(1, 0, 1, y), Axis::uniform(21, 0, 1)})};
  }

  /// fly(walk, directions) from random places in random cells, on all levels, with few steps each.
  template <class Fly>
  static void for_many_rays(Boundary x, Boundary y, const Fly& fly) {
    for (const Grid& grid : grids(x, y)) {
      const Levels levels(grid, 0, 1);
      ASSERT_GT(levels.count(), 1);
      if (Kind::spacing == Spacing::uniform) {
        ASSERT_EQ(levels.spacing(), Spacing::uniform);
      }
      Directions directions;
      for (int trial = 0; trial < 400; ++trial) {
        Walk walk(grid, levels, 1 + trial % 5);
        const auto cell =
            static_cast<int>(directions.number() * static_cast<double>(grid.cell_count()));
        const Vec3<int> index = levels.views()[0].index(CellId{cell});
        const Point fraction{directions.number(), directions.number(), directions.number()};
        const Point direction =
            trial % 3 == 0 ? directions.leaving(trial % 2, trial % 4 < 2) : directions.random();
        walk.begin(index, trial % 7 == 0 ? Point{0.5, 0.5, 0.5} : fraction, direction);
        fly(walk, directions);
        ASSERT_FALSE(testing::Test::HasFailure()) << "ray " << trial;
      }
    }
  }
};

TYPED_TEST_SUITE(LevelledWalkTest, test::WalkKinds);

TYPED_TEST(LevelledWalkTest, MeetsTheWallWhereTheRayDoes) {
  int coarsest = 0;
  this->for_many_rays(Boundary::walled, Boundary::walled, [&](auto& walk, Directions&) {
    EXPECT_GE(walk.go_to_wall(), 0);
    coarsest = std::max(coarsest, walk.level());
  });
  EXPECT_GE(coarsest, 2);
}

TYPED_TEST(LevelledWalkTest, GoesRoundPeriodicAxes) {
  for (const Boundary y : {Boundary::walled, Boundary::periodic}) {
    this->for_many_rays(Boundary::periodic, y,
                        [&](auto& walk, Directions&) { walk.go_to_wall(60); });
  }
}

TYPED_TEST(LevelledWalkTest, IsReflectedOnAnyLevel) {
  for (const Boundary y : {Boundary::walled, Boundary::periodic}) {
    this->for_many_rays(Boundary::walled, y, [&](auto& walk, Directions&) {
      for (int bounce = 0; bounce < 6; ++bounce) {
        const int axis = walk.go_to_wall(100);
        if (axis < 0) return;
        walk.reflect(axis);
        walk.coarsen();
      }
    });
  }
}

/// Also along axes, parallel to faces, whose place is kept through coarsening and restarts.
TYPED_TEST(LevelledWalkTest, RestartsOnAnyLevel) {
  for (const Boundary y : {Boundary::walled, Boundary::periodic}) {
    this->for_many_rays(Boundary::walled, y, [&](auto& walk, Directions& directions) {
      for (int bounce = 0; bounce < 6; ++bounce) {
        const int axis = walk.go_to_wall(100);
        if (axis < 0) return;
        const bool low = walk.direction()[static_cast<std::size_t>(axis)] < 0;
        walk.restart(directions.leaving(axis, low));
        walk.coarsen();
      }
    });
  }
}

TEST(LevelledWalk, UniformAndStretchedVisitTheSameCells) {
  const Grid grid({Axis::uniform(12, 0, 1), Axis::uniform(16, 0, 2, Boundary::periodic),
                   Axis::uniform(6, 0, 1)});
  const Levels levels(grid, 0, 1);
  Directions directions;
  for (int trial = 0; trial < 2000; ++trial) {
    const int steps = trial % 4 == 0 ? 1000 : trial % 4;
    TrackedWalk<double, Spacing::uniform> uniform(grid, levels, steps);
    TrackedWalk<double, Spacing::stretched> stretched(grid, levels, steps);
    const auto cell =
        static_cast<int>(directions.number() * static_cast<double>(grid.cell_count()));
    const Vec3<int> index = levels.views()[0].index(CellId{cell});
    const Point fraction{directions.number(), directions.number(), directions.number()};
    const Point direction = directions.random();
    uniform.begin(index, fraction, direction);
    stretched.begin(index, fraction, direction);
    for (int bounce = 0; bounce < 3; ++bounce) {
      const int axis = uniform.go_to_wall(200);
      ASSERT_EQ(stretched.go_to_wall(200), axis);
      ASSERT_EQ(uniform.cells(), stretched.cells());
      if (axis < 0) break;
      uniform.reflect(axis);
      stretched.reflect(axis);
      uniform.coarsen();
      stretched.coarsen();
    }
  }
}

}  // namespace
}  // namespace ermine
