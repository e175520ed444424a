#include <ermine/output.hpp>

#include "reference/slab.hpp"
#include "support/problems.hpp"
#include "support/statistics.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

/// All ways of a solution: precision, levels of detail, mesh correction.
std::vector<Options> many_options(std::int64_t rays) {
  std::vector<Options> all;
  for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
    for (const int levels : {1, 0}) {
      for (const StartPoint start : {StartPoint::point, StartPoint::average, StartPoint::uniform}) {
        Options& options = all.emplace_back();
        options.precision = precision;
        options.levels = levels;
        options.start = start;
        options.mesh_correction = start != StartPoint::uniform;
        options.rays_per_cell = rays;
        options.rays_per_wall_face = rays;
      }
    }
  }
  return all;
}

/// A thin layer of gas between walls. Away from it k falls through all numbers there are down to
/// the smallest, 5e-324, and to 0.
TEST(Extremes, LayerWhoseAbsorptionFallsToNothing) {
  const auto absorption = [](double x) { return 10 * std::exp(-3000 * (x - 0.5) * (x - 0.5)); };
  const auto rising = [](double x) { return 1000 + 500 * x; };
  const Grid grid = test::slab_grid(200, 2);
  const auto temperature = test::evaluate(grid, [&](auto at) { return rising(at[0]); });
  const Walls walls = test::plates(grid, test::wall(300), test::wall(300));
  const GreyMedium medium(test::evaluate(grid, [&](auto at) { return absorption(at[0]); }));
  const reference::SlabPoint point{absorption,
                                   [&](double x) { return test::intensity(rising(x)); },
                                   {test::intensity(300), test::intensity(300)}};
  std::vector<double> centres;
  for (std::size_t i = 0; i < 200; ++i) centres.push_back(grid.centre(0, i));
  const auto exact = reference::solve_slab({0, 1, {1, 1}}, {&point, 1}, centres);
  const double largest = test::largest_magnitude(exact.flux_divergence);
  for (Options options : many_options(64)) {
    options.rays_per_wall_face = 1024;
    const Result result = Tracer(grid, walls, medium, options).solve(temperature);
    const Profile profile = plane_average(grid, temperature, result, 0);
    // Of k that is steep from cell to cell, cells know to a part of a per cent; levels to 2 %.
    const double of_grid = options.levels == 1 ? 0.005 : 0.02;
    for (std::size_t i = 0; i < 200; ++i) {
      EXPECT_NEAR(profile.flux_divergence[i], exact.flux_divergence[i],
                  4 * profile.standard_error[i] + of_grid * largest)
          << i;
    }
    // Walls see the layer from far away, where levels of detail make it thicker.
    if (options.levels != 1) continue;
    for (const std::size_t side : {0, 1}) {
      EXPECT_NEAR(test::mean(result.wall_flux[side].net_flux), exact.wall_flux[side],
                  4 * result.wall_flux[side].heat.standard_error +
                      of_grid * std::abs(exact.wall_flux[side]));
    }
  }
}

/// What is next to nothing gives the same answer as nothing, and takes nothing from the rest.
TEST(Extremes, HardlyAbsorbingHalfIsLikeATransparentOne) {
  const Grid grid = test::slab_grid(16, 4);
  const Walls walls = test::plates(grid, test::wall(300, 0.5), test::wall(1500));
  const auto temperature = test::parabola_field(grid);
  const auto half = [&](double thin) {
    return GreyMedium(test::evaluate(grid, [&](auto at) { return at[0] < 0.5 ? thin : 2.0; }));
  };
  for (const Options& options : many_options(8)) {
    const Result nothing = Tracer(grid, walls, half(0.0), options).solve(temperature);
    for (const double thin : {5e-324, 1e-200, 1e-45}) {
      const Result hardly = Tracer(grid, walls, half(thin), options).solve(temperature);
      for (std::size_t i = 0; i < grid.cell_count(); ++i) {
        EXPECT_NEAR(hardly.flux_divergence[i], nothing.flux_divergence[i], 1e-30) << thin;
        // Cells that absorb a little more tell something of the errors of others.
        if (thin > 1e-100) continue;
        EXPECT_EQ(hardly.standard_error[i], nothing.standard_error[i]) << thin;
      }
    }
  }
}

/// Gas and walls of 0 K and of numbers next to it, cells that hold all light, no walls that emit.
TEST(Extremes, GiveNumbers) {
  const Grid grid({Axis::stretched(12, 0, 1e-8, 5.0), Axis::uniform(1, 0, 1e12),
                   Axis::uniform(8, 0, 1e-3, Boundary::periodic)});
  for (const Options& options : many_options(2)) {
    for (const double emissivity : {0.0, 5e-324, 1.0}) {
      const Walls walls = test::enclosure(grid, test::wall(0.0, emissivity));
      for (const double k : {1e-310, 1.0, 1e12}) {
        for (const double cold : {0.0, 1e-80, 1e5}) {
          Options some = options;
          some.max_crossings = 50;
          some.max_lost_fraction = 1.0;
          const auto temperature =
              test::evaluate(grid, [&](auto at) { return at[0] < 5e-9 ? cold : 300.0; });
          EXPECT_NO_THROW(Tracer(grid, walls, GreyMedium(k), some).solve(temperature))
              << emissivity << " " << k << " " << cold;
        }
      }
    }
  }
}

/// Species that some cells do not have, or next to nothing of.
TEST(Extremes, MoleFractionsNextToNothing) {
  const Grid grid = test::slab_grid(8, 2);
  const Walls walls = test::plates(grid, test::wall(300), test::wall(600));
  const auto temperature = test::evaluate(grid, [](auto at) { return 600 + 800 * at[0]; });
  const auto field = [&](double low, double high) {
    return test::evaluate(grid, [&](auto at) { return at[0] < 0.5 ? low : high; });
  };
  for (const double thin : {0.0, 1e-310}) {
    for (const double other : {1e-320, 0.2}) {
      const GasMedium gas(1e6, {{Species::co2, field(thin, 0.1)}, {Species::co, {other}}},
                          {.band_width_cm1 = 500,
                           .quadrature = Quadrature::skewed(4),
                           .temperature = {500, 1000, 1500}});
      for (const Options& options : many_options(2)) {
        EXPECT_NO_THROW(Tracer(grid, walls, gas, options).solve(temperature))
            << thin << " " << other;
      }
    }
  }
}

}  // namespace
}  // namespace ermine
