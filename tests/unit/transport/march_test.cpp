#include "transport/ray/march.hpp"

#include "geometry/grid_storage.hpp"
#include "medium/grey_storage.hpp"
#include "medium/scattering_storage.hpp"
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

  struct Coarsening {
    int levels = 1;
    int steps = 1;
    CoarseTemperature temperature = CoarseTemperature::mean;
  };

  GreyScene(Grid g, const Walls& w, double absorption, std::vector<double> temperature)
      : GreyScene(std::move(g), w, GreyMedium(absorption), std::move(temperature), {}) {}

  GreyScene(Grid g, const Walls& w, const GreyMedium& grey, std::vector<double> temperature,
            const Coarsening& coarsening)
      : grid(std::move(g)),
        levels(grid, coarsening.levels, coarsening.steps),
        grid_storage(grid, levels),
        medium(grey, levels),
        walls(grid, w, levels, coarsening.temperature,
              [this](double t) { return medium.coordinate(t); }) {
    levels.extend(temperature, average_of(coarsening.temperature));
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
    auto ray = march.start({index, centre, direction}, coordinate[cell], stream);
    while (march.step(ray, PointId{0}, stream)) {
      if (ray.crossings > max_crossings) break;  // should not be
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

TEST(March, LosesARayAfterSoManyCrossingsOnAnyLevel) {
  const Axis periodic = Axis::uniform(24, 0, 1, Boundary::periodic);
  const Grid grid({periodic, periodic, Axis::uniform(1, 0, 1, Boundary::periodic)});
  const GreyScene scene(grid, Walls(grid, {}), GreyMedium(1e-9),
                        std::vector<double>(grid.cell_count(), 500.0), {4, 5});
  ASSERT_EQ(scene.levels.count(), 4);
  // Before the first coarsening, with it, between two, and on the last level.
  for (const int crossings : {3, 5, 7, 10, 15, 16, 500}) {
    const auto found = scene.trace({{0, 0, 0}}, {{0.6, 0.8, 0}}, 1e-4, crossings);
    EXPECT_TRUE(found.lost);
    EXPECT_EQ(found.crossings, crossings);
  }
}

/// Intensity arriving through layers of gas, the nearest first, from a black wall.
struct Layer {
  double absorption;
  double length;
  double intensity;
};

double arriving_through(const std::vector<Layer>& layers, double wall) {
  double sum = 0.0, transmissivity = 1.0;
  for (const Layer& layer : layers) {
    const double passed = std::exp(-layer.absorption * layer.length);
    sum += transmissivity * (1 - passed) * layer.intensity;
    transmissivity *= passed;
  }
  return sum + transmissivity * wall;
}

TEST(March, GoesOnToCoarserLevelsAfterItsSteps) {
  // 12, 6 and 3 cells: two steps on the first and second, the rest of the way on the third.
  const Grid grid = test::slab_grid(12);
  const Walls walls = test::plates(grid, test::wall(300), test::wall(900));
  std::vector<double> t, k;
  for (int i = 0; i < 12; ++i) {
    t.push_back(400 + 70 * i + 30 * i % 7);
    k.push_back(0.5 + 0.1 * (i * i % 11));
  }
  const auto mean = [](const std::vector<double>& values, std::size_t first, std::size_t count) {
    double sum = 0.0;
    for (std::size_t i = first; i < first + count; ++i) sum += values[i];
    return sum / static_cast<double>(count);
  };
  std::vector<double> intensity;
  for (const double kelvin : t) intensity.push_back(test::intensity(kelvin));
  for (const CoarseTemperature coarse :
       {CoarseTemperature::mean, CoarseTemperature::mean_fourth_power}) {
    const GreyScene scene(grid, walls, GreyMedium(k), t, {3, 2, coarse});
    ASSERT_EQ(scene.levels.count(), 3);
    const auto layer = [&](std::size_t first, std::size_t count, double length) {
      return Layer{mean(k, first, count), length / 12,
                   coarse == CoarseTemperature::mean ? test::intensity(mean(t, first, count))
                                                     : mean(intensity, first, count)};
    };
    // From the middle of cell 0 to the right, and from that of cell 10 to the left, where a coarse
    // cell is entered in its middle.
    const auto right = scene.trace({{0, 0, 0}}, {{1, 0, 0}});
    EXPECT_EQ(right.crossings, 6);
    EXPECT_NEAR(right.difference,
                intensity[0] - arriving_through({layer(0, 1, 0.5), layer(1, 1, 1), layer(2, 2, 2),
                                                 layer(4, 2, 2), layer(4, 4, 2), layer(8, 4, 4)},
                                                test::intensity(900)),
                1e-8);
    const auto left = scene.trace({{10, 0, 0}}, {{-1, 0, 0}});
    EXPECT_EQ(left.crossings, 6);
    EXPECT_NEAR(left.difference,
                intensity[10] - arriving_through({layer(10, 1, 0.5), layer(9, 1, 1), layer(8, 2, 1),
                                                  layer(6, 2, 2), layer(4, 4, 2), layer(0, 4, 4)},
                                                 test::intensity(300)),
                1e-8);
  }
}

TEST(March, MeetsTheWallsOfItsLevel) {
  // Strips of 300 and 900 K; a coarse face cell has their mean, weighted by emissivity.
  const Grid grid({Axis::uniform(12, 0, 1), Axis::uniform(6, 0, 1, Boundary::periodic),
                   Axis::uniform(1, 0, 1, Boundary::periodic)});
  Wall strips = test::wall(0);
  strips.temperature = {300, 900, 300, 900, 300, 900};
  strips.emissivity = {1, 0.5, 1, 0.5, 1, 0.5};
  const Walls walls = test::plates(grid, test::wall(0), strips);
  const std::vector<double> cold(grid.cell_count(), 0.0);
  const GreyScene one(grid, walls, GreyMedium(0.0), cold, {1, 4, CoarseTemperature::mean});
  const GreyScene two(grid, walls, GreyMedium(0.0), cold, {2, 4, CoarseTemperature::mean});
  EXPECT_NEAR(one.trace({{4, 2, 0}}, {{1, 0, 0}}).difference, -test::intensity(300), 1e-9);
  // What it reflects, if diffusely, goes to the cold wall or round the periodic axes.
  EXPECT_NEAR(two.trace({{4, 2, 0}}, {{1, 0, 0}}).difference, -0.75 * test::intensity(500), 1e-9);
  // Near the wall a ray has no time to coarsen.
  EXPECT_NEAR(two.trace({{9, 2, 0}}, {{1, 0, 0}}).difference, -test::intensity(300), 1e-9);
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

/// Rays that enter a slab along its normal, of optical thickness 2 and albedo 0.9: shares that come
/// back and that get through. (A doubling solution; another Monte Carlo finds 0.09739, 0.66096.)
TEST(March, ScattersAheadThroughASlab) {
  constexpr double extinction = 2.0, albedo = 0.9;
  const Grid grid = test::slab_grid(5);
  const Levels levels(grid, 1, 1);
  const GridStorage<double> grid_storage(grid, levels);
  const GreyStorage<double> medium(GreyMedium((1 - albedo) * extinction), levels);
  const ScatteringStorage<double> scattering(std::vector<Scattering>{{{albedo * extinction}, 0.75}},
                                             levels);
  const std::vector<double> cold(grid.cell_count(), 0.0);
  const auto share_that_sees = [&](double low, double high) {
    const WallsStorage<double> walls(grid, test::plates(grid, test::wall(low), test::wall(high)),
                                     levels, CoarseTemperature::mean,
                                     [&](double t) { return medium.coordinate(t); });
    const GreyScene::GreyMarch march{
        grid_storage.view(), walls.view(), medium.view(), {cold.data()}, 1e-9, 1000000, 0,
        scattering.view()};
    constexpr std::uint32_t rays = 400000;
    double sum = 0.0;
    for (std::uint32_t number = 0; number < rays; ++number) {
      RayStream stream({3, 0, 0, number});
      auto ray = march.start({{{0, 0, 0}}, {{0, 0.5, 0.5}}, {{1, 0, 0}}}, 0.0, stream);
      while (march.step(ray, PointId{0}, stream)) {
      }
      sum -= ray.difference;
    }
    return sum / rays / test::intensity(1000);
  };
  // Of 400,000 rays: standard deviations of 0.0005 and 0.0007.
  EXPECT_NEAR(share_that_sees(1000, 0), 0.09739, 0.002);
  EXPECT_NEAR(share_that_sees(0, 1000), 0.66096, 0.003);
}

}  // namespace
}  // namespace ermine
