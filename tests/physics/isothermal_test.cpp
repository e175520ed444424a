#include "support/isothermal.hpp"

#include "support/net_problems.hpp"
#include "support/problems.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ermine {
namespace {

struct Enclosure {
  std::string name;
  double emissivity;
  Reflection reflection;
};

class Isothermal : public testing::TestWithParam<Enclosure> {};

Options few_rays(Method method, Precision precision) {
  return test::with_method(
      method,
      {.rays_per_cell = 40, .rays_per_wall_face = 40, .batches = 4, .precision = precision});
}

// A temperature that is no node of the list, so that interpolation is at work too.
constexpr double off_node = 777.7;

TEST_P(Isothermal, EnclosureHasNoSourceAndNoFlux) {
  const Grid grid(
      {Axis::uniform(4, 0, 1), Axis::stretched(5, 0, 2, 1.3), Axis::uniform(3, 0, 0.7)});
  const Walls walls =
      test::enclosure(grid, test::wall(off_node, GetParam().emissivity, GetParam().reflection));
  for (const Method method : test::both_methods) {
    for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
      const Options options = few_rays(method, precision);
      test::expect_exactly_zero(Tracer(grid, walls, GreyMedium(0.8), options), off_node);
      test::expect_exactly_zero(Tracer(grid, walls, test::three_points(), options), off_node);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Walls, Isothermal,
                         testing::Values(Enclosure{"black", 1.0, Reflection::diffuse},
                                         Enclosure{"grey_diffuse", 0.3, Reflection::diffuse},
                                         Enclosure{"grey_specular", 0.3, Reflection::specular},
                                         Enclosure{"white", 0.0, Reflection::diffuse},
                                         Enclosure{"mirror", 0.0, Reflection::specular}),
                         [](const auto& param) { return param.param.name; });

TEST(IsothermalMixed, WallsOfAllKindsAndPeriodicAxes) {
  const auto side = [](double emissivity, Reflection reflection) {
    return test::wall(off_node, emissivity, reflection);
  };
  const std::array<Wall, 6> sides{side(1.0, Reflection::diffuse), side(0.2, Reflection::specular),
                                  side(0.7, Reflection::diffuse), side(0.0, Reflection::specular),
                                  side(0.0, Reflection::diffuse), side(0.5, Reflection::specular)};
  const auto axis = [](int cells, bool periodic) {
    return Axis::uniform(cells, 0, 1, periodic ? Boundary::periodic : Boundary::walled);
  };
  for (int mask = 0; mask < 8; ++mask) {
    const Grid grid({axis(4, mask & 1), axis(3, mask & 2), axis(5, mask & 4)});
    const Walls walls(grid, sides);
    for (const Method method : test::both_methods) {
      const Options options = few_rays(method, Precision::double_precision);
      test::expect_exactly_zero(Tracer(grid, walls, GreyMedium(1.3), options), off_node);
    }
  }
}

TEST(IsothermalNet, EnclosureHasNoSourceAndNoFlux) {
  const Grid grid(
      {Axis::uniform(9, 0, 1), Axis::stretched(5, 0, 2, 1.3), Axis::uniform(6, 0, 0.7)});
  for (const double emissivity : {1.0, 0.3}) {
    const Walls walls = test::enclosure(grid, test::wall(off_node, emissivity));
    for (const Medium& medium :
         {Medium(GreyMedium(0.8)), Medium(test::three_points()), Medium(test::h2o_co2())}) {
      for (const Termination termination : {Termination::cutoff, Termination::roulette}) {
        Options options = test::net(32);
        options.rays_per_wall_face = 32;
        options.termination = termination;
        options.density = SpectralDensity::emission;  // there is nothing to exchange
        test::expect_exactly_zero(Tracer(grid, walls, medium, options), off_node);
      }
    }
  }
}

/// Of a field of composition that exchanges nothing no point is worth a ray.
TEST(IsothermalNet, FieldsOfCompositionHaveNoSourceAndNoFlux) {
  const Grid grid = test::box_grid(5);
  const Walls walls = test::enclosure(grid, test::wall(off_node, 0.5));
  const std::vector<double> everywhere(grid.cell_count(), off_node);
  const Result result =
      Tracer(grid, walls, test::h2o_co2_fields(grid.cell_count()), {}).solve(everywhere);
  EXPECT_GT(result.rays.traced, 0);
  for (const double q : result.flux_divergence) EXPECT_EQ(q, 0.0);
  for (const WallFlux& wall : result.wall_flux) {
    for (const double q : wall.net_flux) EXPECT_EQ(q, 0.0);
  }
  EXPECT_EQ(result.ledger.total.standard_error, 0.0);
}

TEST(IsothermalSoot, HasNoSourceAndNoFlux) {
  const Grid grid = test::box_grid(5);
  std::vector<double> field;
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    field.push_back(1e-6 * static_cast<double>(i % 4));
  }
  const std::vector<double> h2o(grid.cell_count(), 0.2);
  const std::vector<GasMedium> media{
      GasMedium(Soot{{1e-6}}), GasMedium(Soot{field}),
      GasMedium(test::atmosphere, {{Species::h2o, {0.2}}}, test::coarse(), Soot{{1e-6}}),
      GasMedium(test::atmosphere, {{Species::h2o, h2o}, {Species::co2, {0.1}}}, test::coarse(),
                Soot{field})};
  for (const double emissivity : {1.0, 0.4}) {
    const Walls walls = test::enclosure(grid, test::wall(off_node, emissivity));
    for (const GasMedium& medium : media) {
      for (const Method method : test::both_methods) {
        for (const Precision precision :
             {Precision::single_precision, Precision::double_precision}) {
          Options options = few_rays(method, precision);
          options.density = SpectralDensity::emission;  // there is nothing to exchange
          test::expect_exactly_zero(Tracer(grid, walls, medium, options), off_node);
        }
      }
    }
  }
}

}  // namespace
}  // namespace ermine
