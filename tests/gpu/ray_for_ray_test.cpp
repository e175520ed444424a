#include "geometry/grid_storage.hpp"
#include "medium/medium_storage.hpp"
#include "support/problems.hpp"
#include "support/statistics.hpp"
#include "trace_on_device.hpp"
#include "transport/point_distribution.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

TEST(RayForRay, DeviceFollowsTheHost) {
  if (!test::device_available()) GTEST_SKIP() << "no CUDA device on this machine";
  const Grid grid({Axis::stretched(6, 0, 1, 1.2), Axis::uniform(5, 0, 1),
                   Axis::uniform(4, 0, 1, Boundary::periodic)});
  const Walls walls = test::six_walls(grid);
  const GridStorage<double> grid_storage(grid);
  const GreyStorage<double> medium(GreyMedium(1.3));
  const WallsStorage<double> wall_storage(grid, walls,
                                          [&](double t) { return medium.coordinate(t); });
  std::vector<double> coordinate;
  for (const double t : test::parabola_field(grid)) coordinate.push_back(medium.coordinate(t));
  const PointDistribution<double> points(medium.strengths({300, 1100, 0}), RayOrigin::gas);
  for (const int uniform : {0, 1}) {
    const CellTracer<GreyView<double>> trace{
        {grid_storage.view(), wall_storage.view(), medium.view(), coordinate.data(), 1e-5, 1000000},
        points.view(),
        {uniform},
        7,
        3};
    constexpr int rays = 200;
    const int cells = static_cast<int>(grid.cell_count());
    const auto device = test::trace_on_device(trace, cells, wall_storage.view().offset[6], rays);
    int apart = 0;
    double scale = 0.0;
    for (const auto& score : device) scale = std::max(scale, std::abs(score.value));
    for (int i = 0; i < cells * rays; ++i) {
      const auto host = trace(CellId{i / rays}, i % rays);
      apart += std::abs(host.value - device[static_cast<std::size_t>(i)].value) > 1e-10 * scale ||
               host.crossings != device[static_cast<std::size_t>(i)].crossings;
    }
    // Sine and cosine may differ in the last bit, so a ray may graze an edge on the other side.
    EXPECT_LE(apart, cells * rays / 10000);
  }
}

}  // namespace
}  // namespace ermine
