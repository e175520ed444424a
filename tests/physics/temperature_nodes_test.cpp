// Small contrasts of temperature. Rays see k and I linear between the nodes of a scene, found from
// a table whose temperatures are 1 % apart; the truth interpolates nothing: narrow-band parameters
// and Planck's function at the temperature of every cell.

#include <ermine/planck.hpp>

#include "medium/gas_of_scene.hpp"
#include "medium/gas_storage.hpp"
#include "medium/point_table_storage.hpp"
#include "spectra/default_temperatures.hpp"
#include "support/levels.hpp"
#include "support/problems.hpp"
#include "support/slab_march.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

using Fractions = std::vector<GasMedium::MoleFraction>;
const Fractions carbon_dioxide{{Species::co2, {1.0}}};
const Fractions mixture{{Species::h2o, {0.2}}, {Species::co2, {0.1}}};

GasMedium gas_at(const Fractions& fractions, std::vector<double> kelvin) {
  return GasMedium(101325, fractions,
                   {.band_width_cm1 = 200.0,
                    .quadrature = Quadrature::skewed(fractions.size() == 1 ? 8 : 3),
                    .temperature = std::move(kelvin)});
}

/// 1 % apart, as those that ermine makes.
std::vector<double> table_nodes() { return default_temperatures(250, 400); }

/// Temperature of the table closest to 300 K.
double middle_node() {
  const auto nodes = table_nodes();
  return *std::min_element(nodes.begin(), nodes.end(), [](double a, double b) {
    return std::abs(a - 300) < std::abs(b - 300);
  });
}

/// A layer of 1 m whose temperature rises from wall to wall, by `rise` about a node of the table.
struct Layer {
  static constexpr int cells = 96;
  double rise;

  double low() const { return middle_node() - rise / 2; }
  /// Of the low wall, of the cells and of the high wall [K].
  std::vector<double> temperatures() const {
    std::vector<double> kelvin{low()};
    for (int i = 0; i < cells; ++i) kelvin.push_back(low() + rise * (i + 0.5) / cells);
    kelvin.push_back(low() + rise);
    return kelvin;
  }
  PointDensity density() const { return {low(), low() + rise, 0.0}; }
};

struct Solution {
  test::SlabMarch march;
  std::vector<double> emission = std::vector<double>(Layer::cells);

  /// A spectral point: state(i) at temperature number i.
  template <class State>
  void add(const State& state) {
    test::SlabCells slab;
    slab.wall_intensity = {state(0).intensity, state(Layer::cells + 1).intensity};
    for (std::size_t i = 0; i < Layer::cells; ++i) {
      const GasState<double> at = state(i + 1);
      slab.width.push_back(1.0 / Layer::cells);
      slab.absorption.push_back(at.absorption);
      slab.intensity.push_back(at.intensity);
      emission[i] += 4 * std::numbers::pi * at.absorption * at.intensity;
    }
    const test::SlabMarch point = march_slab(slab);
    march.flux_divergence.resize(Layer::cells);
    for (std::size_t i = 0; i < Layer::cells; ++i) {
      march.flux_divergence[i] += point.flux_divergence[i];
    }
    for (const std::size_t w : {0, 1}) march.wall_flux[w] += point.wall_flux[w];
  }
};

/// Calls visit(point, weight) for all points of the bands, then for what lies outside them.
template <class Visit>
void each_point(const GasMedium& gas, const Visit& visit) {
  const auto points = static_cast<int>(gas.weights().size());
  for (int band = 0; band < static_cast<int>(gas.bands().size()); ++band) {
    const auto choices = [&](std::size_t c) {
      const bool absorbs = c < gas.component_count() &&
                           gas.component(c).first_row[static_cast<std::size_t>(band)] >= 0;
      return absorbs ? points : 1;
    };
    for (int g = 0; g < choices(0) * choices(1); ++g) {
      const std::array at{g % choices(0), g / choices(0)};
      GasPoint<2> point{band, {-1, -1}};
      double weight = 1.0;
      for (std::size_t c = 0; c < gas.component_count(); ++c) {
        const int first = gas.component(c).first_row[static_cast<std::size_t>(band)];
        if (first < 0) continue;
        point.row[c] = first + at[c];
        weight *= gas.weights()[static_cast<std::size_t>(at[c])];
      }
      visit(point, weight);
    }
  }
  visit(GasPoint<2>{static_cast<int>(gas.bands().size()), {-1, -1}}, 1.0);
}

/// Of a band, or of all that lies outside the bands.
double exact_intensity(const std::vector<Band>& bands, std::size_t part, double kelvin) {
  if (part < bands.size()) return planck_intensity(bands[part], kelvin);
  double rest = test::intensity(kelvin);
  for (const Band& band : bands) rest -= planck_intensity(band, kelvin);
  return rest;
}

Solution truth(const Fractions& fractions, const Layer& layer) {
  const auto kelvin = layer.temperatures();
  const GasMedium gas = gas_at(fractions, kelvin);
  Solution solution;
  each_point(gas, [&](const GasPoint<2>& point, double weight) {
    solution.add([&](std::size_t i) {
      double k = 0.0;
      for (std::size_t c = 0; c < gas.component_count(); ++c) {
        if (point.row[c] < 0) continue;
        const auto row = static_cast<std::size_t>(point.row[c]) * kelvin.size();
        k += gas.component(c).amount[0] * static_cast<double>(gas.component(c).rows[row + i]);
      }
      const auto part = static_cast<std::size_t>(point.band);
      return GasState<double>{k, weight * exact_intensity(gas.bands(), part, kelvin[i])};
    });
  });
  return solution;
}

/// As rays look up a single gas.
template <class Real>
Solution from_point_table(const Fractions& fractions, const Layer& layer) {
  const auto kelvin = layer.temperatures();
  const auto rows = point_rows(gas_at(fractions, table_nodes()), layer.density());
  const PointTableStorage<Real> table(*rows);
  const auto nodes = rows->temperature.size();
  Solution solution;
  for (std::size_t s = 0; s < rows->absorption.size() / nodes; ++s) {
    const PointId point{static_cast<int>(s)};
    solution.add([&](std::size_t i) {
      const auto at =
          table.view().at(point, CellId{0}, static_cast<Real>(table.coordinate(kelvin[i])));
      return GasState<double>{at.absorption, at.intensity};
    });
  }
  for (std::size_t i = 0; i < Layer::cells; ++i) {
    solution.emission[i] = table.emission(CellId{0}, table.coordinate(kelvin[i + 1]));
  }
  return solution;
}

/// As rays look up a mixture.
Solution from_gas(const Fractions& fractions, const Layer& layer) {
  const auto kelvin = layer.temperatures();
  const GasMedium gas = gas_of_scene(gas_at(fractions, table_nodes()), layer.density(), 1);
  const GasStorage<float, 2> storage(gas, test::row_of_cells(), std::vector{kelvin[0]});
  Solution solution;
  each_point(gas, [&](const GasPoint<2>& point, double weight) {
    solution.add([&](std::size_t i) {
      const auto at =
          storage.view().at(point, CellId{0}, static_cast<float>(storage.coordinate(kelvin[i])));
      return GasState<double>{at.absorption, weight * static_cast<double>(at.intensity)};
    });
  });
  for (std::size_t i = 0; i < Layer::cells; ++i) {
    solution.emission[i] = storage.emission(CellId{0}, storage.coordinate(kelvin[i + 1]));
  }
  return solution;
}

void expect_same(const Solution& found, const Solution& truth) {
  double largest_q = 0.0, largest_flux = 0.0;
  for (const double q : truth.march.flux_divergence) largest_q = std::max(largest_q, std::abs(q));
  for (const double q : truth.march.wall_flux) largest_flux = std::max(largest_flux, std::abs(q));
  double squares = 0.0, worst = 0.0;
  for (std::size_t i = 0; i < Layer::cells; ++i) {
    const double error =
        (found.march.flux_divergence[i] - truth.march.flux_divergence[i]) / largest_q;
    worst = std::max(worst, std::abs(error));
    squares += error * error / Layer::cells;
    EXPECT_NEAR(found.emission[i] / truth.emission[i], 1, 2e-5);
  }
  // On the table's own nodes: 1 %, 0.25 %.
  EXPECT_LT(worst, 1e-3);
  EXPECT_LT(std::sqrt(squares), 5e-4);
  for (const std::size_t w : {0, 1}) {
    EXPECT_NEAR(found.march.wall_flux[w], truth.march.wall_flux[w], 1e-3 * largest_flux);
  }
}

TEST(TemperatureNodes, LeaveNoRipplesInSmallContrasts) {
  for (const double rise : {4.0, 10.0, 40.0}) {
    SCOPED_TRACE(rise);
    const Layer layer{rise};
    expect_same(from_point_table<float>(carbon_dioxide, layer), truth(carbon_dioxide, layer));
  }
}

TEST(TemperatureNodes, LeaveNoRipplesInAFractionOfAKelvin) {
  const Layer layer{0.1};
  expect_same(from_point_table<double>(carbon_dioxide, layer), truth(carbon_dioxide, layer));
}

TEST(TemperatureNodes, LeaveNoRipplesInMixtures) {
  const Layer layer{4.0};
  expect_same(from_gas(mixture, layer), truth(mixture, layer));
}

}  // namespace
}  // namespace ermine
