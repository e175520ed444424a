#include <ermine/output.hpp>

#include "reference/slab.hpp"
#include "support/field_march.hpp"
#include "support/grey_slab.hpp"
#include "support/problems.hpp"
#include "support/statistics.hpp"
#include "transport/accuracy/error_norm.hpp"
#include "transport/mesh/mesh_correction.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

TEST(MeshCorrection, ThickGreySlabsDiffuseAsTheyShould) {
  double worst = 0.0;
  for (const double absorption : {100.0, 400.0}) {
    for (const int cells : {32, 64}) {
      for (const double ratio : {1.0, 1.05}) {
        for (const auto start : {StartPoint::point, StartPoint::uniform}) {
          SCOPED_TRACE(testing::Message()
                       << absorption << " " << cells << " " << ratio << " " << name_of(start));
          const test::GreySlab slab(absorption, test::growing(cells, ratio), test::wave,
                                    test::wall(850), start);
          const auto margin = static_cast<std::size_t>(cells / 16);
          EXPECT_GT(slab.error(slab.plain, margin), 0.03);
          // In the middle, where cells begin to shrink, faces lie off the middle between centres
          // by a quarter of what two widths differ, on either side of a cell.
          const double kink = start == StartPoint::uniform ? (ratio - 1) / 4 : 0;
          EXPECT_LT(slab.error(slab.corrected, margin), std::max(0.01, kink));
          worst = std::max(worst, slab.error(slab.plain, margin));
        }
      }
    }
  }
  EXPECT_GT(worst, 0.5);  // what there was to correct
}

/// Heat that all cells lose, as an energy balance sees it [W/m2].
double heat_of(const test::GreySlab& slab, const std::vector<double>& q) {
  double sum = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) sum += q[i] * slab.grid.width(0, i);
  return sum;
}

TEST(MeshCorrection, StretchedCellsInventNoHeat) {
  const test::GreySlab slab(400, test::growing(64, 1.05), test::wave, test::wall(850));
  const double exact = heat_of(slab, slab.exact_at_centres);
  EXPECT_GT(std::abs(heat_of(slab, slab.plain) - exact), 600);
  EXPECT_LT(std::abs(heat_of(slab, slab.corrected) - exact), 0.2);
}

TEST(MeshCorrection, OfAveragesConservesEnergy) {
  const test::GreySlab slab(400, test::growing(64, 1.05), test::wave, test::wall(850),
                            StartPoint::uniform);
  const double walls = slab.corrected_flux[0] + slab.corrected_flux[1];
  double turned_over = 0.0;
  for (std::size_t i = 0; i < slab.corrected.size(); ++i) {
    turned_over += std::abs(slab.corrected[i]) * slab.grid.width(0, i);
  }
  EXPECT_NEAR(heat_of(slab, slab.corrected), -walls, 1e-6 * turned_over);
}

class MeshCorrectionAtWalls : public testing::TestWithParam<std::tuple<double, Reflection>> {};

TEST_P(MeshCorrectionAtWalls, OfAnyEmissivity) {
  const auto [emissivity, reflection] = GetParam();
  const test::GreySlab slab(100, test::growing(64, 1.0), test::tilted_wave,
                            test::wall(700, emissivity, reflection));
  const double largest = test::largest_magnitude(slab.exact);
  EXPECT_GT(std::abs(slab.plain[0] - slab.exact[0]), 0.07 * largest);
  // The exact slab has diffuse walls: mirrors differ from them.
  EXPECT_LT(std::abs(slab.corrected[0] - slab.exact[0]),
            (reflection == Reflection::diffuse ? 0.002 : 0.015) * largest);
  // The next cell still sees the wall, which the correction does not know of.
  EXPECT_LT(slab.error(slab.corrected, 0), 0.025);
  for (const std::size_t side : {0, 1}) {
    EXPECT_NEAR(slab.corrected_flux[side], slab.exact_flux[side],
                0.005 * std::abs(slab.exact_flux[side]));
    EXPECT_GT(std::abs(slab.plain_flux[side] / slab.exact_flux[side]), 1.4);
  }
}

INSTANTIATE_TEST_SUITE_P(Walls, MeshCorrectionAtWalls,
                         testing::Combine(testing::Values(1.0, 0.7, 0.3, 0.05),
                                          testing::Values(Reflection::diffuse,
                                                          Reflection::specular)));

TEST(MeshCorrection, DoesNotAskAMirrorForItsTemperature) {
  const auto of_mirror = [](double kelvin) {
    return test::GreySlab(100, test::growing(64, 1.0), test::wave,
                          test::wall(kelvin, 0, Reflection::specular));
  };
  EXPECT_EQ(of_mirror(850).corrected, of_mirror(300).corrected);
  // At the crest of a wave it is a plane of symmetry; the exact slab has diffuse walls.
  const test::GreySlab slab = of_mirror(300);
  EXPECT_GT(slab.error(slab.plain, 0), 0.04);
  EXPECT_LT(slab.error(slab.corrected, 0), 0.01);
}

TEST(MeshCorrection, DoesNotTakeAJumpAtAWallForAGradient) {
  // Gas of 700 K and more beside walls of 300 K: the wall cell is left as it is, but for its
  // neighbour's share.
  const test::GreySlab slab(100, test::growing(64, 1.0), test::tilted_wave, test::wall(300));
  EXPECT_LT(std::abs(slab.corrected[0] - slab.plain[0]), 0.05 * std::abs(slab.exact[0]));
}

/// Every eighth band of water vapour, at temperatures 1 K apart so that interpolation between them
/// is no part of the error.
SpectralList some_water() {
  KDistributionOptions options;
  const TemperatureNodes nodes{490, 1, 521};
  for (std::size_t t = 0; t < nodes.count; ++t) options.temperature.push_back(490.0 + double(t));
  const GasMedium gas(101325, {{Species::h2o, {1.0}}}, options);
  const GasComponent& water = gas.component(0);
  const std::size_t points = gas.weights().size();
  std::vector<double> absorption;
  std::vector<double> intensity;
  for (std::size_t band = 0; band < water.band.size(); band += 8) {
    const auto planck = gas.blackbody_intensity(static_cast<std::size_t>(water.band[band]))
                            .subspan(gas.first_gas_node() * gas.intensity_steps());
    for (std::size_t g = 0; g < points; ++g) {
      for (std::size_t t = 0; t < nodes.count; ++t) {
        absorption.push_back(
            water.amount[0] *
            static_cast<double>(water.rows[(band * points + g) * nodes.count + t]));
        intensity.push_back(gas.weights()[g] * planck[t * gas.intensity_steps()]);
      }
    }
  }
  return SpectralList(nodes, absorption, intensity);
}

/// Root mean square errors against values at centres, of rays and with the correction. Cells along
/// walls, whose correction is that of their averages, are left out.
std::array<double, 2> errors_of_water(const SpectralList& water, int cells) {
  const Grid grid = test::slab_grid(cells);
  const auto field = test::parabola_field(grid);
  const auto at = [&](std::span<const double> row, double kelvin) {
    const double position = kelvin - water.nodes().first;
    const auto node = std::min(static_cast<std::size_t>(position), row.size() - 2);
    return row[node] + (position - double(node)) * (row[node + 1] - row[node]);
  };
  std::vector<double> plain(field.size());
  std::vector<reference::SlabPoint> points;
  for (std::size_t s = 0; s < water.point_count(); ++s) {
    const auto k = [&at, row = water.absorption_coefficient(s)](double t) { return at(row, t); };
    const auto intensity = [&at, row = water.blackbody_intensity(s)](double t) {
      return at(row, t);
    };
    test::SlabCells slab;
    for (std::size_t i = 0; i < field.size(); ++i) {
      slab.width.push_back(grid.width(0, i));
      slab.absorption.push_back(k(field[i]));
      slab.intensity.push_back(intensity(field[i]));
    }
    slab.wall_intensity = {intensity(500), intensity(500)};
    const auto march = march_slab(slab);
    for (std::size_t i = 0; i < field.size(); ++i) plain[i] += march.flux_divergence[i];
    points.push_back({[=](double x) { return k(test::parabola(x)); },
                      [=](double x) { return intensity(test::parabola(x)); },
                      {intensity(500), intensity(500)}});
  }
  std::vector<double> centres;
  for (std::size_t i = 0; i < field.size(); ++i) centres.push_back(grid.centre(i)[0]);
  const auto exact = reference::solve_slab({0, 1, {1, 1}}, points, centres, {128, 16});
  const Tracer tracer(grid, test::plates(grid, test::wall(500), test::wall(500)), water,
                      {.start = StartPoint::point});
  const CorrectionField correction = mesh_correction(tracer, field);
  std::array<double, 2> squares{};
  const std::size_t margin = field.size() / 16;
  for (std::size_t i = margin; i < field.size() - margin; ++i) {
    const double error = plain[i] - exact.flux_divergence[i];
    squares[0] += error * error;
    squares[1] += std::pow(error + correction.flux_divergence[i], 2);
  }
  const double largest = test::largest_magnitude(exact.flux_divergence);
  const auto count = double(field.size() - 2 * margin);
  for (double& square : squares) square = std::sqrt(square / count) / largest;
  return squares;
}

TEST(MeshCorrection, WaterVapourNeedsAQuarterOfTheCells) {
  const SpectralList water = some_water();
  const auto [plain32, corrected32] = errors_of_water(water, 32);
  const auto [plain64, corrected64] = errors_of_water(water, 64);
  EXPECT_GT(plain32, 10 * corrected32);
  EXPECT_GT(plain64, 10 * corrected64);
  EXPECT_LT(corrected32, plain64);
}

/// Three points of gas, thin to thick for cells of 1/24 m.
SpectralList thin_to_thick() {
  const std::array<double, 3> strength{2, 20, 100};
  std::vector<double> absorption;
  std::vector<double> blackbody;
  for (const double k : strength) {
    for (int t = 0; t <= 2000; ++t) {
      absorption.push_back(k * (1.5 - t / 2000.0));
      blackbody.push_back(test::intensity(t) / k);
    }
  }
  return SpectralList({0, 1, 2001}, absorption, blackbody);
}

TEST(MeshCorrection, HalvesErrorsInACube) {
  const Grid grid = test::box_grid(24);
  const auto kelvin = [](const std::array<double, 3>& at) {
    return 900 + 60 * std::sin(11 * at[0] + 5 * at[1] + 1) * std::cos(9 * at[2]) +
           80 * std::cos(13 * at[1] - 4 * at[2]);
  };
  const auto field = test::evaluate(grid, kelvin);
  const Walls walls = test::enclosure(grid, test::wall(900));
  const SpectralList gas = thin_to_thick();
  const Tracer tracer(grid, walls, gas, {.start = StartPoint::point});
  const auto point = mesh_correction(tracer, field).flux_divergence;
  const test::FieldMarch march(tracer, point_rows(gas), kelvin, 1500);
  double plain_point = 0, corrected_point = 0;
  for (const std::size_t cell : {5984u, 4404u, 8248u, 9514u, 7166u, 5598u}) {
    const double found = march.of_cells(cell, field);
    const double at_centre = march.of_field(grid.centre(cell));
    plain_point += std::pow(found - at_centre, 2);
    corrected_point += std::pow(found + point[cell] - at_centre, 2);
  }
  EXPECT_GT(std::sqrt(plain_point), 2 * std::sqrt(corrected_point));
}

/// Corrections of a medium in a box with walls of all kinds, by the wave of its temperature.
CorrectionField of_box(const Medium& medium, StartPoint start) {
  const Grid grid({test::growing(12, 1.1), Axis::uniform(10, 0, 0.5),
                   Axis::uniform(8, 0, 1, Boundary::periodic)});
  const auto field = test::evaluate(grid, [](std::array<double, 3> at) {
    return 900 + 150 * std::sin(5 * at[0]) * std::cos(9 * at[1] + 6.28318 * at[2]);
  });
  return mesh_correction(Tracer(grid, test::six_walls(grid), medium, {.start = start}), field);
}

/// Root mean square of the difference over that of `a`.
double difference(const CorrectionField& a, const CorrectionField& b) {
  double squares = 0.0;
  double differences = 0.0;
  for (std::size_t i = 0; i < a.flux_divergence.size(); ++i) {
    squares += std::pow(a.flux_divergence[i], 2);
    differences += std::pow(a.flux_divergence[i] - b.flux_divergence[i], 2);
  }
  EXPECT_GT(squares, 0);
  return std::sqrt(differences / squares);
}

TEST(MeshCorrection, TablesSumUpWhatPointsHave) {
  // A grey gas as such, cell by cell, and as a list of one point, by tables over temperature.
  std::vector<double> absorption;
  std::vector<double> blackbody;
  for (int t = 0; t <= 200; ++t) {
    absorption.push_back(30);
    blackbody.push_back(test::intensity(10.0 * t));
  }
  const SpectralList list({0, 10, 201}, absorption, blackbody);
  for (const auto start : {StartPoint::point, StartPoint::uniform}) {
    const auto direct = of_box(GreyMedium(30), start);
    const auto tabulated = of_box(list, start);
    EXPECT_LT(difference(direct, tabulated), 0.01);
    for (const std::size_t side : {0, 1, 2, 3}) {
      const double scale = test::largest_magnitude(direct.wall_flux[side]);
      for (std::size_t i = 0; i < direct.wall_flux[side].size(); ++i) {
        EXPECT_NEAR(direct.wall_flux[side][i], tabulated.wall_flux[side][i], 0.02 * scale);
      }
    }
  }
}

TEST(MeshCorrection, MixturesAndFieldsOfCompositionAgreeWithASingleGas) {
  const GasMedium water(101325, {{Species::h2o, {0.3}}});
  // With a trace of another gas, spectral points are drawn and not counted.
  const GasMedium mixture(101325, {{Species::h2o, {0.3}}, {Species::co2, {1e-9}}});
  const GasMedium field(101325, {{Species::h2o, std::vector<double>(960, 0.3)}});
  for (const auto start : {StartPoint::point, StartPoint::uniform}) {
    const auto expected = of_box(water, start);
    EXPECT_LT(difference(expected, of_box(mixture, start)), 0.02);
    EXPECT_LT(difference(expected, of_box(field, start)), 0.15);
  }
}

TEST(MeshCorrection, SolutionsHaveIt) {
  // The slab of the first test, by rays.
  const Grid grid({test::growing(32, 1.05), Axis::uniform(4, 0, 1, Boundary::periodic),
                   Axis::uniform(4, 0, 1, Boundary::periodic)});
  const auto field =
      test::evaluate(grid, [](std::array<double, 3> at) { return test::wave(at[0]); });
  const Walls walls = test::plates(grid, test::wall(850), test::wall(850));
  Options options{.rays_per_cell = 4096, .rays_per_wall_face = 512};
  const Result corrected = Tracer(grid, walls, GreyMedium(100), options).solve(field);
  const Profile profile = plane_average(grid, field, corrected, 0);
  const test::GreySlab exact(100, test::growing(32, 1.05), test::wave, test::wall(850));
  const double scale = test::largest_magnitude(exact.exact);
  for (std::size_t i = 2; i + 2 < 32; ++i) {
    EXPECT_NEAR(profile.flux_divergence[i], exact.exact[i],
                0.005 * scale + 4 * profile.standard_error[i]);
  }
  for (std::size_t i = 0; i < field.size(); ++i) {
    EXPECT_NEAR(corrected.emission[i] - corrected.absorption[i], corrected.flux_divergence[i],
                1e-9 * corrected.emission[i]);
  }
  // Energy: what the gas gains comes from the walls. Without it the gas is out by 1100 W.
  const Ledger& ledger = corrected.ledger;
  EXPECT_LT(std::abs(ledger.total.value), 20 + 4 * ledger.total.standard_error);
  options.mesh_correction = false;
  const Ledger plain = Tracer(grid, walls, GreyMedium(100), options).solve(field).ledger;
  EXPECT_GT(std::abs(plain.total.value), 1000);
}

TEST(MeshCorrection, IsTheSameForAnyNumberOfThreads) {
  const Grid grid = test::box_grid(20);
  const auto field = test::evaluate(grid, [](std::array<double, 3> at) {
    return 900 + 150 * std::sin(5 * at[0]) * std::cos(9 * at[1] + 3 * at[2]);
  });
  const auto with_threads = [&](int threads) {
    return mesh_correction(
        Tracer(grid, test::six_walls(grid), test::three_points(), {.threads = threads}), field);
  };
  const auto one = with_threads(1);
  const auto three = with_threads(3);
  EXPECT_EQ(one.flux_divergence, three.flux_divergence);
  EXPECT_EQ(one.wall_flux, three.wall_flux);
}

TEST(MeshCorrection, StructuresOfAWaveHaveItsWavenumber) {
  const Axis axis = Axis::uniform(32, 0, 1, Boundary::periodic);
  const Grid grid({axis, axis, Axis::uniform(2, 0, 1, Boundary::periodic)});
  const auto field = test::evaluate(grid, [](std::array<double, 3> at) {
    return std::cos(2 * std::numbers::pi * (2 * at[0] + at[1]));
  });
  // Along either axis it is the length of the wave, whatever its direction.
  for (const std::size_t a : {0, 1}) {
    EXPECT_NEAR(structure_wavenumber(grid, field, a, 1), 2 * std::numbers::pi * std::sqrt(5.0),
                0.2);
  }
  EXPECT_EQ(structure_wavenumber(grid, field, 2, 1), 0.0);
}

}  // namespace
}  // namespace ermine
