#include <ermine/mesh_error.hpp>

#include "support/grey_slab.hpp"
#include "support/problems.hpp"
#include "transport/accuracy/error_norm.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

TEST(MeshError, IsEstimatedOnCoarserMeshes) {
  for (const bool correction : {false, true}) {
    for (const double absorption : {5.0, 15.0}) {
      SCOPED_TRACE(testing::Message() << correction << " " << absorption);
      const test::GreySlab slab(absorption, test::growing(64, 1.0), test::wave, test::wall(850),
                                StartPoint::point, correction);
      double squares = 0.0;
      for (std::size_t i = 0; i < slab.corrected.size(); ++i) {
        squares += std::pow(slab.corrected[i] - slab.exact_at_centres[i], 2);
      }
      const double error = std::sqrt(squares / static_cast<double>(slab.corrected.size()));
      const Grid grid = test::slab_grid(64, 4);
      const auto field =
          test::evaluate(grid, [](std::array<double, 3> at) { return test::wave(at[0]); });
      const Tracer tracer(grid, test::plates(grid, test::wall(850), test::wall(850)),
                          GreyMedium(absorption),
                          {.start = StartPoint::point, .mesh_correction = correction});
      const MeshError mesh = estimate_mesh_error(tracer, field, 2048);
      ASSERT_TRUE(mesh.estimated);
      // To a factor of a few, rather too large.
      EXPECT_LT(mesh.error.value, 6 * error + 2 * mesh.error.standard_error);
      EXPECT_GT(mesh.error.value, error / 2 - 2 * mesh.error.standard_error);
    }
  }
}

/// Cells of one temperature before walls of another have exact averages on any mesh.
TEST(MeshError, ComparesAveragesWithAverages) {
  const Grid grid = test::slab_grid(32, 8);
  const std::vector<double> field(grid.cell_count(), 1000.0);
  const Tracer tracer(grid, test::plates(grid, test::wall(300), test::wall(300)), GreyMedium(2.0),
                      {.levels = 1, .rays_per_wall_face = 0});
  const MeshError mesh = estimate_mesh_error(tracer, field, 4096);
  ASSERT_TRUE(mesh.estimated);
  EXPECT_LT(mesh.error.value, 0.01 * root_mean_square(tracer.solve(field).flux_divergence));
}

TEST(MeshError, NeedsCellsToLeaveOut) {
  const Grid grid = test::slab_grid(7, 1);
  const Tracer tracer(grid, test::plates(grid, test::wall(500), test::wall(500)), GreyMedium(1),
                      {.estimate_mesh_error = true, .rays_per_cell = 16});
  EXPECT_FALSE(tracer.solve(test::parabola_field(grid)).accuracy.mesh.estimated);
}

TEST(MeshError, DoesNotDependOnHowCellsFallIntoBlocks) {
  double least = 1e9;
  double most = 0.0;
  for (const int cells : {120, 128, 136, 144}) {
    const Grid grid = test::slab_grid(cells, 1);
    const auto field =
        test::evaluate(grid, [](std::array<double, 3> at) { return test::tilted_wave(at[0]); });
    const MeshError mesh = estimate_mesh_error(
        Tracer(grid, test::plates(grid, test::wall(700), test::wall(700)), GreyMedium(100),
               {.start = StartPoint::point, .mesh_correction = false}),
        field, 4096);
    least = std::min(least, mesh.error.value);
    most = std::max(most, mesh.error.value);
  }
  EXPECT_LT(most, 3 * least);
}

TEST(MeshError, TakesFieldsOfWallsAndMediumAlong) {
  // All that may differ from cell to cell, on odd numbers of cells.
  const Grid grid({Axis::stretched(9, 0, 1, 1.5), Axis::uniform(11, 0, 1),
                   Axis::uniform(4, 0, 1, Boundary::periodic)});
  std::array<Wall, 6> sides{
      test::wall(500), test::wall(600), test::wall(700), test::wall(800), {}, {}};
  sides[0].temperature.clear();
  sides[0].emissivity.clear();
  for (int i = 0; i < 44; ++i) {
    sides[0].temperature.push_back(500 + i);
    sides[0].emissivity.push_back(0.5 + 0.01 * i);
  }
  std::vector<double> water;
  for (std::size_t i = 0; i < grid.cell_count(); ++i)
    water.push_back(0.1 + 0.3 * grid.centre(i)[0]);
  const auto field = test::evaluate(
      grid, [](std::array<double, 3> at) { return 900 + 100 * std::sin(3 * at[0] + 2 * at[1]); });
  const Options options{.estimate_mesh_error = true, .rays_per_cell = 256, .rays_per_wall_face = 0};
  const Walls walls(grid, sides);
  const GasMedium gas(101325, {{Species::h2o, water}, {Species::co2, {0.1}}});
  EXPECT_TRUE(Tracer(grid, walls, gas, options).solve(field).accuracy.mesh.estimated);
  EXPECT_TRUE(Tracer(grid, walls, GreyMedium(water), options).solve(field).accuracy.mesh.estimated);
}
}  // namespace
}  // namespace ermine
