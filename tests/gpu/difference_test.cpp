#include "gpu/device_test.hpp"
#include "support/gas.hpp"
#include "support/problems.hpp"
#include "transport/run/tracer_host.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ermine {
namespace {

/// Updates that are differences, on CPU and GPU along the same rays.
class Differences : public test::DeviceTest {
 protected:
  static std::vector<double> temperature_at(const Grid& grid, std::uint32_t update) {
    return test::evaluate(grid, [update](std::array<double, 3> at) {
      return 900 + 300 * std::sin(3 * at[0] + 0.2 * update) * std::cos(4 * at[1] - 0.3 * update);
    });
  }

  static void expect_near(const std::vector<double>& a, const std::vector<double>& b,
                          double tolerance, int most_apart = 0) {
    ASSERT_EQ(a.size(), b.size());
    double scale = 0.0;
    for (const double value : a) scale = std::max(scale, std::abs(value));
    int apart = 0;
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      apart += std::abs(a[i] - b[i]) > tolerance * scale;
      largest = std::max(largest, std::abs(a[i] - b[i]) / scale);
    }
    EXPECT_LE(apart, most_apart) << "of " << a.size() << ", largest difference " << largest;
  }

  void expect_same_updates(const Medium& medium, const Grid& grid, const Walls& walls,
                           Instructions instructions, Options options) {
    options.backend = Backend::cuda;
    options.replicates = 2;
    options.temporal = Temporal::difference;
    const Tracer tracer(grid, walls, medium, options);
    History host, device;
    for (std::uint32_t update = 0; update < 3; ++update) {
      SCOPED_TRACE(update);
      const auto temperature = temperature_at(grid, update);
      const auto solving = [&](const History& before, History& after) {
        return Solving{.update = update, .before = update ? &before : nullptr, .after = &after};
      };
      History next;
      const Result on_host = solve_on_host(tracer, temperature, solving(host, next), instructions);
      host = {update + 1, temperature, next.flux_divergence, next.wall_flux};
      const Result on_device =
          submit_on_device(tracer, temperature, solving(device, next), {})->wait({});
      device = {update + 1, temperature, next.flux_divergence, next.wall_flux};
      // Rays of walls weigh up to a hundred times as much as others, and three updates add up: the
      // largest difference of walls seen on an H200 was 7.5e-5, in a mixture; in double precision
      // they agree.
      const bool single = options.precision == Precision::single_precision;
      const double tolerance = single ? 6e-5 : 1e-9;
      expect_near(host.flux_divergence, device.flux_divergence, tolerance);
      // Rounding may take a ray of a wall round an edge on the other side.
      expect_near(host.wall_flux, device.wall_flux, single ? 1.2e-4 : 1e-9, single ? 2 : 0);
      expect_near(on_host.flux_divergence, on_device.flux_divergence, tolerance);
      expect_near(on_host.standard_error, on_device.standard_error, tolerance);
      EXPECT_EQ(on_host.rays.traced, on_device.rays.traced);
      EXPECT_NEAR(static_cast<double>(on_host.rays.crossings),
                  static_cast<double>(on_device.rays.crossings),
                  1e-3 * static_cast<double>(on_host.rays.crossings));
      EXPECT_EQ(on_host.rays_per_cell, on_device.rays_per_cell);
    }
  }

  const Grid stretched_{{Axis::stretched(13, 0, 1, 1.2), Axis::uniform(9, 0, 1),
                         Axis::uniform(12, 0, 1, Boundary::periodic)}};
  const Grid uniform_{{Axis::uniform(16, 0, 1), Axis::uniform(12, 0, 1),
                       Axis::uniform(12, 0, 1, Boundary::periodic)}};
  const Grid blocks_{{Axis::uniform(16, 0, 1), Axis::uniform(20, 0, 1),
                      Axis::uniform(16, 0, 1, Boundary::periodic)}};
};

TEST_F(Differences, OfAllKindsOfGas) {
  const GasMedium steam(test::atmosphere, {{Species::h2o, {0.3}}}, test::coarse());
  const Options few{.levels = 0, .rays_per_cell = 4, .rays_per_wall_face = 16};
  for (const Grid& grid : {stretched_, uniform_}) {
    const std::vector<Medium> media{GreyMedium(1.3), steam, test::h2o_co2(),
                                    test::h2o_co2_fields(grid.cell_count())};
    for (std::size_t i = 0; i < media.size(); ++i) {
      for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
        const bool single = precision == Precision::single_precision;
        SCOPED_TRACE(testing::Message() << "medium " << i << (single ? ", single" : ", double"));
        Options options = few;
        options.precision = precision;
        expect_same_updates(media[i], grid, test::six_walls(grid), usable_instructions().back(),
                            options);
        expect_same_updates(media[i], grid, test::enclosure(grid, test::wall(900)),
                            usable_instructions().back(), options);
      }
    }
  }
}

TEST_F(Differences, FromBlocksOfCells) {
  const GasMedium steam(test::atmosphere, {{Species::h2o, {0.3}}}, test::coarse());
  for (const std::int64_t rays : {4, 300}) {
    for (const Medium& medium : {Medium(test::three_points()), Medium(steam)}) {
      const Options options{.levels = 0, .rays_per_cell = rays, .rays_per_wall_face = 0};
      expect_same_updates(medium, blocks_, test::enclosure(blocks_, test::wall(900)),
                          usable_instructions().back(), options);
    }
  }
}

}  // namespace
}  // namespace ermine
