#include "medium/joint_points.hpp"

#include "medium/point_rows.hpp"
#include "support/gas.hpp"
#include "support/slab_march.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace ermine {
namespace {

GasMedium three_species(KDistributionOptions options = {}) {
  if (options.temperature.empty()) options.temperature = {600, 900, 1300, 2000};
  return GasMedium(test::atmosphere,
                   {{Species::h2o, {0.12}}, {Species::co2, {0.06}}, {Species::co, {0.01}}},
                   options);
}

TEST(JointPoints, GiveEveryRowOfEverySpeciesItsWeight) {
  const GasMedium gas = three_species();
  std::size_t points = 0;
  for (std::size_t part = 0; part < gas.part_count(); ++part) {
    const auto joint = joint_points(gas, part);
    points += joint.size();
    double sum = 0.0;
    for (const JointPoint& point : joint) sum += point.weight;
    EXPECT_NEAR(sum, 1.0, 1e-12);
    for (std::size_t c = 0; c < gas.component_count(); ++c) {
      const int first = gas.component(c).first_row[part];
      std::map<int, double> weight;
      for (const JointPoint& point : joint) weight[point.row[c]] += point.weight;
      ASSERT_EQ(weight.size(), first < 0 ? 1u : gas.weights().size());
      for (const auto& [row, share] : weight) {
        const double own = first < 0 ? 1.0 : gas.weights()[static_cast<std::size_t>(row - first)];
        EXPECT_NEAR(share, own, 1e-12) << "part " << part << ", component " << c << ", row " << row;
      }
    }
  }
  // Far fewer than 16^3 in each of the 190 bands of all three.
  EXPECT_LT(points, 50000u);
}

TEST(JointPoints, AreThoseOfTheTableForOneGas) {
  const GasMedium gas(test::atmosphere, {{Species::h2o, {0.2}}}, test::coarse());
  for (std::size_t part = 0; part < gas.part_count(); ++part) {
    const auto joint = joint_points(gas, part);
    const int first = gas.component(0).first_row[part];
    ASSERT_EQ(joint.size(), first < 0 ? 1u : gas.weights().size());
    for (std::size_t g = 0; g < joint.size() && first >= 0; ++g) {
      EXPECT_EQ(joint[g].weight, gas.weights()[g]);
      EXPECT_EQ(joint[g].row[0], first + static_cast<int>(g));
    }
  }
}

TEST(JointPoints, AreAllCombinationsWhereThoseAreFew) {
  const GasMedium gas = test::h2o_co2();  // 4 x 4
  std::size_t overlapping = 0;
  for (std::size_t part = 0; part < gas.part_count(); ++part) {
    if (gas.component(0).first_row[part] < 0 || gas.component(1).first_row[part] < 0) continue;
    std::set<std::pair<int, int>> rows;
    for (const JointPoint& point : joint_points(gas, part)) {
      rows.insert({point.row[0], point.row[1]});
    }
    EXPECT_EQ(rows.size(), 16u);
    ++overlapping;
  }
  EXPECT_GT(overlapping, 5u);
}

TEST(JointPoints, LeaveOutSpeciesOfWhichThereIsNone) {
  const GasMedium gas(test::atmosphere, {{Species::h2o, {0.2}}, {Species::co2, {0.0}}},
                      test::coarse());
  for (std::size_t part = 0; part < gas.part_count(); ++part) {
    for (const JointPoint& point : joint_points(gas, part)) EXPECT_EQ(point.row[1], -1);
  }
}

/// A hot layer between colder ones, and walls as cold as these.
constexpr std::array layer_nodes{0, 1, 3, 2};
struct Layers {
  double length;  ///< [m], of all of them

  /// Adds a point of the spectrum with the k of one of `temperatures` [1/m].
  void add(const double* absorption, const double* intensity, test::SlabMarch& sum) const {
    test::SlabCells slab;
    slab.wall_intensity = {intensity[0], intensity[0]};
    for (const int node : layer_nodes) {
      slab.width.push_back(length / static_cast<double>(layer_nodes.size()));
      slab.absorption.push_back(absorption[node]);
      slab.intensity.push_back(intensity[node]);
    }
    const test::SlabMarch point = march_slab(slab);
    sum.flux_divergence.resize(layer_nodes.size());
    for (std::size_t i = 0; i < layer_nodes.size(); ++i) {
      sum.flux_divergence[i] += point.flux_divergence[i];
    }
    for (const std::size_t w : {0, 1}) sum.wall_flux[w] += point.wall_flux[w];
  }

  /// With these points in every part of the spectrum.
  template <class Points>
  test::SlabMarch solve(const GasMedium& gas, const Points& points_of) const {
    const std::size_t nodes = gas.temperature().size() - gas.first_gas_node();
    test::SlabMarch sum{};
    for (std::size_t part = 0; part < gas.part_count(); ++part) {
      for (const JointPoint& point : points_of(part)) {
        std::array<double, 4> k{};
        std::array<double, 4> intensity{};
        for (std::size_t t = 0; t < nodes; ++t) {
          intensity[t] =
              point.weight *
              gas.blackbody_intensity(part)[(gas.first_gas_node() + t) * gas.intensity_steps()];
          for (std::size_t c = 0; c < gas.component_count(); ++c) {
            if (point.row[c] < 0) continue;
            const std::size_t row = static_cast<std::size_t>(point.row[c]) * nodes;
            k[t] +=
                gas.component(c).amount[0] * static_cast<double>(gas.component(c).rows[row + t]);
          }
        }
        add(k.data(), intensity.data(), sum);
      }
    }
    return sum;
  }
};

/// All combinations of the species' rows.
std::vector<JointPoint> product(const GasMedium& gas, std::size_t part) {
  std::vector<JointPoint> points{{1.0, {-1, -1, -1, -1, -1}}};
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    if (gas.component(c).first_row[part] < 0) continue;
    std::vector<JointPoint> more;
    for (JointPoint point : points) {
      const double before = point.weight;
      for (std::size_t g = 0; g < gas.weights().size(); ++g) {
        point.weight = before * gas.weights()[g];
        point.row[c] = gas.component(c).first_row[part] + static_cast<int>(g);
        more.push_back(point);
      }
    }
    points = more;
  }
  return points;
}

/// Few bands, few points and a narrow range of temperatures are the hardest: errors of few bands
/// cancel less. Shipped resolution (16 points in 449 bands) is compared in docs/decisions/0023.
TEST(JointPoints, AreCloseToTheProductOfSpecies) {
  for (const double width : {100.0, 400.0}) {
    const GasMedium gas = three_species({.band_width_cm1 = width,
                                         .quadrature = Quadrature::skewed(7),
                                         .temperature = {400, 700, 1100, 1600}});
    for (const double length : {0.05, 2.0}) {
      const Layers layers{length};
      const auto exact = layers.solve(gas, [&](std::size_t part) { return product(gas, part); });
      const auto joint =
          layers.solve(gas, [&](std::size_t part) { return joint_points(gas, part); });
      double largest = 0.0;
      for (const double q : exact.flux_divergence) largest = std::max(largest, std::abs(q));
      for (std::size_t i = 0; i < layer_nodes.size(); ++i) {
        EXPECT_NEAR(joint.flux_divergence[i], exact.flux_divergence[i], 1e-3 * largest)
            << "layer " << i << ", " << length << " m, bands of " << width << " 1/cm";
      }
      for (const std::size_t w : {0, 1}) {
        EXPECT_NEAR(joint.wall_flux[w], exact.wall_flux[w], 1e-3 * std::abs(exact.wall_flux[w]))
            << length << " m, bands of " << width << " 1/cm";
      }
    }
  }
}

}  // namespace
}  // namespace ermine
