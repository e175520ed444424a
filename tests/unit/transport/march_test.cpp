#include "transport/march.hpp"

#include "geometry/grid_storage.hpp"
#include "medium/grey_storage.hpp"
#include "support/levels.hpp"
#include "support/problems.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

/// Everything a march needs, for a grey gas.
struct GreyScene {
  using GreyMarch =
      March<GreyView<double>, PlainField<double>, Spacing::stretched, Detail::levelled>;

  Grid grid;
  Levels levels;
  GridStorage<double> grid_storage;
  GreyStorage<double> medium;
  WallsStorage<double> walls;
  std::vector<double> coordinate;

  GreyScene(Grid g, const Walls& w, double absorption, const std::vector<double>& temperature)
      : grid(std::move(g)),
        levels(test::one_level(grid)),
        grid_storage(grid, levels),
        medium(GreyMedium(absorption), levels),
        walls(grid, w, levels, CoarseTemperature::mean,
              [this](double t) { return medium.coordinate(t); }) {
    for (const double t : temperature) coordinate.push_back(medium.coordinate(t));
  }

  struct Finding {
    double difference;
    int crossings;
    bool lost;
  };

  /// A ray from the centre of a cell to its end.
  Finding trace(Vec3<int> index, Vec3<double> direction, double tolerance = 0.0,
                int max_crossings = 1000000) const {
    const GridView<double> view = grid_storage.view();
    const GreyMarch march{view,      walls.view(), medium.view(), {coordinate.data()},
                          tolerance, max_crossings};
    RayStream stream({1, 0, 0, 0});
    Vec3<double> centre;
    for (int a = 0; a < 3; ++a) centre[a] = view.cell_width(a, index[a]) / 2;
    const auto cell = static_cast<std::size_t>(view.finest.cell(index).value);
    auto ray = march.start({index, centre, direction}, coordinate[cell]);
    while (march.step(ray, PointId{0}, stream)) {
    }
    return {ray.difference, ray.crossings, march.lost(ray)};
  }
};

TEST(March, MatchesTheTransferEquationByHand) {
  const Grid grid = test::slab_grid(2);
  const Walls walls = test::plates(grid, test::wall(300), test::wall(900));
  const GreyScene scene(grid, walls, 1.5, {500.0, 700.0});
  // From the centre of cell 0 towards +x: half of cell 0, all of cell 1, the wall at 900 K.
  const double arriving =
      test::intensity(500) * (1 - std::exp(-1.5 * 0.25)) +
      test::intensity(700) * std::exp(-1.5 * 0.25) * (1 - std::exp(-1.5 * 0.5)) +
      test::intensity(900) * std::exp(-1.5 * 0.75);
  EXPECT_NEAR(scene.trace({{0, 0, 0}}, {{1, 0, 0}}).difference, test::intensity(500) - arriving,
              1e-9);
}

TEST(March, MirrorSendsTheRayBack) {
  const Grid grid = test::slab_grid(1);
  const Walls walls =
      test::plates(grid, test::wall(300), test::wall(900, 0.25, Reflection::specular));
  const GreyScene scene(grid, walls, 2.0, {500.0});
  const double out = std::exp(-2.0 * 0.5);
  const double back = std::exp(-2.0 * 1.0);
  const double behind_mirror = test::intensity(500) * (1 - back) + test::intensity(300) * back;
  const double arriving =
      test::intensity(500) * (1 - out) + out * (0.25 * test::intensity(900) + 0.75 * behind_mirror);
  EXPECT_NEAR(scene.trace({{0, 0, 0}}, {{1, 0, 0}}).difference, test::intensity(500) - arriving,
              1e-9);
}

TEST(March, StopsAtTheTolerance) {
  const Grid grid = test::slab_grid(64);
  const Walls walls = test::plates(grid, test::wall(300), test::wall(900));
  const GreyScene scene(grid, walls, 100.0, std::vector<double>(64, 500.0));
  const auto found = scene.trace({{0, 0, 0}}, {{1, 0, 0}}, 1e-4);
  EXPECT_FALSE(found.lost);
  // -ln(1e-4) = 9.2 mean free paths of 1 cm, in cells of 1/64 m.
  EXPECT_EQ(found.crossings, static_cast<int>(std::ceil(0.0921 * 64 - 0.5)) + 1);
}

TEST(March, LosesARayThatNothingEnds) {
  const Axis periodic = Axis::uniform(4, 0, 1, Boundary::periodic);
  const Grid grid({periodic, periodic, periodic});
  const GreyScene scene(grid, Walls(grid, {}), 1e-9, std::vector<double>(64, 500.0));
  const auto found = scene.trace({{0, 0, 0}}, {{0.6, 0.8, 0}}, 1e-4, 500);
  EXPECT_TRUE(found.lost);
  EXPECT_EQ(found.crossings, 500);
}

TEST(March, PermutingAxesPermutesTheRay) {
  const auto field = [](std::array<double, 3> at) {
    return 400 + 300 * at[0] + 500 * at[1] * at[1] + 200 * at[2];
  };
  const Axis x = Axis::uniform(5, 0, 1), y = Axis::stretched(6, 0, 1, 1.1),
             z = Axis::uniform(7, 0, 1);
  const Grid original({x, y, z});
  const Grid rotated({y, z, x});
  const auto mirror = [](double t) { return test::wall(t, 0.4, Reflection::specular); };
  const Walls walls(original, {mirror(300), test::wall(400), mirror(500), test::wall(600),
                               mirror(700), test::wall(800)});
  const Walls rotated_walls(rotated, {mirror(500), test::wall(600), mirror(700), test::wall(800),
                                      mirror(300), test::wall(400)});
  const GreyScene scene(original, walls, 0.7, test::evaluate(original, field));
  const GreyScene rotated_scene(rotated, rotated_walls, 0.7,
                                test::evaluate(rotated, [&](std::array<double, 3> at) {
                                  return field({at[2], at[0], at[1]});
                                }));
  for (const Vec3<double>& d : {Vec3<double>{{0.36, -0.48, 0.8}}, Vec3<double>{{-0.8, 0.6, 0}},
                                Vec3<double>{{-0.64, -0.48, -0.6}}}) {
    const auto found = scene.trace({{1, 2, 3}}, d);
    const auto turned = rotated_scene.trace({{2, 3, 1}}, {{d[1], d[2], d[0]}});
    EXPECT_EQ(found.crossings, turned.crossings);
    EXPECT_NEAR(found.difference, turned.difference, 1e-10 * std::abs(found.difference));
  }
}

}  // namespace
}  // namespace ermine
