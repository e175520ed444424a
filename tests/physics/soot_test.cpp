// Soot, alone and among gases. The truth interpolates nothing: soot absorbs at each wavenumber as
// its law says, gases have all combinations of their points at the temperature of every layer.

#include <ermine/planck.hpp>
#include <ermine/soot.hpp>

#include "medium/gas_of_scene.hpp"
#include "medium/gas_storage.hpp"
#include "medium/point_table_storage.hpp"
#include "reference/exponential_integral.hpp"
#include "support/gas.hpp"
#include "support/levels.hpp"
#include "support/problems.hpp"
#include "support/same_bits.hpp"
#include "support/slab_march.hpp"
#include "support/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

constexpr double ppm = 1e-6;
constexpr int most_of_soot = static_cast<int>(most_components);
constexpr double cold_wall = 500;
constexpr double hottest_layer = 1900;

/// Layers of gas, of equal thickness, between black walls.
struct SootyLayers {
  std::vector<GasMedium::MoleFraction> fractions;
  std::vector<double> soot;  ///< volume fraction, one or one per layer
  double length;             ///< [m], of all

  std::vector<double> kelvin{600, 1000, 1500, 1900, 1700, 1200, 900, 700};

  std::size_t count() const { return kelvin.size(); }
  static double of(const std::vector<double>& field, std::size_t layer) {
    return field[field.size() == 1 ? 0 : layer];
  }
  Composition composition(std::size_t layer) const {
    Composition composition;
    for (const auto& fraction : fractions) {
      composition[fraction.species] = of(fraction.values, layer);
    }
    return composition;
  }
  static KDistributionOptions options() {
    return {.band_width_cm1 = 100, .quadrature = Quadrature::skewed(6)};
  }
  GasMedium medium() const {
    if (fractions.empty()) return GasMedium(Soot{soot});
    return GasMedium(test::atmosphere, fractions, options(), Soot{soot});
  }
  PointDensity density() const {
    return {cold_wall, hottest_layer, length / 5, cold_wall, cold_wall};
  }
};

class SlabSum {
 public:
  explicit SlabSum(const SootyLayers& layers) : layers_(layers) {
    sum.flux_divergence.resize(layers.count());
  }

  /// A part of the spectrum with this k [1/m] and intensity in each layer.
  void add(const std::vector<double>& absorption, const std::vector<double>& intensity,
           double of_wall) {
    const double width = layers_.length / static_cast<double>(layers_.count());
    const auto found = test::march_slab({.width = std::vector<double>(layers_.count(), width),
                                         .absorption = absorption,
                                         .intensity = intensity,
                                         .wall_intensity = {of_wall, of_wall}});
    for (std::size_t i = 0; i < layers_.count(); ++i) {
      sum.flux_divergence[i] += found.flux_divergence[i];
    }
    for (const std::size_t w : {0, 1}) sum.wall_flux[w] += found.wall_flux[w];
  }

  test::SlabMarch sum{};

 private:
  const SootyLayers& layers_;
};

/// Soot at every 25 1/cm, and all combinations of the points of gases.
test::SlabMarch truth(const SootyLayers& layers) {
  std::vector<std::vector<SpectralTable>> gases;  // one table for each layer
  for (const auto& fraction : layers.fractions) {
    std::vector<SpectralTable>& tables = gases.emplace_back();
    for (std::size_t i = 0; i < layers.count(); ++i) {
      KDistributionOptions options = layers.options();
      options.temperature = {layers.kelvin[i], layers.kelvin[i] + 1};
      tables.push_back(k_distribution(shipped_parameters(fraction.species), test::atmosphere,
                                      layers.composition(i), options));
    }
  }
  SlabSum slab(layers);
  constexpr double step = 25.0;  // edges of gases' bands are among these
  for (double edge = -12.5; edge < 40000.0; edge += step) {
    const double low = std::max(edge, 0.0);
    const double middle = (low + edge + step) / 2;
    const Band here{low, edge + step};
    std::vector<double> intensity, soot;
    for (std::size_t i = 0; i < layers.count(); ++i) {
      intensity.push_back(planck_intensity(here, layers.kelvin[i]));
      soot.push_back(7.0 * SootyLayers::of(layers.soot, i) * 100 * middle);
    }
    const auto combine = [&](auto&& self, std::size_t gas, const std::vector<double>& k,
                             double weight) -> void {
      if (gas == gases.size()) {
        std::vector<double> weighted;
        for (const double one : intensity) weighted.push_back(weight * one);
        return slab.add(k, weighted, weight * planck_intensity(here, cold_wall));
      }
      const std::vector<SpectralTable>& tables = gases[gas];
      const auto& own = tables.front().bands;
      const auto found = std::find_if(own.begin(), own.end(), [&](const Band& band) {
        return middle > band.low_cm1 && middle < band.high_cm1;
      });
      if (found == own.end()) return self(self, gas + 1, k, weight);
      const auto band = static_cast<std::size_t>(found - own.begin());
      for (std::size_t g = 0; g < tables.front().quadrature.size(); ++g) {
        std::vector<double> more = k;
        for (std::size_t i = 0; i < layers.count(); ++i) {
          more[i] += static_cast<double>(tables[i].row(band, g)[0]);
        }
        self(self, gas + 1, more, weight * tables.front().quadrature.weight[g]);
      }
    };
    combine(combine, 0, soot, 1.0);
  }
  return slab.sum;
}

/// As rays of the fast march see a gas that is the same everywhere.
test::SlabMarch from_one_list(const SootyLayers& layers) {
  const auto rows = point_rows(layers.medium(), layers.density());
  const PointTableStorage<float> table(*rows);
  const std::size_t points = rows->absorption.size() / rows->temperature.size();
  SlabSum slab(layers);
  for (std::size_t s = 0; s < points; ++s) {
    const PointId point{static_cast<int>(s)};
    const auto at = [&](double kelvin) {
      return table.view().at(point, CellId{0}, static_cast<float>(table.wall_coordinate(kelvin)));
    };
    std::vector<double> absorption, intensity;
    for (const double kelvin : layers.kelvin) {
      absorption.push_back(static_cast<double>(at(kelvin).absorption));
      intensity.push_back(static_cast<double>(at(kelvin).intensity));
    }
    slab.add(absorption, intensity, static_cast<double>(at(cold_wall).intensity));
  }
  return slab.sum;
}

/// As they see a gas that is looked up component by component, without faint rows, in short codes.
test::SlabMarch from_components(const SootyLayers& layers) {
  const Levels levels = test::row_of_cells(layers.count());
  const auto shared = std::make_shared<const SceneGas<float, most_of_soot>>(
      short_gas_of_scene(layers.medium(), layers.density(), 2), levels, layers.density());
  EXPECT_TRUE(shared->packed());
  const GasStorage<float, most_of_soot> storage(shared, levels, layers.kelvin);
  const std::size_t points = storage.strengths(layers.density()).size();
  const auto gas = storage.view();
  SlabSum slab(layers);
  for (std::size_t s = 0; s < points; ++s) {
    const PointId point{static_cast<int>(s)};
    std::vector<double> absorption, intensity;
    for (std::size_t i = 0; i < layers.count(); ++i) {
      const auto coordinate = static_cast<float>(storage.coordinate(layers.kelvin[i]));
      const auto state = gas.at(point, CellId{static_cast<int>(i)}, coordinate);
      absorption.push_back(static_cast<double>(state.absorption));
      intensity.push_back(static_cast<double>(state.intensity));
    }
    const auto wall = static_cast<float>(storage.wall_coordinate(cold_wall));
    slab.add(absorption, intensity, static_cast<double>(gas.blackbody(point, wall)));
  }
  return slab.sum;
}

double largest(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

void expect_close(const test::SlabMarch& found, const test::SlabMarch& exact, double tolerance) {
  const double most = largest(exact.flux_divergence);
  for (std::size_t i = 0; i < exact.flux_divergence.size(); ++i) {
    EXPECT_NEAR(found.flux_divergence[i], exact.flux_divergence[i], tolerance * most)
        << "layer " << i;
  }
  for (const std::size_t w : {0, 1}) {
    EXPECT_NEAR(found.wall_flux[w] / exact.wall_flux[w], 1, tolerance) << "wall " << w;
  }
}

const std::vector<double> soot_of_layers{0, 0.2 * ppm, 1 * ppm, 0.1 * ppm, 0, 2 * ppm, 1 * ppm, 0};

TEST(SootSlab, OfOneTemperatureHasTheExactFlux) {
  constexpr double kelvin = 1600;
  constexpr double length = 0.5;
  const double soot = ppm;
  double exact = 0.0;
  for (double low = 0; low < 50000; low += 10) {
    const double depth = 7.0 * soot * 100 * (low + 5) * length;
    exact += std::numbers::pi * planck_intensity({low, low + 10}, kelvin) *
             (1 - 2 * reference::exponential_integral(3, depth));
  }
  EXPECT_GT(exact, 0.2 * test::sigma * std::pow(kelvin, 4));
  const Grid grid({Axis::uniform(4, 0, length), Axis::uniform(1, 0, 1, Boundary::periodic),
                   Axis::uniform(1, 0, 1, Boundary::periodic)});
  const Walls walls = test::plates(grid, test::wall(0), test::wall(0));
  for (const GasMedium& medium :
       {GasMedium(Soot{{soot}}), GasMedium(Soot{{soot, soot, soot, soot}})}) {
    const Result result = Tracer(grid, walls, medium,
                                 {.sampler = RaySampler::random,
                                  .rays_per_cell = 2,
                                  .rays_per_wall_face = 150000,
                                  .threads = 1})
                              .solve(std::vector<double>(4, kelvin));
    for (const std::size_t side : {0, 1}) {
      const WallFlux& wall = result.wall_flux[side];
      EXPECT_LT(wall.standard_error[0], 0.005 * exact);
      EXPECT_WITHIN_SIGMA(-wall.net_flux[0], wall.standard_error[0], exact, 4);
    }
  }
}

TEST(SootSlab, AloneIsThatOfEveryWavenumber) {
  for (const double length : {0.02, 0.5, 5.0}) {
    SCOPED_TRACE(length);
    expect_close(from_one_list({{}, {ppm}, length}), truth({{}, {ppm}, length}), 0.001);
    const SootyLayers layers{{}, soot_of_layers, length};
    expect_close(from_components(layers), truth(layers), 0.001);
  }
}

TEST(SootSlab, AmongGasesIsTheirProduct) {
  for (const double length : {0.1, 2.0}) {
    SCOPED_TRACE(length);
    const SootyLayers layers{{{Species::h2o, {0.15}}, {Species::co2, {0.1}}}, {0.3 * ppm}, length};
    expect_close(from_one_list(layers), truth(layers), 0.001);
  }
}

TEST(SootSlab, DiffersFromLayerToLayerAmongGases) {
  const std::vector<double> h2o{0.02, 0.05, 0.12, 0.2, 0.18, 0.1, 0.05, 0.02};
  const std::vector<double> co2{0.01, 0.02, 0.1, 0.1, 0.0, 0.05, 0.03, 0.01};
  for (const double length : {0.1, 2.0}) {
    SCOPED_TRACE(length);
    const SootyLayers layers{{{Species::h2o, h2o}, {Species::co2, co2}}, soot_of_layers, length};
    expect_close(from_components(layers), truth(layers), 0.001);
    const SootyLayers same_gas{
        {{Species::h2o, {0.15}}, {Species::co2, {0.1}}}, soot_of_layers, length};
    expect_close(from_components(same_gas), truth(same_gas), 0.001);
  }
}

/// Rays of any kind.
TEST(SootSlab, IsWhatRaysFind) {
  const SootyLayers layers{{{Species::h2o, {0.15}}, {Species::co2, {0.1}}}, soot_of_layers, 1.0};
  const GasMedium medium = layers.medium();
  const auto exact = truth(layers);
  const double most = largest(exact.flux_divergence);
  const Grid grid({Axis::uniform(8, 0, 1.0), Axis::uniform(1, 0, 1, Boundary::periodic),
                   Axis::uniform(1, 0, 1, Boundary::periodic)});
  const Walls walls = test::plates(grid, test::wall(cold_wall), test::wall(cold_wall));
  const Options few{.start = StartPoint::point,
                    .mesh_correction = false,
                    .rays_per_cell = 8000,
                    .rays_per_wall_face = 8000,
                    .threads = 1};
  for (const RaySampler sampler : test::both_samplers) {
    for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
      Options options = few;
      options.sampler = sampler;
      options.precision = precision;
      const Result result = Tracer(grid, walls, medium, options).solve(layers.kelvin);
      for (std::size_t i = 0; i < layers.count(); ++i) {
        EXPECT_LT(result.standard_error[i], 0.03 * most);
        EXPECT_WITHIN_SIGMA(result.flux_divergence[i],
                            std::hypot(result.standard_error[i], 0.002 * most),
                            exact.flux_divergence[i], 4)
            << "layer " << i;
      }
    }
  }
}

Result sooty_box(int threads, Method method) {
  const Grid grid = test::box_grid(6);
  std::vector<double> soot;
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    soot.push_back(ppm * static_cast<double>(i * i % 7));
  }
  const GasMedium gas(test::atmosphere, {{Species::h2o, {0.2}}, {Species::co2, {0.1}}},
                      test::coarse(), Soot{soot});
  const auto temperature = test::evaluate(
      grid, [](std::array<double, 3> at) { return 500 + 900 * at[0] * at[1] + 100 * at[2]; });
  return Tracer(grid, test::six_walls(grid), gas,
                test::with_method(method, {.backend = Backend::cpu,
                                           .rays_per_cell = 64,
                                           .rays_per_wall_face = 64,
                                           .threads = threads}))
      .solve(temperature);
}

TEST(Soot, ThreadsDoNotChangeABit) {
  for (const Method method : test::both_methods) {
    const Result one = sooty_box(1, method);
    EXPECT_GT(largest(one.flux_divergence), 0.0);
    for (const int threads : {2, 5}) test::expect_same_bits(one, sooty_box(threads, method));
  }
}

}  // namespace
}  // namespace ermine
