#include "support/gas.hpp"
#include "support/isothermal.hpp"
#include "support/net_problems.hpp"
#include "support/problems.hpp"
#include "support/statistics.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

/// Net flux between black plates that are `thickness` optical depths of isotropic scattering apart,
/// over sigma (T_low^4 - T_high^4): exact values of M. A. Heaslet & R. F. Warming, Int. J. Heat
/// Mass Transfer 8, 979 (1965).
struct Plates {
  double thickness;
  double flux;
};

class ScatteringPlates : public testing::TestWithParam<Plates> {};

TEST_P(ScatteringPlates, LetThroughWhatTheyShould) {
  const Grid grid = test::slab_grid(8);
  const Walls walls = test::plates(grid, test::wall(1000), test::wall(500));
  const std::vector<double> temperature(grid.cell_count(), 700.0);
  const double most = test::sigma * (std::pow(1000, 4) - std::pow(500, 4));
  for (const Method method : test::both_methods) {
    for (const bool two_classes : {false, true}) {
      if (two_classes && method == Method::classic) continue;
      Options options = test::with_method(method, {});
      options.rays_per_cell = 4;
      options.rays_per_wall_face = 1 << 16;
      std::vector<Scattering> classes(two_classes ? 2 : 1, {{GetParam().thickness}});
      if (two_classes) {
        classes[0].coefficient = {0.3 * GetParam().thickness};
        classes[1].coefficient.assign(grid.cell_count(), 0.7 * GetParam().thickness);
      }
      const Result result =
          Tracer(grid, walls, GreyMedium(0.0), classes, options).solve(temperature);
      const WallFlux& low = result.wall_flux.front();
      EXPECT_LT(low.standard_error[0], 0.004 * most);
      EXPECT_WITHIN_SIGMA(low.net_flux[0], low.standard_error[0], GetParam().flux * most, 4)
          << name_of(method);
      for (const double q : result.flux_divergence) EXPECT_EQ(q, 0.0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Isotropic, ScatteringPlates,
                         testing::Values(Plates{0.1, 0.9157}, Plates{1.0, 0.5532},
                                         Plates{5.0, 0.2077}),
                         [](const auto& param) {
                           return "depth_" + std::to_string(int(10 * param.param.thickness));
                         });

/// Square enclosure of optical thickness 1 that scatters and hardly absorbs, one wall of unit
/// emissive power, the others cold: source function on the centre line (A. L. Crosbie & R. G.
/// Schrenker, J. Quant. Spectrosc. Radiat. Transfer 31, 339 (1984)).
TEST(ScatteringSquare, HasTheSourceOnItsCentreLine) {
  constexpr std::array depth{0.00611, 0.10884, 0.25449, 0.5, 0.74551, 0.89116, 0.9939};
  constexpr std::array source{0.6198, 0.5108, 0.3919, 0.2500, 0.1584, 0.1171, 0.0885};
  std::vector<double> faces{0.0};
  for (const double centre : depth) faces.push_back(2 * centre - faces.back());
  const Grid grid({Axis::uniform(1, 0, 1, Boundary::periodic), Axis{faces, Boundary::walled},
                   Axis::uniform(1, 0, faces.back())});
  const Wall cold = test::wall(0);
  const Walls walls(grid, {cold, cold, test::wall(1000), cold, cold, cold});
  const double power = test::sigma * std::pow(1000, 4);
  // So little that what is scattered does not notice; what it absorbs tells the incident radiation.
  constexpr double trace = 1e-7;
  Options options;
  options.start = StartPoint::point;
  options.mesh_correction = false;
  options.rays_per_cell = 1 << 20;
  options.rays_per_wall_face = 0;
  options.termination = Termination::cutoff;
  const Result result = Tracer(grid, walls, GreyMedium(trace), {{{1.0}}}, options)
                            .solve(std::vector<double>(depth.size(), 0.0));
  for (std::size_t i = 0; i < depth.size(); ++i) {
    const double found = -result.flux_divergence[i] / (4 * trace * power);
    EXPECT_NEAR(found, source[i], 0.0012) << "at depth " << depth[i];
  }
}

std::vector<Scattering> two_classes(const Grid& grid) {
  std::vector<double> cloud = test::evaluate(grid, [](std::array<double, 3> at) {
    return at[0] < 0.5 ? 0.0 : 4.0 + 3.0 * std::sin(7 * at[1]);
  });
  return {{std::move(cloud), 0.8}, {{0.7}, -0.2}};
}

TEST(ScatteringEnclosure, OfOneTemperatureHasExactlyNoSource) {
  constexpr double kelvin = 777.7;
  const Grid grid(
      {Axis::uniform(9, 0, 1), Axis::stretched(5, 0, 2, 1.3), Axis::uniform(6, 0, 0.7)});
  const auto wall = [&](double emissivity, Reflection reflection) {
    return test::wall(kelvin, emissivity, reflection);
  };
  const Walls walls(grid, {wall(1.0, Reflection::diffuse), wall(0.6, Reflection::diffuse),
                           wall(0.3, Reflection::specular), wall(0.8, Reflection::diffuse),
                           wall(0.0, Reflection::specular), wall(0.0, Reflection::diffuse)});
  for (const Medium& medium :
       {Medium(GreyMedium(0.8)), Medium(test::three_points()),
        with_particles(test::h2o_co2(), std::vector<double>(grid.cell_count(), 0.4))}) {
    for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
      for (const int levels : {1, 0}) {
        for (const StartPoint start : {StartPoint::point, StartPoint::uniform}) {
          Options options = test::net(32);
          options.rays_per_wall_face = 32;
          options.levels = levels;
          options.steps_per_level = 2;
          options.start = start;
          options.precision = precision;
          options.density = SpectralDensity::emission;  // there is nothing to exchange
          test::expect_exactly_zero(Tracer(grid, walls, medium, two_classes(grid), options),
                                    kelvin);
        }
      }
    }
  }
}

/// What cells emit and do not get back arrives at the walls.
TEST(ScatteringGas, BalancesItsEnergy) {
  const Grid grid = test::box_grid(8);
  const Walls walls = test::enclosure(grid, test::wall(300, 0.8));
  const std::vector<double> temperature = test::evaluate(grid, [](std::array<double, 3> at) {
    return 600 + 900 * std::exp(-8 * (std::pow(at[0] - 0.5, 2) + std::pow(at[1] - 0.4, 2)));
  });
  Options options;
  options.rays_per_cell = 512;
  options.rays_per_wall_face = 4096;
  const Result result =
      Tracer(grid, walls, GreyMedium(1.5), two_classes(grid), options).solve(temperature);
  const Ledger& ledger = result.ledger;
  EXPECT_GT(ledger.gas.value, 0.0);
  EXPECT_LT(std::abs(ledger.gas.value + ledger.walls.value), 0.005 * ledger.gas.value);
}

/// A cloud whose cells are thick for light that wanders in it, though it hardly absorbs: rays of
/// averages start all over its cells, and over those next to it.
TEST(ScatteringGas, AveragesOverCellsThatScatter) {
  const Grid grid({Axis::uniform(8, 0, 1), Axis::uniform(4, 0, 1, Boundary::periodic),
                   Axis::uniform(4, 0, 1, Boundary::periodic)});
  const Walls walls = test::plates(grid, test::wall(700), test::wall(700));
  const std::vector<double> temperature(grid.cell_count(), 1500.0);
  const std::vector<Scattering> cloud{
      {test::evaluate(grid, [](std::array<double, 3> at) { return at[0] > 0.5 ? 40.0 : 0.0; })}};
  const auto solve = [&](StartPoint start) {
    Options options;
    options.start = start;
    options.levels = 1;
    options.rays_per_cell = 1 << 13;
    options.rays_per_wall_face = 0;
    return Tracer(grid, walls, GreyMedium(0.2), cloud, options).solve(temperature);
  };
  const Result uniform = solve(StartPoint::uniform);
  const Result average = solve(StartPoint::average);
  const auto plane = [&](const std::vector<double>& values, std::size_t i) {
    double sum = 0.0;
    for (std::size_t cell = i; cell < values.size(); cell += 8) sum += values[cell] / 16;
    return sum;
  };
  for (std::size_t i = 4; i < 8; ++i) {
    EXPECT_NEAR(plane(average.flux_divergence, i), plane(uniform.flux_divergence, i),
                0.006 * plane(uniform.flux_divergence, i))
        << i;
  }
}

/// Particles absorb in all of the spectrum, also where the gas has no bands.
TEST(Particles, OfATransparentGasAreAGreyGas) {
  const Grid grid = test::slab_grid(12);
  const Walls walls = test::plates(grid, test::wall(400), test::wall(1200, 0.5));
  const std::vector<double> temperature = test::parabola_field(grid);
  const GasMedium nothing(101325.0, {{Species::h2o, {0.0}}});
  const std::vector<double> field =
      test::evaluate(grid, [](std::array<double, 3> at) { return 0.5 + at[0]; });
  for (const std::vector<double>& absorption : {std::vector<double>{0.8}, field}) {
    Options options = test::net(1 << 14);
    options.start = StartPoint::point;
    const Result grey = Tracer(grid, walls, with_particles(GreyMedium(0.0), absorption), options)
                            .solve(temperature);
    const Result gas =
        Tracer(grid, walls, with_particles(nothing, absorption), options).solve(temperature);
    const double largest = test::largest_magnitude(grey.flux_divergence);
    for (std::size_t i = 0; i < grid.cell_count(); ++i) {
      EXPECT_NEAR(gas.emission[i], grey.emission[i], 1e-3 * grey.emission[i]);
      EXPECT_NEAR(gas.flux_divergence[i], grey.flux_divergence[i], 3e-3 * largest) << i;
    }
  }
}

/// With the values of a field that is the same everywhere, the species are looked up one by one.
TEST(Particles, BesideAGasAddToItsAbsorption) {
  const Grid grid = test::slab_grid(12);
  const Walls walls = test::plates(grid, test::wall(400), test::wall(1200, 0.5));
  const std::vector<double> temperature = test::parabola_field(grid);
  Options options = test::net(1 << 13);
  options.start = StartPoint::point;
  const std::vector<double> absorption(grid.cell_count(), 0.3);
  const Result one =
      Tracer(grid, walls, with_particles(test::h2o_co2(), {0.3}), options).solve(temperature);
  const Result all =
      Tracer(grid, walls, with_particles(test::h2o_co2(), absorption), options).solve(temperature);
  const Result none = Tracer(grid, walls, test::h2o_co2(), options).solve(temperature);
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    const double of_particles = 4 * 0.3 * test::sigma * std::pow(temperature[i], 4);
    EXPECT_NEAR(one.emission[i], none.emission[i] + of_particles, 1e-3 * one.emission[i]);
    EXPECT_NEAR(all.emission[i], one.emission[i], 1e-3 * one.emission[i]);
    EXPECT_NEAR(all.flux_divergence[i], one.flux_divergence[i],
                4e-3 * test::largest_magnitude(one.flux_divergence));
  }
}

}  // namespace
}  // namespace ermine
