#include <ermine/output.hpp>
#include <ermine/planck.hpp>

#include "comparisons.hpp"
#include "core/constants.hpp"
#include "gas_slab.hpp"
#include "reference/scattering_slab.hpp"

#include <cmath>
#include <numbers>

namespace ermine::cli {
namespace {

double blackbody(double temperature) {
  return constants::stefan_boltzmann * std::pow(temperature, 4) / std::numbers::pi;
}

reference::Slab slab_of(const Case& problem) {
  const Walls& walls = problem.walls;
  return {0.0,
          problem.grid.axis(0).faces.back(),
          {walls.emissivity(Face::x_low, 0), walls.emissivity(Face::x_high, 0)}};
}

/// Plane averages over y and z, and walls, against a slab.
Comparison compare(const Case& problem, const Result& result,
                   const reference::SlabSolution& exact) {
  const Profile profile = plane_average(problem.grid, problem.temperature, result, 0);
  Comparison comparison{profile.coordinate, profile.flux_divergence, profile.standard_error,
                        exact.flux_divergence};
  const double area = problem.grid.length(1) * problem.grid.length(2);
  for (const Face face : {Face::x_low, Face::x_high}) {
    const auto side = static_cast<std::size_t>(face);
    const Estimate& heat = result.wall_flux[side].heat;
    comparison.checks.push_back({face == Face::x_low ? "net flux of the low wall [W/m2]"
                                                     : "net flux of the high wall [W/m2]",
                                 {heat.value / area, heat.standard_error / area},
                                 exact.wall_flux[side],
                                 0.005});
  }
  return comparison;
}

}  // namespace

Comparison compare_mist_slab(const Case& problem, const Result& result, const ReferenceData&) {
  const auto cloud = [](double x) { return std::exp(-std::pow((x - 0.6) / 0.2, 2)); };
  const auto temperature = [](double x) {
    return 600 + 900 * std::pow(std::sin(std::numbers::pi * x), 2);
  };
  const reference::SlabPoint point{[=](double x) { return 0.6 + 0.5 * cloud(x); },
                                   [=](double x) { return blackbody(temperature(x)); },
                                   {blackbody(500), blackbody(900)}};
  return compare(problem, result,
                 reference::solve_scattering_slab(slab_of(problem), {&point, 1},
                                                  {[=](double x) { return 6 * cloud(x); }, 0.8},
                                                  problem.grid.axis(0).faces));
}

Comparison compare_ash_steam(const Case& problem, const Result& result, const ReferenceData&) {
  constexpr double of_ash = 0.4, scattering = 1.2, asymmetry = 0.3;
  const auto temperature = [](double x) { return 700 + 800 * x; };
  const GasMedium steam(101325.0, {{Species::h2o, {0.3}}});
  const GasSlab gas{
      steam, problem.grid.axis(0).faces.back(), temperature, {600.0, 1500.0}, {0.8, 1.0}};
  return compare(
      problem, result,
      solve_scattering_gas_slab(gas, of_ash, {[=](double) { return scattering; }, asymmetry},
                                problem.grid.axis(0).faces));
}

Comparison compare_scattering_square(const Case& problem, const Result& result,
                                     const ReferenceData&) {
  Comparison comparison;
  comparison.abscissa = "depth [m]";
  comparison.ordinate = "source function over that of the wall";
  comparison.reference = {0.6198, 0.5108, 0.3919, 0.2500, 0.1584, 0.1171, 0.0885};
  const double unit = 4 * std::get<GreyMedium>(problem.medium).absorption_coefficient(0) *
                      constants::stefan_boltzmann * std::pow(1000.0, 4);
  for (std::size_t i = 0; i < comparison.reference.size(); ++i) {
    comparison.coordinate.push_back(problem.grid.centre(1, i));
    comparison.computed.push_back(-result.flux_divergence[i] / unit);
    comparison.standard_error.push_back(result.standard_error[i] / unit);
    comparison.checks.push_back({fmt::format("source at depth {:.5f}", problem.grid.centre(1, i)),
                                 {comparison.computed.back(), comparison.standard_error.back()},
                                 comparison.reference[i],
                                 0.0006 / comparison.reference[i]});
  }
  comparison.scale = 1.0;
  comparison.scale_name = "the source of the wall";
  return comparison;
}

}  // namespace ermine::cli
