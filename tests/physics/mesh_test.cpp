#include <ermine/mesh_error.hpp>
#include <ermine/output.hpp>

#include "reference/slab.hpp"
#include "support/field_march.hpp"
#include "support/problems.hpp"
#include "support/slab_march.hpp"
#include "support/statistics.hpp"
#include "transport/accuracy/error_norm.hpp"
#include "transport/mesh/mesh_correction.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

/// Cells that grow by a ratio from both walls to the middle.
Axis growing(int cells, double ratio) {
  std::vector<double> faces{0.0};
  for (int i = 0; i < cells; ++i) {
    faces.push_back(faces.back() + std::pow(ratio, std::min(i, cells - 1 - i)));
  }
  const double end = faces.back();
  for (double& face : faces) face /= end;
  return {faces, Boundary::walled};
}

Grid slab_of(const Axis& axis) {
  const Axis one = Axis::uniform(1, 0, 1, Boundary::periodic);
  return Grid({axis, one, one});
}

using Profile1d = double (*)(double);

double wave(double x) { return 700 + 150 * std::cos(2 * std::numbers::pi * x); }
double tilted_wave(double x) { return 700 + 100 * std::sin(2 * std::numbers::pi * x); }

/// A grey slab three ways, each without noise.
struct GreySlab {
  Grid grid;
  std::vector<double> plain;      ///< rays through cells
  std::vector<double> corrected;  ///< the same and the correction
  std::vector<double> exact;      ///< averages over cells
  std::vector<double> exact_at_centres;
  std::array<double, 2> plain_flux, corrected_flux, exact_flux;

  GreySlab(double absorption, const Axis& axis, Profile1d temperature, const Wall& wall,
           StartPoint start = StartPoint::point, bool correction = true)
      : grid(slab_of(axis)) {
    const auto field =
        test::evaluate(grid, [&](std::array<double, 3> at) { return temperature(at[0]); });
    const double of_wall = test::intensity(wall.temperature[0]);
    test::SlabCells cells;
    for (std::size_t i = 0; i < grid.cells(0); ++i) {
      cells.width.push_back(grid.width(0, i));
      cells.absorption.push_back(absorption);
      cells.intensity.push_back(test::intensity(field[i]));
    }
    cells.wall_intensity = {of_wall, of_wall};
    cells.emissivity = {wall.emissivity[0], wall.emissivity[0]};
    cells.reflection = wall.reflection;
    const test::SlabMarch march = march_slab(cells, start);
    plain = march.flux_divergence;
    plain_flux = march.wall_flux;

    const Tracer tracer(grid, test::plates(grid, wall, wall), GreyMedium(absorption),
                        {.start = start, .mesh_correction = correction});
    const CorrectionField added = mesh_correction(tracer, field);
    corrected = plain;
    for (std::size_t i = 0; i < added.flux_divergence.size(); ++i) {
      corrected[i] += added.flux_divergence[i];
    }
    for (const std::size_t side : {0, 1}) {
      if (added.wall_flux[side].empty()) continue;
      corrected_flux[side] = plain_flux[side] + added.wall_flux[side][0];
    }

    const reference::SlabPoint point{[=](double) { return absorption; },
                                     [=](double x) { return test::intensity(temperature(x)); },
                                     {of_wall, of_wall}};
    const reference::Slab walls{0, 1, cells.emissivity};
    const reference::SlabResolution fine{1024, 24};
    std::vector<double> centres;
    for (std::size_t i = 0; i < grid.cells(0); ++i) centres.push_back(grid.centre(i)[0]);
    exact_at_centres = solve_slab(walls, {&point, 1}, centres, fine).flux_divergence;
    const auto solution = solve_slab_cells(walls, {&point, 1}, grid.axis(0).faces, fine);
    exact = solution.flux_divergence;
    exact_flux = solution.wall_flux;
  }

  /// Largest error of the cells `margin` or farther from walls, over their largest |Q|.
  double error(const std::vector<double>& q, std::size_t margin) const {
    double largest = 0.0;
    double scale = 0.0;
    for (std::size_t i = margin; i + margin < q.size(); ++i) {
      largest = std::max(largest, std::abs(q[i] - exact[i]));
      scale = std::max(scale, std::abs(exact[i]));
    }
    return largest / scale;
  }
};

TEST(MeshCorrection, ThickGreySlabsDiffuseAsTheyShould) {
  double worst = 0.0;
  for (const double absorption : {100.0, 400.0}) {
    for (const int cells : {32, 64}) {
      for (const double ratio : {1.0, 1.05}) {
        for (const auto start : {StartPoint::point, StartPoint::uniform}) {
          SCOPED_TRACE(testing::Message()
                       << absorption << " " << cells << " " << ratio << " " << name_of(start));
          const GreySlab slab(absorption, growing(cells, ratio), wave, test::wall(850), start);
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
double heat_of(const GreySlab& slab, const std::vector<double>& q) {
  double sum = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) sum += q[i] * slab.grid.width(0, i);
  return sum;
}

TEST(MeshCorrection, StretchedCellsInventNoHeat) {
  const GreySlab slab(400, growing(64, 1.05), wave, test::wall(850));
  const double exact = heat_of(slab, slab.exact_at_centres);
  EXPECT_GT(std::abs(heat_of(slab, slab.plain) - exact), 600);
  EXPECT_LT(std::abs(heat_of(slab, slab.corrected) - exact), 0.2);
}

TEST(MeshCorrection, OfAveragesConservesEnergy) {
  const GreySlab slab(400, growing(64, 1.05), wave, test::wall(850), StartPoint::uniform);
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
  const GreySlab slab(100, growing(64, 1.0), tilted_wave, test::wall(700, emissivity, reflection));
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
    return GreySlab(100, growing(64, 1.0), wave, test::wall(kelvin, 0, Reflection::specular));
  };
  EXPECT_EQ(of_mirror(850).corrected, of_mirror(300).corrected);
  // At the crest of a wave it is a plane of symmetry; the exact slab has diffuse walls.
  const GreySlab slab = of_mirror(300);
  EXPECT_GT(slab.error(slab.plain, 0), 0.04);
  EXPECT_LT(slab.error(slab.corrected, 0), 0.01);
}

TEST(MeshCorrection, DoesNotTakeAJumpAtAWallForAGradient) {
  // Gas of 700 K and more beside walls of 300 K: the wall cell is left as it is, but for its
  // neighbour's share.
  const GreySlab slab(100, growing(64, 1.0), tilted_wave, test::wall(300));
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
  const Grid grid(
      {growing(12, 1.1), Axis::uniform(10, 0, 0.5), Axis::uniform(8, 0, 1, Boundary::periodic)});
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
  const Grid grid({growing(32, 1.05), Axis::uniform(4, 0, 1, Boundary::periodic),
                   Axis::uniform(4, 0, 1, Boundary::periodic)});
  const auto field = test::evaluate(grid, [](std::array<double, 3> at) { return wave(at[0]); });
  const Walls walls = test::plates(grid, test::wall(850), test::wall(850));
  Options options{.rays_per_cell = 4096, .rays_per_wall_face = 512};
  const Result corrected = Tracer(grid, walls, GreyMedium(100), options).solve(field);
  const Profile profile = plane_average(grid, field, corrected, 0);
  const GreySlab exact(100, growing(32, 1.05), wave, test::wall(850));
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

TEST(MeshError, IsEstimatedOnCoarserMeshes) {
  for (const bool correction : {false, true}) {
    for (const double absorption : {5.0, 15.0}) {
      SCOPED_TRACE(testing::Message() << correction << " " << absorption);
      const GreySlab slab(absorption, growing(64, 1.0), wave, test::wall(850), StartPoint::point,
                          correction);
      double squares = 0.0;
      for (std::size_t i = 0; i < slab.corrected.size(); ++i) {
        squares += std::pow(slab.corrected[i] - slab.exact_at_centres[i], 2);
      }
      const double error = std::sqrt(squares / static_cast<double>(slab.corrected.size()));
      const Grid grid = test::slab_grid(64, 4);
      const auto field = test::evaluate(grid, [](std::array<double, 3> at) { return wave(at[0]); });
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
        test::evaluate(grid, [](std::array<double, 3> at) { return tilted_wave(at[0]); });
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
