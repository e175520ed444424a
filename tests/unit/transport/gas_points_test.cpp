#include "medium/gas_points.hpp"

#include "medium/gas_storage.hpp"
#include "support/gas.hpp"
#include "support/levels.hpp"
#include "support/statistics.hpp"
#include "transport/draw/point_distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace ermine {
namespace {

constexpr int gas_draws = 100000;
constexpr int most = 4;

/// What a sampler is made of; one temperature for all cells.
struct Gas {
  Gas(const GasMedium& gas, const PointDensity& density, RayOrigin origin, RaySampler sampler,
      std::size_t cells = 1)
      : medium(gas),
        storage(medium, test::row_of_cells(cells), std::vector<double>(cells, density.hottest)),
        strengths(storage.strengths(density)),
        points(strengths, origin, sampler) {}

  GasMedium medium;
  GasStorage<double, most> storage;
  std::vector<PointStrength> strengths;
  PointDistribution<double> points;
};

constexpr std::array both_samplers{RaySampler::random, RaySampler::sorted};
constexpr std::array both_origins{RayOrigin::gas, RayOrigin::wall};

std::vector<PointId> draw_points(const PointSampler<double>& sample, int count = gas_draws) {
  OrderedUniforms ordered(static_cast<std::uint32_t>(count));
  std::vector<PointId> points;
  for (int i = 0; i < count; ++i) {
    RayStream stream({23, 0, 0, static_cast<std::uint32_t>(i)});
    points.push_back(sample(stream.next(), ordered));
  }
  return points;
}

/// Every combination of the rows of the species in each band, with the product of their weights.
void for_each_combination(const GasMedium& medium,
                          const std::function<void(const GasPoint<most>&, double)>& visit) {
  for (std::size_t b = 0; b < medium.part_count(); ++b) {
    const std::function<void(GasPoint<most>, std::size_t, double)> choose =
        [&](GasPoint<most> point, std::size_t c, double weight) {
          if (c == medium.component_count()) return visit(point, weight);
          const int first = medium.component(c).first_row[b];
          point.row[c] = -1;
          if (first < 0) return choose(point, c + 1, weight);
          for (std::size_t g = 0; g < medium.weights().size(); ++g) {
            point.row[c] = first + static_cast<int>(g);
            choose(point, c + 1, weight * medium.weights()[g]);
          }
        };
    choose({static_cast<int>(b), {}}, 0, 1.0);
  }
}

/// What a ray of the gas finds, k I, and one of a wall, I, each times something that is different
/// at every point.
double score(const GasState<double>& state, RayOrigin origin) {
  const double strength = origin == RayOrigin::gas ? state.absorption : 1.0;
  return strength * state.intensity * std::exp(-0.3 * state.absorption);
}

/// The average of weight x score over draws must be the sum over all combinations of rows.
void expect_unbiased(const Gas& gas, RayOrigin origin, CellId cell, double kelvin) {
  const auto view = gas.storage.view();
  const double coordinate = gas.storage.coordinate(kelvin);
  double exact = 0.0;
  for_each_combination(gas.medium, [&](const GasPoint<most>& point, double weight) {
    exact += weight * score(view.at(point, cell, coordinate), origin);
  });
  double sum = 0.0, squares = 0.0;
  const auto sample = gas.points.view();
  for (const PointId point : draw_points(sample)) {
    // Weights are within what the listed point emits: shares of its band.
    const double value = sample.weight(point) * score(view.at(point, cell, coordinate), origin);
    sum += value / gas_draws;
    squares += value * value / gas_draws;
  }
  const double error = std::sqrt((squares - sum * sum) / gas_draws);
  EXPECT_GT(exact, 0.0);
  EXPECT_LT(error, 0.02 * exact);
  EXPECT_WITHIN_SIGMA(sum, error + 1e-12 * exact, exact, 4);
}

constexpr PointDensity emission{400, 1500, 0.0};
constexpr PointDensity exchange{400, 1500, 0.2, 400, 1500};  // walls of both temperatures

TEST(GasPoints, AreInOrderOfAbsorptionAndFillTheirBands) {
  const GasMedium gas = test::h2o_co2_fields(3);
  const auto points = gas_points(gas, 2);
  std::vector<double> weight(gas.part_count());
  for (const GasListPoint& point : points) {
    weight[static_cast<std::size_t>(point.part)] += point.joint.weight;
  }
  for (const double sum : weight) EXPECT_NEAR(sum, 1.0, 1e-12);
  // Largest amounts, at the middle of the temperatures.
  const auto absorption = [&](const GasListPoint& point) {
    const std::size_t nodes = gas.temperature().size() - gas.first_gas_node();
    double sum = 0.0;
    for (std::size_t c = 0; c < gas.component_count(); ++c) {
      if (point.joint.row[c] < 0) continue;
      const GasComponent& component = gas.component(c);
      const std::size_t layers = component.broadening.size();
      float largest = 0;
      for (std::size_t layer = 0; layer < layers; ++layer) {
        const auto row = static_cast<std::size_t>(point.joint.row[c]) * layers + layer;
        largest = std::max(largest, component.rows[row * nodes + nodes / 2]);
      }
      sum += *std::max_element(component.amount.begin(), component.amount.end()) *
             static_cast<double>(largest);
    }
    return sum;
  };
  for (std::size_t i = 1; i < points.size(); ++i) {
    EXPECT_LE(absorption(points[i - 1]), absorption(points[i]));
  }
}

TEST(GasPoints, OfOneSpeciesFollowEmission) {
  const Gas gas(GasMedium(test::small_table()), {300, 1000, 0.0}, RayOrigin::gas,
                RaySampler::random);
  const double hot = gas.storage.coordinate(1000);
  const int count = static_cast<int>(gas.strengths.size());
  ASSERT_EQ(count, 5);  // the last of them lies outside the bands
  double sum = 0.0;
  for (int i = 0; i < count; ++i) {
    const auto state = gas.storage.view().at(PointId{i}, CellId{0}, hot);
    sum += state.absorption * state.intensity;
  }
  for (int i = 0; i < count; ++i) {
    const auto state = gas.storage.view().at(PointId{i}, CellId{0}, hot);
    if (!(state.absorption > 0)) continue;
    EXPECT_NEAR(gas.points.view().weight(PointId{i}) * state.absorption * state.intensity / sum,
                1.0, 1e-6);
  }
}

TEST(GasPoints, WeightsMakeSumsOverAllCombinations) {
  const GasMedium mixture = test::h2o_co2();
  const GasMedium mixture_fields = test::h2o_co2_fields(3);
  for (const RayOrigin origin : both_origins) {
    for (const PointDensity& density : {emission, exchange}) {
      for (const RaySampler sampler : both_samplers) {
        const Gas table(GasMedium(test::small_table()), {300, 900, density.length, 300, 900},
                        origin, sampler);
        expect_unbiased(table, origin, CellId{0}, 700);
        const Gas uniform(mixture, density, origin, sampler);
        expect_unbiased(uniform, origin, CellId{0}, 1100);
        const Gas fields(mixture_fields, density, origin, sampler, 3);
        for (const int cell : {0, 2}) expect_unbiased(fields, origin, CellId{cell}, 1500);
      }
    }
  }
}

TEST(GasPoints, DarkAtTheHottestTemperatureKeepAChance) {
  SpectralTable table = test::small_table();
  table.kind = TableKind::line_by_line;
  table.temperature = {300, 500, 1000, 1500};
  // The first point absorbs only when cold.
  table.absorption = {2, 0.5, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2};
  for (const RaySampler sampler : both_samplers) {
    const Gas gas(GasMedium(table), {300, 1500, 0.0}, RayOrigin::gas, sampler);
    expect_unbiased(gas, RayOrigin::gas, CellId{0}, 400);
  }
}

TEST(GasPoints, NothingShinesInADarkMedium) {
  SpectralTable table = test::small_table();
  std::fill(table.absorption.begin(), table.absorption.end(), 0.0F);
  const GasMedium nothing(test::atmosphere, {{Species::h2o, {0.0}}, {Species::co, {0.0}}},
                          test::coarse());
  for (const GasMedium& medium : {GasMedium(table), nothing}) {
    for (const RaySampler sampler : both_samplers) {
      const Gas dark(medium, {300, 900, 0.0}, RayOrigin::gas, sampler);
      for (const PointId point : draw_points(dark.points.view(), 100)) {
        EXPECT_TRUE(point.value >= 0 && point.value < static_cast<int>(dark.strengths.size()));
        EXPECT_EQ(dark.points.view().weight(point), 0.0);
      }
    }
  }
}

}  // namespace
}  // namespace ermine
