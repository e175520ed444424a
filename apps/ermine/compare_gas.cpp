#include <ermine/error.hpp>
#include <ermine/output.hpp>

#include "comparisons.hpp"
#include "core/embed.hpp"
#include "embedded.hpp"
#include "gas_slab.hpp"
#include "spectra/table_file.hpp"
#include "stored_curve.hpp"

#include <algorithm>
#include <cmath>

ERMINE_EMBED(h2o_lines, ERMINE_LINES_DIR "/h2o.h5");
ERMINE_EMBED(co2_lines, ERMINE_LINES_DIR "/co2.h5");

namespace ermine::cli {
namespace {

/// Enough for 1e-6 of max|Q|.
constexpr reference::SlabResolution resolution{128, 12};

double parabola(double x) { return 500 - 2000 * x * x + 2000 * x; }

/// A curve that is symmetric about the middle: mirror images averaged.
Profile symmetric(Profile profile) {
  const std::size_t n = profile.coordinate.size();
  for (std::size_t i = 0; 2 * i < n; ++i) {
    const std::size_t j = n - 1 - i;
    double& low = profile.flux_divergence[i];
    double& high = profile.flux_divergence[j];
    low = high = 0.5 * (low + high);
    if (i == j) continue;
    double& low_error = profile.standard_error[i];
    double& high_error = profile.standard_error[j];
    low_error = high_error = 0.5 * std::hypot(low_error, high_error);
  }
  return profile;
}

GasSlab slab_of(const Case& problem, const GasMedium& gas, double (*temperature)(double)) {
  const Walls& walls = problem.walls;
  return {gas,
          problem.grid.axis(0).faces.back(),
          temperature,
          {walls.temperature(Face::x_low, 0), walls.temperature(Face::x_high, 0)},
          {walls.emissivity(Face::x_low, 0), walls.emissivity(Face::x_high, 0)}};
}

/// Q of the slab solution over the cells, see compares_averages().
std::vector<double> over_cells(const Case& problem, const GasSlab& slab, bool averages) {
  const Axis& x = problem.grid.axis(0);
  if (averages) return solve_gas_slab_cells(slab, x.faces, resolution).flux_divergence;
  std::vector<double> centres;
  for (std::size_t i = 0; i < problem.grid.cells(0); ++i) {
    centres.push_back(problem.grid.centre(0, i));
  }
  return solve_gas_slab(slab, centres, resolution).flux_divergence;
}

/// Plane averages over y and z against the slab solution.
Comparison compare(const Case& problem, const Profile& profile, const GasMedium& gas,
                   double (*temperature)(double)) {
  return {
      profile.coordinate, profile.flux_divergence, profile.standard_error,
      over_cells(problem, slab_of(problem, gas, temperature), compares_averages(problem.options))};
}

Comparison compare_hot_slab(const Case& problem, const Result& result, double wall_flux) {
  const Profile profile = plane_average(problem.grid, problem.temperature, result, 0);
  Comparison comparison = compare(problem, symmetric(profile), std::get<GasMedium>(problem.medium),
                                  [](double) { return 1000.0; });
  Estimate heat;  // of both walls, [W]
  for (const Face face : {Face::x_low, Face::x_high}) {
    const Estimate& side = result.wall_flux[static_cast<std::size_t>(face)].heat;
    heat.value -= side.value;
    heat.standard_error = std::hypot(heat.standard_error, side.standard_error);
  }
  const double area = 2 * problem.grid.length(1) * problem.grid.length(2);
  // Kim, Menart & Lee, J. Heat Transfer 113 (1991): the walls take up what the gas loses.
  comparison.checks.push_back({"heat flux to a wall [W/m2]",
                               {heat.value / area, heat.standard_error / area},
                               wall_flux,
                               0.05});
  return comparison;
}

/// Linear between the rows (x, value) of a curve.
double interpolate(const std::vector<std::vector<double>>& rows, double x) {
  const auto above = std::upper_bound(rows.begin() + 1, rows.end() - 1, x,
                                      [](double value, const auto& row) { return value < row[0]; });
  const auto& high = *above;
  const auto& low = *(above - 1);
  return low[1] + (x - low[0]) / (high[0] - low[0]) * (high[1] - low[1]);
}

Comparison compare_with_lines(const Case& problem, const Result& result, const GasMedium* lines,
                              const std::string& stored) {
  const Profile profile = symmetric(plane_average(problem.grid, problem.temperature, result, 0));
  if (lines) return compare(problem, profile, *lines, parabola);
  const auto curve = parse_curve(stored);
  std::vector<double> reference;
  for (const double x : profile.coordinate) reference.push_back(interpolate(curve, x));
  if (compares_averages(problem.options)) {
    // Stored are values at centres. Averages differ from them by some 0.1 % of the largest Q, and
    // the k-distributions give this difference well enough.
    const GasSlab slab = slab_of(problem, std::get<GasMedium>(problem.medium), parabola);
    const auto averages = over_cells(problem, slab, true);
    const auto values = over_cells(problem, slab, false);
    for (std::size_t i = 0; i < reference.size(); ++i) reference[i] += averages[i] - values[i];
  }
  return {profile.coordinate, profile.flux_divergence, profile.standard_error, reference};
}

/// Q on the plane z = 0.5: mean of the cells beside it and of their mirror images under x <-> y.
std::vector<Estimate> middle_plane(const Grid& grid, const Result& result) {
  const std::size_t n = grid.cells(0);
  std::vector<Estimate> plane(n * n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      Estimate& mean = plane[i + n * j];
      for (const std::size_t k : {(n - 1) / 2, n / 2}) {
        for (const std::size_t cell : {i + n * (j + n * k), j + n * (i + n * k)}) {
          mean.value += result.flux_divergence[cell] / 4;
          mean.standard_error = std::hypot(mean.standard_error, result.standard_error[cell] / 4);
        }
      }
    }
  }
  return plane;
}

}  // namespace

GasMedium line_table_medium(int number) {
  return number == 11 ? GasMedium(parse_table({ermine_co2_lines_begin, ermine_co2_lines_end},
                                              "CO2 table from lines"))
                      : GasMedium(parse_table({ermine_h2o_lines_begin, ermine_h2o_lines_end},
                                              "H2O table from lines"));
}

Comparison compare_thin_hot_slab(const Case& problem, const Result& result, const ReferenceData&) {
  return compare_hot_slab(problem, result, 14130);
}

Comparison compare_thick_hot_slab(const Case& problem, const Result& result, const ReferenceData&) {
  return compare_hot_slab(problem, result, 30380);
}

Comparison compare_linear_gas(const Case& problem, const Result& result, const ReferenceData&) {
  return compare(problem, plane_average(problem.grid, problem.temperature, result, 0),
                 std::get<GasMedium>(problem.medium), [](double x) { return 295 + 10 * x; });
}

Comparison compare_parabolic_gas(const Case& problem, const Result& result, const ReferenceData&) {
  return compare(problem, symmetric(plane_average(problem.grid, problem.temperature, result, 0)),
                 std::get<GasMedium>(problem.medium), parabola);
}

Comparison compare_with_lines_10(const Case& problem, const Result& result,
                                 const ReferenceData& data) {
  return compare_with_lines(problem, result, data.lines, embedded::lines10);
}

Comparison compare_with_lines_11(const Case& problem, const Result& result,
                                 const ReferenceData& data) {
  return compare_with_lines(problem, result, data.lines, embedded::lines11);
}

Comparison compare_with_lines_12(const Case& problem, const Result& result,
                                 const ReferenceData& data) {
  const std::size_t n = problem.grid.cells(0);
  Comparison comparison;
  for (const Estimate& mean : middle_plane(problem.grid, result)) {
    comparison.computed.push_back(mean.value);
    comparison.standard_error.push_back(mean.standard_error);
  }
  for (std::size_t i = 0; i < n * n; ++i) {
    comparison.coordinate.push_back(problem.grid.centre(0, i % n));
    comparison.second_coordinate.push_back(problem.grid.centre(1, i / n));
  }
  if (data.lines) {
    // Other rays than those of the computed field, so that their errors are independent.
    Options options = problem.options;
    ++options.seed;
    const Result reference =
        Tracer(problem.grid, problem.walls, *data.lines, options).solve(problem.temperature);
    for (const Estimate& mean : middle_plane(problem.grid, reference)) {
      comparison.reference.push_back(mean.value);
      comparison.reference_error.push_back(mean.standard_error);
    }
    return comparison;
  }
  const auto curve = parse_curve(embedded::lines12);
  if (curve.size() != n * n || problem.grid.cells(1) != n || problem.grid.cells(2) != n) {
    throw Error("the reference of case 12 is for 32 cells along each axis, leave grid cells alone");
  }
  for (const auto& row : curve) {
    comparison.reference.push_back(row[2]);
    comparison.reference_error.push_back(row[3]);
  }
  return comparison;
}

}  // namespace ermine::cli
