#include "geometry/grid_storage.hpp"
#include "medium/gas_storage.hpp"
#include "medium/medium_storage.hpp"
#include "support/gas.hpp"
#include "support/problems.hpp"
#include "support/statistics.hpp"
#include "trace_on_device.hpp"
#include "transport/gas_point_distribution.hpp"
#include "transport/point_distribution.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

constexpr PointDensity emission{300, 1100, 0.0};

class RayForRay : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::device_available()) GTEST_SKIP() << "no CUDA device on this machine";
  }

  /// Rays of all cells, on the device and here.
  template <class Storage, class Sampler>
  void expect_same_rays(const Storage& medium, const Sampler& sampler, test::ArraySizes sizes) {
    using View = decltype(medium.view());
    const Walls walls = test::six_walls(grid_);
    const GridStorage<double> grid_storage(grid_);
    const WallsStorage<double> wall_storage(grid_, walls,
                                            [&](double t) { return medium.wall_coordinate(t); });
    std::vector<double> coordinate;
    for (const double t : temperature_) coordinate.push_back(medium.coordinate(t));
    sizes.wall_cells = static_cast<std::size_t>(wall_storage.view().offset[6]);
    for (const int uniform : {0, 1}) {
      const CellTracer<View, Sampler> trace{{grid_storage.view(), wall_storage.view(),
                                             medium.view(), coordinate.data(), 1e-5, 1000000},
                                            sampler,
                                            {uniform},
                                            7,
                                            3};
      compare(trace, test::trace_on_device(trace, sizes, rays));
    }
  }

  template <class Trace>
  void compare(const Trace& trace, const std::vector<RayScore<double>>& device) {
    const int count = static_cast<int>(grid_.cell_count()) * rays;
    double scale = 0.0;
    for (const auto& score : device) scale = std::max(scale, std::abs(score.value));
    EXPECT_GT(scale, 0.0);
    int apart = 0;
    for (int i = 0; i < count; ++i) {
      const auto host = trace(CellId{i / rays}, i % rays);
      const auto& there = device[static_cast<std::size_t>(i)];
      apart +=
          std::abs(host.value - there.value) > 1e-10 * scale || host.crossings != there.crossings;
    }
    // Sine and cosine may differ in the last bit, so a ray may graze an edge on the other side.
    EXPECT_LE(apart, count / 10000);
  }

  template <int most>
  void expect_same_rays_in(const GasMedium& medium, const PointDensity& density) {
    const GasStorage<double, most> storage(medium, temperature_);
    const GasStrengths strengths = storage.strengths(density);
    const GasPointDistribution<double, most> points(medium, strengths, RayOrigin::gas);
    test::ArraySizes sizes{grid_.cell_count(), 0, medium.part_count(), medium.weights().size()};
    for (std::size_t c = 0; c < medium.component_count(); ++c) {
      sizes.component_bands[c] = medium.component(c).band.size();
    }
    expect_same_rays(storage, points.view(), sizes);
  }

  static constexpr int rays = 200;
  const Grid grid_{{Axis::stretched(6, 0, 1, 1.2), Axis::uniform(5, 0, 1),
                    Axis::uniform(4, 0, 1, Boundary::periodic)}};
  const std::vector<double> temperature_ = test::parabola_field(grid_);
};

TEST_F(RayForRay, InAGreyGas) {
  const GreyStorage<double> medium(GreyMedium(1.3));
  const PointDistribution<double> points(medium.strengths(emission), RayOrigin::gas);
  expect_same_rays(medium, points.view(), {grid_.cell_count(), 0});
}

TEST_F(RayForRay, InTheGasOfATable) {
  Composition composition;
  composition[Species::h2o] = 0.3;
  expect_same_rays_in<1>(GasMedium(k_distribution(shipped_parameters(Species::h2o),
                                                  test::atmosphere, composition, test::coarse())),
                         emission);
}

TEST_F(RayForRay, InAMixture) { expect_same_rays_in<4>(test::h2o_co2(), emission); }

TEST_F(RayForRay, InAMixtureThatDiffersFromCellToCell) {
  expect_same_rays_in<4>(test::h2o_co2_fields(grid_.cell_count()), emission);
  expect_same_rays_in<4>(test::h2o_co2_fields(grid_.cell_count()), {300, 1100, 0.2});
}

}  // namespace
}  // namespace ermine
