#include "medium/faint_rows.hpp"

#include "support/gas.hpp"
#include "support/slab_march.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ermine {
namespace {

constexpr std::size_t layer_count = 4;

/// Amounts of a layer at one of the temperatures, as shares of those of the gas.
struct Layer {
  std::size_t node;
  std::array<double, 4> share;
};
using Slab = std::array<Layer, layer_count>;

GasMedium three_kinds() {
  return GasMedium(
      test::atmosphere, {{Species::h2o, {0.12}}, {Species::co2, {0.06}}, {Species::co, {0.02}}},
      {.quadrature = Quadrature::skewed(7), .temperature = {400, 700, 1100, 1600, 2000}});
}
GasMedium three_kinds_and_soot() {
  return GasMedium(
      test::atmosphere, {{Species::h2o, {0.12}}, {Species::co2, {0.06}}, {Species::co, {0.02}}},
      {.quadrature = Quadrature::skewed(7), .temperature = {400, 700, 1100, 1600, 2000}},
      Soot{{3e-7}});
}
constexpr PointDensity sparse_scene{400, 1600, 0.2, 400, 900};

const float* row_of(const GasMedium& gas, const GasListPoint& point, std::size_t c) {
  const std::size_t nodes = gas.temperature().size() - gas.first_gas_node();
  return gas.component(c).rows.data() + static_cast<std::size_t>(point.joint.row[c]) * nodes;
}

double intensity(const GasMedium& gas, int part, std::size_t node) {
  return gas.blackbody_intensity(
      static_cast<std::size_t>(part))[(gas.first_gas_node() + node) * gas.intensity_steps()];
}

test::SlabMarch solve(const GasMedium& gas, const Slab& layers, double length,
                      std::span<const GasListPoint> points) {
  test::SlabMarch sum{};
  sum.flux_divergence.resize(layer_count);
  for (const GasListPoint& point : points) {
    test::SlabCells slab;
    for (const Layer& layer : layers) {
      double k = 0.0;
      for (std::size_t c = 0; c < gas.component_count(); ++c) {
        if (point.joint.row[c] < 0) continue;
        k += layer.share[c] * gas.component(c).amount[0] *
             static_cast<double>(row_of(gas, point, c)[layer.node]);
      }
      slab.width.push_back(length / layer_count);
      slab.absorption.push_back(k);
      slab.intensity.push_back(point.joint.weight * intensity(gas, point.part, layer.node));
    }
    slab.wall_intensity.fill(point.joint.weight * intensity(gas, point.part, 0));
    const test::SlabMarch of_point = march_slab(slab);
    for (std::size_t i = 0; i < layer_count; ++i) {
      sum.flux_divergence[i] += of_point.flux_divergence[i];
    }
    for (const std::size_t w : {0, 1}) sum.wall_flux[w] += of_point.wall_flux[w];
  }
  return sum;
}

void expect_emission_kept(const GasMedium& gas) {
  const auto all = gas_points(gas, 2);
  const auto kept = without_faint_rows(gas, all, sparse_scene, 2);
  ASSERT_EQ(kept.size(), all.size());
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    for (std::size_t node = 0; node < 4; ++node) {
      const auto emission = [&](std::span<const GasListPoint> points) {
        double sum = 0.0;
        for (const GasListPoint& point : points) {
          if (point.joint.row[c] < 0) continue;
          sum += point.joint.weight * intensity(gas, point.part, node) *
                 static_cast<double>(row_of(gas, point, c)[node]);
        }
        return sum;
      };
      EXPECT_NEAR(emission(kept), emission(all), 1e-3 * emission(all))
          << "component " << c << ", node " << node;
    }
  }
}

TEST(FaintRows, KeepTheEmissionOfEveryComponent) {
  expect_emission_kept(three_kinds());
  expect_emission_kept(three_kinds_and_soot());
}

void expect_same_exchange(const GasMedium& gas) {
  const auto all = gas_points(gas, 2);
  const auto kept = without_faint_rows(gas, all, sparse_scene, 2);
  const std::array<double, 4> h2o{1, 0, 0, 0}, co2{0, 1, 0, 0}, co{0, 0, 1, 0}, mixed{1, 1, 1, 1};
  const std::array<double, 4> soot{0, 0, 0, 1};
  const std::array<Slab, 5> slabs{{{{{0, mixed}, {3, mixed}, {1, mixed}, {2, mixed}}},
                                   {{{0, h2o}, {3, co}, {2, co2}, {1, co}}},
                                   {{{0, co}, {3, h2o}, {0, co}, {1, mixed}}},
                                   {{{1, co}, {3, co}, {0, co2}, {2, co2}}},
                                   {{{1, co}, {3, soot}, {0, co2}, {2, soot}}}}};
  for (const Slab& layers : slabs) {
    for (const double length : {0.02, 1.0}) {
      const auto exact = solve(gas, layers, length, all);
      const auto found = solve(gas, layers, length, kept);
      double largest = 0.0;
      for (const double q : exact.flux_divergence) largest = std::max(largest, std::abs(q));
      for (std::size_t i = 0; i < layer_count; ++i) {
        EXPECT_NEAR(found.flux_divergence[i], exact.flux_divergence[i], 1e-3 * largest)
            << "layer " << i << ", " << length << " m";
      }
      for (const std::size_t w : {0, 1}) {
        EXPECT_NEAR(found.wall_flux[w], exact.wall_flux[w], 1e-3 * std::abs(exact.wall_flux[w]));
      }
    }
  }
}

/// Also where the component that hides another one is not there.
TEST(FaintRows, HardlyChangeWhatLayersOfAnyCompositionExchange) {
  expect_same_exchange(three_kinds());
  expect_same_exchange(three_kinds_and_soot());
}

TEST(FaintRows, AreManyInAMixture) {
  const GasMedium gas = three_kinds();
  const auto all = gas_points(gas, 2);
  const auto rows = [](std::span<const GasListPoint> points) {
    std::size_t count = 0;
    for (const GasListPoint& point : points) {
      for (const int row : point.joint.row) count += row >= 0;
    }
    return static_cast<double>(count);
  };
  EXPECT_LT(rows(without_faint_rows(gas, all, sparse_scene, 2)), 0.85 * rows(all));
}

TEST(FaintRows, DoNotDependOnThreads) {
  const GasMedium gas = three_kinds();
  const auto all = gas_points(gas, 2);
  const auto one = without_faint_rows(gas, all, sparse_scene, 1);
  const auto three = without_faint_rows(gas, all, sparse_scene, 3);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(one[i].joint.row, three[i].joint.row);
}

TEST(FaintRows, AreThereInAGasOfOneSpecies) {
  const GasMedium gas(test::atmosphere, {{Species::h2o, {0.2}}}, test::coarse());
  const auto all = gas_points(gas, 2);
  const auto kept = without_faint_rows(gas, all, sparse_scene, 2);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(kept[i].joint.row, all[i].joint.row);
}

}  // namespace
}  // namespace ermine
