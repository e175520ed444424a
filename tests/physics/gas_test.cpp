#include "support/gas.hpp"

#include <ermine/error.hpp>

#include "gas_layers.hpp"
#include "support/isothermal.hpp"
#include "support/problems.hpp"
#include "support/same_bits.hpp"
#include "support/spectra.hpp"
#include "support/statistics.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

constexpr std::array both_densities{SpectralDensity::emission, SpectralDensity::exchange};
constexpr std::array both_precisions{Precision::single_precision, Precision::double_precision};

std::vector<Medium> gases(std::size_t cells) {
  Composition composition;
  composition[Species::h2o] = 0.3;
  return {GasMedium(k_distribution(shipped_parameters(Species::h2o), test::atmosphere, composition,
                                   test::coarse())),
          test::h2o_co2(), test::h2o_co2_fields(cells)};
}

TEST(GasIsothermal, EnclosureHasNoSourceAndNoFlux) {
  // No node of any table, so that interpolation is at work too.
  constexpr double kelvin = 777.7;
  const Grid grid(
      {Axis::uniform(3, 0, 1), Axis::stretched(3, 0, 2, 1.3), Axis::uniform(2, 0, 0.7)});
  const auto media = gases(grid.cell_count());
  for (const Wall& side : {test::wall(kelvin), test::wall(kelvin, 0.3, Reflection::diffuse),
                           test::wall(kelvin, 0.3, Reflection::specular)}) {
    // The temperature of a mirror is nobody's business, but makes the rays of an exchange.
    const Walls walls(grid,
                      {side, side, side, side, side, test::wall(400, 0.0, Reflection::specular)});
    for (const Medium& medium : media) {
      for (const RaySampler sampler : test::both_samplers) {
        for (const SpectralDensity density : both_densities) {
          for (const Precision precision : both_precisions) {
            test::expect_exactly_zero(Tracer(grid, walls, medium,
                                             {.sampler = sampler,
                                              .density = density,
                                              .rays_per_cell = 200,
                                              .rays_per_wall_face = 100,
                                              .batches = 4,
                                              .precision = precision}),
                                      kelvin);
          }
        }
      }
    }
  }
}

/// With the temperature as a node: nothing is interpolated.
KDistributionOptions at_temperature(double kelvin) {
  return {.temperature = {kelvin - 100, kelvin, kelvin + 100}};
}

Grid gas_slab(int cells, double length) {
  return Grid({Axis::uniform(cells, 0, length), Axis::uniform(1, 0, 1, Boundary::periodic),
               Axis::uniform(1, 0, 1, Boundary::periodic)});
}

/// A gas that absorbs in a part of the spectrum only, and next to nothing: walls exchange heat at
/// all wavenumbers.
TEST(GasSlab, WallsExchangeHeatOutsideTheBandsToo) {
  // Temperatures at nodes of all tables: nothing is interpolated.
  const double exact = test::sigma * (std::pow(1000.0, 4) - std::pow(300.0, 4));
  const Grid grid = gas_slab(2, 1.0);
  const Walls walls = test::plates(grid, test::wall(1000), test::wall(300));
  SpectralTable table = test::small_table();
  std::fill(table.absorption.begin(), table.absorption.end(), 0.0F);
  const std::vector<Medium> media{
      GasMedium(std::move(table)),
      GasMedium(test::atmosphere, {{Species::co, {1e-12}}}, test::coarse()),
      GasMedium(test::atmosphere, {{Species::co, {1e-12}}, {Species::co2, {1e-12}}},
                test::coarse())};
  for (const Medium& medium : media) {
    for (const Method method : test::both_methods) {
      const Result result =
          Tracer(grid, walls, medium,
                 test::with_method(method, {.rays_per_cell = 2, .rays_per_wall_face = 100000}))
              .solve(std::vector<double>(grid.cell_count(), 700.0));
      const WallFlux& hot = result.wall_flux[static_cast<std::size_t>(Face::x_low)];
      EXPECT_WITHIN_SIGMA(hot.net_flux[0], hot.standard_error[0] + 1e-6 * exact, exact, 4);
    }
  }
}

TEST(GasSlab, ColdBlackWallsSeeTheHemisphericalEmissivity) {
  constexpr double kelvin = 1500;
  constexpr double length = 0.5;
  Composition composition;
  composition[Species::h2o] = 0.2;
  composition[Species::co2] = 0.1;
  const std::array layers{cli::GasLayer{length, kelvin, composition}};
  const double exact = cli::flux_behind_layers(layers, test::atmosphere);
  const double emissivity = exact / (test::sigma * std::pow(kelvin, 4));
  EXPECT_GT(emissivity, 0.1);
  EXPECT_LT(emissivity, 0.3);
  const Grid grid = gas_slab(3, length);
  const Walls walls = test::plates(grid, test::wall(0), test::wall(0));
  const KDistributionOptions options = at_temperature(kelvin);
  const std::vector<double> x_h2o(3, 0.2), x_co2(3, 0.1);
  for (const Medium& medium :
       {Medium(test::h2o_co2(options)),
        Medium(GasMedium(test::atmosphere, {{Species::h2o, x_h2o}, {Species::co2, x_co2}},
                         options))}) {
    for (const SpectralDensity density : both_densities) {
      const Result result = Tracer(grid, walls, medium,
                                   {.sampler = RaySampler::random,
                                    .start = StartPoint::uniform,
                                    .density = density,
                                    .rays_per_cell = 50000,
                                    .rays_per_wall_face = 150000})
                                .solve(std::vector<double>(3, kelvin));
      const double flux = -(result.wall_flux[0].net_flux[0] + result.wall_flux[1].net_flux[0]) / 2;
      const double error =
          std::hypot(result.wall_flux[0].standard_error[0], result.wall_flux[1].standard_error[0]) /
          2;
      EXPECT_LT(error, 0.005 * exact);
      EXPECT_WITHIN_SIGMA(flux, error, exact, 4);
      // What the gas loses arrives at the two walls.
      EXPECT_LT(result.ledger.gas.standard_error, 0.01 * exact);
      EXPECT_WITHIN_SIGMA(result.ledger.gas.value, result.ledger.gas.standard_error, 2 * exact, 4);
    }
  }
}

/// A gas whose temperature and composition change through the slab, between walls of two kinds.
/// So few cells tell the error bars of a net badly: what needs them takes random rays.
Result layered_slab(const Options& options) {
  const Grid grid = gas_slab(5, 0.8);
  const Walls walls = test::plates(grid, test::wall(400, 0.7), test::wall(1300));
  return Tracer(grid, walls, test::h2o_co2_fields(5), options)
      .solve(std::vector<double>{600, 1000, 1400, 1800, 1100});
}

void expect_compatible(const std::vector<double>& a, const std::vector<double>& a_error,
                       const std::vector<double>& b, const std::vector<double>& b_error) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_WITHIN_SIGMA(a[i], std::hypot(a_error[i], b_error[i]), b[i], 4) << i;
  }
}

TEST(GasSlab, DensitiesAgree) {
  const auto solve = [](SpectralDensity density, std::uint64_t seed) {
    return layered_slab({.sampler = RaySampler::random,
                         .density = density,
                         .rays_per_cell = 60000,
                         .rays_per_wall_face = 60000,
                         .seed = seed});
  };
  const Result emission = solve(SpectralDensity::emission, 1);
  const Result exchange = solve(SpectralDensity::exchange, 2);
  EXPECT_LT(emission.relative_standard_error(), 0.02);
  EXPECT_LT(exchange.relative_standard_error(), 0.02);
  expect_compatible(emission.flux_divergence, emission.standard_error, exchange.flux_divergence,
                    exchange.standard_error);
  for (const std::size_t side : {0, 1}) {
    expect_compatible(emission.wall_flux[side].net_flux, emission.wall_flux[side].standard_error,
                      exchange.wall_flux[side].net_flux, exchange.wall_flux[side].standard_error);
  }
  EXPECT_EQ(emission.emission, exchange.emission);
}

TEST(GasSlab, SinglePrecisionFollowsDouble) {
  const auto solve = [](Precision precision) {
    return layered_slab(
        test::classic({.rays_per_cell = 5000, .rays_per_wall_face = 5000, .precision = precision}));
  };
  const Result single = solve(Precision::single_precision);
  const Result twice = solve(Precision::double_precision);
  // The same rays but for rounding, so much closer than their error bars.
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NE(single.flux_divergence[i], twice.flux_divergence[i]);
    EXPECT_NEAR(single.flux_divergence[i], twice.flux_divergence[i],
                0.002 * twice.standard_error[i]);
    EXPECT_NEAR(single.emission[i], twice.emission[i], 1e-5 * twice.emission[i]);
  }
  for (const std::size_t side : {0, 1}) {
    EXPECT_NEAR(single.wall_flux[side].net_flux[0], twice.wall_flux[side].net_flux[0],
                0.005 * twice.wall_flux[side].standard_error[0]);
  }
}

TEST(GasSlab, ThreadsDoNotChangeABit) {
  for (const Method method : test::both_methods) {
    const auto solve = [method](int threads) {
      return layered_slab(test::with_method(method, {.backend = Backend::cpu,
                                                     .rays_per_cell = 2000,
                                                     .rays_per_wall_face = 2000,
                                                     .threads = threads}));
    };
    const Result one = solve(1);
    for (const int threads : {2, 8}) test::expect_same_bits(one, solve(threads));
  }
}

TEST(GasSlab, CellsAndMoleFractionsMustFit) {
  const Grid grid = gas_slab(4, 1);
  const Walls walls = test::plates(grid, test::wall(500), test::wall(500));
  test::expect_error([&] { Tracer(grid, walls, test::h2o_co2_fields(5), {}); },
                     {"the composition has 5 values but the grid has 4 cells"});
  const Tracer tracer(grid, walls, test::h2o_co2_fields(4), {});
  for (const double kelvin : {0.0, 299.0, 2001.0, 9e4}) {
    test::expect_error(
        [&] {
          tracer.solve(std::vector<double>{500, 500, kelvin, 500});
        },
        {"outside the spectral data (300 to 2000 K)"});
  }
}

}  // namespace
}  // namespace ermine
