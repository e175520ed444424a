#include "gpu/device_test.hpp"
#include "support/cell_tracers.hpp"
#include "support/gas.hpp"
#include "support/problems.hpp"
#include "transport/run/tracer_host.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace ermine {
namespace {

using test::solve_on_device;

/// CPU and GPU trace the same rays. With two rays a cell nothing averages out: a ray that found
/// something else shows.
class RayForRay : public test::DeviceTest {
 protected:
  void expect_same_rays(const Tracer& tracer, const std::vector<double>& temperature,
                        Instructions instructions = Instructions::scalar,
                        double single_tolerance = 1e-5, int at_edges = 0) {
    const Result host = solve_on_host(tracer, temperature, {.update = 3}, instructions);
    const Result device = solve_on_device(tracer, temperature, 3);
    EXPECT_EQ(device.backend, Backend::cuda);
    EXPECT_EQ(host.levels, device.levels);
    EXPECT_EQ(host.rays.traced, device.rays.traced);
    EXPECT_EQ(host.rays.lost, 0);
    EXPECT_EQ(device.rays.lost, 0);
    // Rounding may take a ray round an edge on the other side, or end it a cell sooner.
    EXPECT_NEAR(static_cast<double>(host.rays.crossings),
                static_cast<double>(device.rays.crossings),
                1e-3 * static_cast<double>(host.rays.crossings));
    const bool single = tracer.options().precision == Precision::single_precision;
    const double tolerance = single ? single_tolerance : 1e-10;
    // A ray whose transmissivity is 1/100 but for rounding plays the roulette here and not there.
    // Error bars are those of a tile and the six next to it.
    const bool roulette = tracer.options().termination == Termination::roulette;
    const int most_apart = single ? (roulette ? 2 : 0) + at_edges : 0;
    expect_equal(host.flux_divergence, device.flux_divergence, tolerance, most_apart);
    expect_equal(host.standard_error, device.standard_error, tolerance, 7 * 32 * most_apart);
    expect_equal(host.emission, device.emission, 0.0);
    for (const Face face : all_faces) {
      const auto side = static_cast<std::size_t>(face);
      expect_equal(host.wall_flux[side].net_flux, device.wall_flux[side].net_flux, tolerance,
                   most_apart);
    }
  }

  /// To a share of the largest value.
  static void expect_equal(const std::vector<double>& a, const std::vector<double>& b,
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

  void expect_same_rays_in(const Medium& medium, const Grid& grid) {
    const auto temperature = test::parabola_field(grid);
    for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
      for (const RaySampler sampler : {RaySampler::random, RaySampler::sorted}) {
        for (const FieldAccess access : {FieldAccess::global, FieldAccess::texture}) {
          for (const int levels : {1, 0}) {
            const StartPoint start = levels == 1 ? StartPoint::point : StartPoint::uniform;
            SCOPED_TRACE(testing::Message()
                         << (precision == Precision::single_precision ? "single" : "double")
                         << (sampler == RaySampler::random ? " random" : " sorted")
                         << (access == FieldAccess::global ? " global" : " texture") << " levels "
                         << levels);
            expect_same_rays(Tracer(grid, test::six_walls(grid), medium,
                                    {.backend = Backend::cuda,
                                     .sampler = sampler,
                                     .field_access = access,
                                     .levels = levels,
                                     .steps_per_level = 3,
                                     .start = start,
                                     .rays_per_cell = 2,
                                     .rays_per_wall_face = 16,
                                     .precision = precision}),
                             temperature);
          }
        }
      }
    }
  }

  void expect_same_nets_in(const Medium& medium, const Grid& grid) {
    // Rays walk in segments, as those of the vectors of a CPU do.
    for (const Walls& walls : {test::six_walls(grid), test::enclosure(grid, test::wall(900))}) {
      expect_same_nets_in(medium, grid, walls, usable_instructions().back());
    }
  }

  /// Nets of two rays, two of them a cell; with the correction rays are followed twice.
  void expect_same_nets_in(const Medium& medium, const Grid& grid, const Walls& walls,
                           Instructions instructions) {
    const auto temperature = test::parabola_field(grid);
    for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
      for (const Shifts shifts : {Shifts::cell, Shifts::mirrored, Shifts::tile}) {
        for (const Termination termination : {Termination::cutoff, Termination::roulette}) {
          for (const bool unbiased : {false, true}) {
            SCOPED_TRACE(testing::Message()
                         << (precision == Precision::single_precision ? "single" : "double")
                         << " net, shifts " << static_cast<int>(shifts)
                         << (termination == Termination::cutoff ? " cutoff" : " roulette")
                         << (unbiased ? " unbiased" : ""));
            expect_same_rays(Tracer(grid, walls, medium,
                                    {.backend = Backend::cuda,
                                     .sampler = RaySampler::net,
                                     .replicates = 2,
                                     .shifts = shifts,
                                     .termination = termination,
                                     .unbiased = unbiased,
                                     .levels = 0,
                                     .steps_per_level = 3,
                                     .start = unbiased ? StartPoint::uniform : StartPoint::point,
                                     .density = SpectralDensity::exchange,
                                     .rays_per_cell = 4,
                                     .rays_per_wall_face = 16,
                                     .precision = precision}),
                             temperature, instructions, 2e-5);
          }
        }
      }
    }
  }

  const Grid stretched_{{Axis::stretched(13, 0, 1, 1.2), Axis::uniform(9, 0, 1),
                         Axis::uniform(12, 0, 1, Boundary::periodic)}};
  const Grid uniform_{{Axis::uniform(16, 0, 1), Axis::uniform(12, 0, 1),
                       Axis::uniform(12, 0, 1, Boundary::periodic)}};
};

TEST_F(RayForRay, InAGreyGas) {
  expect_same_rays_in(GreyMedium(1.3), stretched_);
  expect_same_rays_in(GreyMedium(1.3), uniform_);
}

TEST_F(RayForRay, InAGreyGasThatDiffersFromCellToCell) {
  std::vector<double> absorption;
  for (std::size_t i = 0; i < uniform_.cell_count(); ++i) {
    absorption.push_back(0.1 + 0.002 * static_cast<double>(i));
  }
  expect_same_rays_in(GreyMedium(absorption), uniform_);
}

TEST_F(RayForRay, InAListOfSpectralPoints) {
  expect_same_rays_in(test::three_points(), stretched_);
  expect_same_rays_in(test::three_points(), uniform_);
}

TEST_F(RayForRay, InTheGasOfATable) {
  Composition composition;
  composition[Species::h2o] = 0.3;
  const GasMedium gas(k_distribution(shipped_parameters(Species::h2o), test::atmosphere,
                                     composition, test::coarse()));
  expect_same_rays_in(gas, stretched_);
  expect_same_rays_in(gas, uniform_);
}

TEST_F(RayForRay, InAMixture) { expect_same_rays_in(test::h2o_co2(), stretched_); }

TEST_F(RayForRay, InAMixtureThatDiffersFromCellToCell) {
  expect_same_rays_in(test::h2o_co2_fields(stretched_.cell_count()), stretched_);
}

/// Rays of thin points, with and without vectors on the CPU.
TEST_F(RayForRay, FromBlocksOfCells) {
  const Grid uniform{{Axis::uniform(16, 0, 1), Axis::uniform(20, 0, 1),
                      Axis::uniform(16, 0, 1, Boundary::periodic)}};
  const Grid stretched({Axis::stretched(18, 0, 1, 1.1), Axis::uniform(20, 0, 1),
                        Axis::uniform(22, 0, 1, Boundary::periodic)});
  const GasMedium steam(test::atmosphere, {{Species::h2o, {0.3}}}, test::coarse());
  for (const Grid& grid : {uniform, stretched}) {
    const Walls walls = test::enclosure(grid, test::wall(900));
    const auto temperature = test::parabola_field(grid);
    for (const Shifts shifts : {Shifts::cell, Shifts::mirrored, Shifts::tile}) {
      for (const Medium& medium :
           {Medium(test::three_points()), Medium(steam), test::uneven_gas(grid)}) {
        Options options{.backend = Backend::cuda, .replicates = 2, .shifts = shifts};
        options.levels = 0;
        options.rays_per_cell = 4;
        options.rays_per_wall_face = 0;
        const Tracer few(grid, walls, medium, options);
        EXPECT_GT(few.solve(temperature).thin_below, 0.0);
        // The parts of k have both signs, and roundings of eight of them add up.
        constexpr double tolerance = 2e-5;
        // Rounding may take a ray round an edge on the other side; a node's is seen by the cells
        // around.
        constexpr int around_node = 4 * 4 * 4;
        expect_same_rays(few, temperature, usable_instructions().back(), tolerance, around_node);
        // Without vectors, rays of cells end as soon as they may.
        options.tolerance = 1e-8;
        const Tracer far(grid, walls, medium, options);
        const Result scalar = solve_on_host(far, temperature, {.update = 3}, Instructions::scalar);
        expect_equal(scalar.flux_divergence, solve_on_device(far, temperature, 3).flux_divergence,
                     tolerance, around_node);
        // So many that warps share them.
        options.rays_per_cell = 300;
        options.replicates = 3;
        expect_same_rays(Tracer(grid, walls, medium, options), temperature,
                         usable_instructions().back(), tolerance, around_node);
      }
    }
  }
}

TEST_F(RayForRay, OfNets) {
  for (const Grid& grid : {stretched_, uniform_}) {
    expect_same_nets_in(GreyMedium(1.3), grid);
    expect_same_nets_in(test::three_points(), grid);
    expect_same_nets_in(GasMedium(test::atmosphere, {{Species::h2o, {0.3}}}, test::coarse()), grid);
  }
  expect_same_nets_in(test::h2o_co2(), stretched_);
  for (const Grid& grid : {stretched_, uniform_}) {
    expect_same_nets_in(test::h2o_co2_fields(grid.cell_count()), grid);
    expect_same_nets_in(test::four_gases(grid), grid);
    expect_same_nets_in(test::five_components(grid), grid);
  }
}

/// Logarithms may differ in their last digit, and a ray that is scattered just before a face or
/// just behind it goes on elsewhere: one ray in a thousand, at most.
TEST_F(RayForRay, AmongParticlesThatScatter) {
  for (const Grid& grid : {uniform_, stretched_}) {
    const std::vector<double> cloud = test::evaluate(
        grid, [](std::array<double, 3> at) { return at[0] < 0.4 ? 0.0 : 6 * at[1]; });
    const auto temperature = test::parabola_field(grid);
    const int at_edges = 4 * static_cast<int>(grid.cell_count()) / 1000 + 1;
    for (const Medium& medium : {Medium(test::uneven_grey(grid)), Medium(test::three_points()),
                                 Medium(test::h2o_co2_fields(grid.cell_count()))}) {
      for (const RaySampler sampler : {RaySampler::random, RaySampler::net}) {
        for (const Precision precision :
             {Precision::single_precision, Precision::double_precision}) {
          for (const int levels : {1, 0}) {
            const Tracer tracer(grid, test::six_walls(grid), medium, {{cloud, 0.8}, {{0.5}, -0.3}},
                                {.backend = Backend::cuda,
                                 .sampler = sampler,
                                 .replicates = 2,
                                 .levels = levels,
                                 .steps_per_level = 3,
                                 .start = levels == 1 ? StartPoint::average : StartPoint::uniform,
                                 .rays_per_cell = 4,
                                 .rays_per_wall_face = 16,
                                 .precision = precision});
            expect_same_rays(tracer, temperature, Instructions::scalar, 2e-5, at_edges);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace ermine
