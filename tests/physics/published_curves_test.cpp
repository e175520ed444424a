// Line-by-line curves of V. P. Solovjov, F. Andre, D. Lemonnier & B. W. Webb, JQSRT 197 (2017),
// digitised (about 1 % reading error). Checks, not fits: narrow-band k-distributions cannot follow
// a hot layer behind a cold one exactly, since hot and cold lines are not correlated.

#include <ermine/tracer.hpp>

#include "core/constants.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

namespace ermine {
namespace {

struct CurvePoint {
  double length;  ///< of the second layer [m]
  double flux;    ///< leaving through its wall, over sigma T^4 of the hot layer
};

std::vector<CurvePoint> read_curve(const std::string& name) {
  const char* folder = std::getenv("ERMINE_REFERENCE_CURVES");
  std::ifstream in(std::string(folder) + "/" + name);
  std::vector<CurvePoint> points;
  for (std::string line; std::getline(in, line);) {
    CurvePoint point{};
    std::istringstream words(line);
    if (words >> point.length >> point.flux) points.push_back(point);
  }
  return points;
}

/// Two homogeneous layers between cold black walls: two cells are exact.
struct Layers {
  double length;  ///< of the second layer [m]; the first has 0.5 m
  std::vector<double> temperature;
  std::vector<GasMedium::MoleFraction> mole_fractions;
};

double flux_behind(const Layers& layers) {
  const bool one = !(layers.length > 0);
  const Axis x{
      one ? std::vector<double>{0, 0.25, 0.5} : std::vector<double>{0, 0.5, 0.5 + layers.length},
      Boundary::walled};
  const Grid grid(
      {x, Axis::uniform(1, 0, 1, Boundary::periodic), Axis::uniform(1, 0, 1, Boundary::periodic)});
  std::array<Wall, 6> sides;
  for (Wall& side : sides) side.temperature = {0.0};
  std::vector<double> temperature = layers.temperature;
  std::vector<GasMedium::MoleFraction> fractions = layers.mole_fractions;
  if (one) {
    temperature[1] = temperature[0];
    for (auto& fraction : fractions) fraction.values.resize(1);
  }
  Options options;
  options.rays_per_cell = 2;
  options.rays_per_wall_face = 400000;
  const Tracer tracer(grid, Walls(grid, sides), GasMedium(101325, fractions), options);
  const Result result = tracer.solve(temperature);
  const WallFlux& wall = result.wall_flux[static_cast<std::size_t>(Face::x_high)];
  const double black = constants::stefan_boltzmann * std::pow(layers.temperature[0], 4);
  EXPECT_LT(wall.standard_error[0], 0.005 * black * 0.15);
  return -wall.net_flux[0] / black;
}

/// Largest difference over the largest value of the curve.
template <class LayersFor>
double largest_difference(const std::vector<CurvePoint>& curve, LayersFor&& layers_for) {
  double difference = 0.0;
  double largest = 0.0;
  for (const CurvePoint& point : curve) {
    difference = std::max(difference, std::abs(flux_behind(layers_for(point.length)) - point.flux));
    largest = std::max(largest, point.flux);
  }
  return difference / largest;
}

#define REQUIRE_CURVES()                       \
  if (!std::getenv("ERMINE_REFERENCE_CURVES")) \
  GTEST_SKIP() << "set ERMINE_REFERENCE_CURVES to the folder with ex_S1_LBL.dat and ex_S2_LBL.dat"

TEST(PublishedCurves, HotLayerBehindAColdOne) {
  REQUIRE_CURVES();
  const auto curve = read_curve("ex_S1_LBL.dat");
  ASSERT_EQ(curve.size(), 8u);
  const double difference = largest_difference(curve, [](double length) {
    return Layers{length, {2000, 300}, {{Species::h2o, {0.2}}, {Species::co2, {0.1}}}};
  });
  RecordProperty("largest_difference", std::to_string(difference));
  EXPECT_LT(difference, 0.06);
}

TEST(PublishedCurves, LayersOfDifferentComposition) {
  REQUIRE_CURVES();
  const auto curve = read_curve("ex_S2_LBL.dat");
  ASSERT_EQ(curve.size(), 9u);
  const double difference = largest_difference(curve, [](double length) {
    return Layers{length, {1000, 1000}, {{Species::co2, {0.4, 0.1}}}};
  });
  RecordProperty("largest_difference", std::to_string(difference));
  EXPECT_LT(difference, 0.02);
}

}  // namespace
}  // namespace ermine
