#include <ermine/error.hpp>

#include "comparisons.hpp"
#include "core/constants.hpp"
#include "files/input_file.hpp"
#include "gas_layers.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

namespace ermine::cli {
namespace {

constexpr double layers_pressure = 101325;  // [Pa]

/// The first layer and one of any length behind it.
using LayersFor = std::function<std::array<GasLayer, 2>(double length)>;

/// Layers of the case file, the second as long as asked for; without it the first in two halves.
Case with_second_layer(const Case& problem, double length) {
  Case changed = problem;
  const bool one = !(length > 0);
  const double first = problem.grid.axis(0).faces[1];
  const Axis x{one ? std::vector<double>{0, first / 2, first}
                   : std::vector<double>{0, first, first + length},
               Boundary::walled};
  changed.grid = Grid({x, problem.grid.axis(1), problem.grid.axis(2)});
  changed.walls = Walls(changed.grid, problem.walls.sides());
  if (one) {
    changed.temperature[1] = changed.temperature[0];
    changed.medium =
        std::get<GasMedium>(problem.medium).on_cells(2, [](std::span<const double> values) {
          return std::vector<double>(2, values[0]);
        });
  }
  return changed;
}

/// Rows "length flux" of a published curve, the flux over sigma T^4; none where there is no file.
PublishedCurve read_published(const std::string& folder, const std::string& name,
                              std::size_t points) {
  PublishedCurve curve{"published line by line", {}, {}};
  if (folder.empty()) return curve;
  const std::filesystem::path file = std::filesystem::path(folder) / name;
  if (std::filesystem::exists(file)) require_regular(file);  // one that is missing has no points
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    double length = 0.0, flux = 0.0;
    if (!(words >> length >> flux)) continue;
    curve.x.push_back(length);
    curve.y.push_back(flux);
  }
  if (curve.x.size() != points) {
    throw Error(
        fmt::format("{} points of a curve in {}, which has {}; give another folder with "
                    "--published",
                    curve.x.size(), file.string(), points));
  }
  return curve;
}

/// How far the published curve is from the exact layers, over its largest value.
double largest_difference(const PublishedCurve& curve,
                          const std::function<double(double)>& exact_flux) {
  double difference = 0.0;
  double largest = 0.0;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    difference = std::max(difference, std::abs(exact_flux(curve.x[i]) - curve.y[i]));
    largest = std::max(largest, curve.y[i]);
  }
  return difference / largest;
}

Comparison compare_layers(const Case& problem, const LayersFor& layers_for,
                          PublishedCurve published, double published_bound) {
  const double black = constants::stefan_boltzmann * std::pow(layers_for(0)[0].temperature, 4);
  const auto exact_flux = [&](double length) {
    return flux_behind_layers(layers_for(length), layers_pressure) / black;
  };
  Comparison comparison;
  comparison.abscissa = "length L of the second layer [m]";
  comparison.ordinate = "heat flux behind it / sigma T^4";
  for (const double length : {0.0, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0}) {
    const Case one = with_second_layer(problem, length);
    const Result result = one.tracer().solve(one.temperature);
    const WallFlux& wall = result.wall_flux[static_cast<std::size_t>(Face::x_high)];
    if (wall.net_flux.empty()) throw Error("the layers need wall rays");
    comparison.seconds += result.seconds.total();
    comparison.coordinate.push_back(length);
    comparison.computed.push_back(-wall.heat.value / black);
    comparison.standard_error.push_back(wall.heat.standard_error / black);
    comparison.reference.push_back(exact_flux(length));
  }
  if (!published.x.empty()) {
    comparison.checks.push_back({"published curve, largest difference of the reference from it",
                                 {largest_difference(published, exact_flux), 0.0},
                                 0.0,
                                 published_bound});
  }
  comparison.published = std::move(published);
  return comparison;
}

}  // namespace

// Bounds: the curves were read from a figure to about 1 %, and k-distributions cannot follow a hot
// layer behind a cold one exactly, since hot and cold lines are not correlated
// (docs/decisions/0006-mixtures.md).
Comparison compare_layers_s1(const Case& problem, const Result&, const ReferenceData& data) {
  Composition gas;
  gas[Species::h2o] = 0.2;
  gas[Species::co2] = 0.1;
  const LayersFor layers = [gas](double length) {
    return std::array{GasLayer{0.5, 2000, gas}, GasLayer{length, 300, gas}};
  };
  return compare_layers(problem, layers, read_published(data.published, "ex_S1_LBL.dat", 8), 0.06);
}

Comparison compare_layers_s2(const Case& problem, const Result&, const ReferenceData& data) {
  const LayersFor layers = [](double length) {
    Composition rich, lean;
    rich[Species::co2] = 0.4;
    lean[Species::co2] = 0.1;
    return std::array{GasLayer{0.5, 1000, rich}, GasLayer{length, 1000, lean}};
  };
  return compare_layers(problem, layers, read_published(data.published, "ex_S2_LBL.dat", 9), 0.02);
}

}  // namespace ermine::cli
