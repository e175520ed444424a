#include <ermine/error.hpp>

#include "medium/gas_of_scene.hpp"
#include "medium/gas_storage.hpp"
#include "medium/point_table_storage.hpp"
#include "support/gas.hpp"
#include "support/levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace ermine {
namespace {

/// Every point of a single gas as point_rows() lists them, with its quadrature weight.
struct WeightedPoint {
  GasPoint<1> point;
  double weight;
};

std::vector<WeightedPoint> points_of(const GasMedium& gas) {
  std::vector<WeightedPoint> points;
  for (std::size_t part = 0; part < gas.part_count(); ++part) {
    const int first = gas.component(0).first_row[part];
    const auto band = static_cast<int>(part);
    if (first < 0) {
      points.push_back({{band, {-1}}, 1.0});
      continue;
    }
    for (std::size_t g = 0; g < gas.weights().size(); ++g) {
      points.push_back({{band, {first + static_cast<int>(g)}}, gas.weights()[g]});
    }
  }
  return points;
}

std::vector<GasMedium> single_gases() {
  SpectralTable lines = test::small_table();
  lines.kind = TableKind::line_by_line;
  return {GasMedium(test::small_table()), GasMedium(lines),
          GasMedium(test::atmosphere, {{Species::h2o, {0.2}}}, test::coarse()),
          // A fine table, whose intensity needs no nodes of its own.
          GasMedium(test::atmosphere, {{Species::co2, {0.1}}},
                    {.band_width_cm1 = 500.0,
                     .quadrature = Quadrature::skewed(4),
                     .temperature = {600, 603, 606, 609, 612}})};
}

/// A coordinate is a node number, rounded, and that of the gas counts from 0 K: so much of an
/// interval, over which k or I may change by much of themselves.
template <class Real>
double rounding_of(const GasMedium& gas) {
  return 2 * static_cast<double>(std::numeric_limits<Real>::epsilon()) *
         static_cast<double>(gas.intensity_nodes());
}

TEST(PointTable, HasTablesOfBothKinds) {
  std::size_t one = 0, more = 0;
  for (const GasMedium& gas : single_gases()) ++(gas.intensity_steps() == 1 ? one : more);
  EXPECT_GT(one, 0u);
  EXPECT_GT(more, 0u);
}

template <class Real>
class PointTableTest : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(PointTableTest, Reals);

TYPED_TEST(PointTableTest, IsTheGas) {
  using Real = TypeParam;
  for (const GasMedium& gas : single_gases()) {
    const PointDensity density{gas.coldest(), gas.hottest(), 0.0};
    const auto rows = point_rows(gas, density);
    ASSERT_TRUE(rows);
    const PointTableStorage<Real> table(*rows);
    const GasMedium scene = gas_of_scene(gas, density, 1);
    const GasStorage<Real, 1> storage(scene, test::row_of_cells(), std::vector{gas.hottest()});
    const auto points = points_of(gas);
    const auto order = rows->by_absorption();
    ASSERT_EQ(order.size(), points.size());
    const double rounding = rounding_of<Real>(scene);
    std::mt19937 generator(41);
    std::uniform_real_distribution<double> kelvin(gas.coldest(), gas.hottest());
    for (int trial = 0; trial < 200; ++trial) {
      const double t =
          trial == 0 ? gas.coldest() : (trial == 1 ? gas.hottest() : kelvin(generator));
      const auto here = static_cast<Real>(table.coordinate(t));
      const auto there = static_cast<Real>(storage.coordinate(t));
      for (std::size_t p = 0; p < points.size(); ++p) {
        const WeightedPoint& same = points[order[p]];
        const PointId id{static_cast<int>(p)};
        const GasState<Real> found = table.view().at(id, CellId{0}, here);
        const GasState<Real> expected = storage.view().at(same.point, CellId{0}, there);
        const auto row = static_cast<std::ptrdiff_t>(order[p] * rows->temperature.size());
        const auto begin = rows->absorption.begin() + row;
        const double largest =
            *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(rows->temperature.size()));
        ASSERT_NEAR(found.absorption, expected.absorption, rounding * largest) << t;
        const double intensity = same.weight * static_cast<double>(expected.intensity);
        ASSERT_NEAR(found.intensity, intensity, rounding * intensity) << t;
        ASSERT_EQ(table.view().blackbody(id, here), found.intensity);
      }
      const double emission = storage.emission(CellId{0}, static_cast<double>(there));
      ASSERT_NEAR(table.emission(CellId{0}, static_cast<double>(here)), emission,
                  rounding * emission);
    }
  }
}

TYPED_TEST(PointTableTest, IsTheSameToTheLastBitForAnyNumberOfThreads) {
  using Real = TypeParam;
  for (const GasMedium& gas : single_gases()) {
    const PointDensity density{gas.coldest(), gas.hottest(), 0.2};
    const auto rows = point_rows(gas, density, 1);
    const PointTableStorage<Real> table(*rows, 1);
    const auto strengths = table.strengths(density);
    for (const int threads : {2, 7}) {
      const auto same_rows = point_rows(gas, density, threads);
      EXPECT_EQ(same_rows->temperature, rows->temperature);
      EXPECT_EQ(same_rows->absorption, rows->absorption);
      EXPECT_EQ(same_rows->intensity, rows->intensity);
      const PointTableStorage<Real> same(*same_rows, threads);
      const auto same_strengths = same.strengths(density);
      for (std::size_t p = 0; p < strengths.size(); ++p) {
        ASSERT_EQ(same_strengths[p].absorption, strengths[p].absorption);
        ASSERT_EQ(same_strengths[p].intensity, strengths[p].intensity);
        ASSERT_EQ(same_strengths[p].softness, strengths[p].softness);
      }
      const auto last = static_cast<double>(rows->temperature.size() - 1);
      for (double coordinate = 0; coordinate <= last; coordinate += 0.25) {
        ASSERT_EQ(same.emission(CellId{0}, coordinate), table.emission(CellId{0}, coordinate));
      }
    }
  }
}

TYPED_TEST(PointTableTest, HoldsPointsInOrderOfAbsorption) {
  using Real = TypeParam;
  for (const GasMedium& gas : single_gases()) {
    const auto rows = point_rows(gas, {gas.coldest(), gas.hottest(), 0.0});
    const PointTableStorage<Real> table(*rows);
    auto order = rows->by_absorption();
    const double middle = (gas.coldest() + gas.hottest()) / 2;
    const auto node = std::min_element(
        rows->temperature.begin(), rows->temperature.end(),
        [&](double a, double b) { return std::abs(a - middle) < std::abs(b - middle); });
    const auto coordinate = static_cast<Real>(node - rows->temperature.begin());
    for (int p = 1; p < static_cast<int>(order.size()); ++p) {
      EXPECT_LE(table.view().at(PointId{p - 1}, CellId{0}, coordinate).absorption,
                table.view().at(PointId{p}, CellId{0}, coordinate).absorption);
    }
    // All are there.
    std::sort(order.begin(), order.end());
    for (std::size_t p = 0; p < order.size(); ++p) EXPECT_EQ(order[p], p);
  }
}

TEST(PointRows, KeepTheOrderOfEqualPoints) {
  const PointRows rows = point_rows(
      SpectralList({0, 100, 2}, {3, 3, 1, 1, 2, 2, 1, 1, 0, 0}, {1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
  EXPECT_EQ(rows.by_absorption(), (std::vector<std::size_t>{4, 1, 3, 2, 0}));
}

TYPED_TEST(PointTableTest, WallsMayBeColderThanTheGas) {
  using Real = TypeParam;
  for (const GasMedium& gas : single_gases()) {
    for (const double coldest : {0.0, 77.0, 250.0}) {
      const auto rows = point_rows(gas, {coldest, gas.hottest(), 0.0});
      const PointTableStorage<Real> table(*rows);
      const GasMedium scene = gas_of_scene(gas, {coldest, gas.hottest(), 0.0}, 1);
      const GasStorage<Real, 1> storage(scene, test::row_of_cells(), std::vector{gas.hottest()});
      const auto points = points_of(gas);
      const auto order = rows->by_absorption();
      const double rounding = rounding_of<Real>(scene);
      for (const double t :
           {coldest, 0.5 * (coldest + gas.coldest()), gas.coldest(), gas.hottest()}) {
        const auto here = static_cast<Real>(table.wall_coordinate(t));
        const auto there = static_cast<Real>(storage.wall_coordinate(t));
        for (std::size_t p = 0; p < points.size(); ++p) {
          const WeightedPoint& same = points[order[p]];
          const double expected =
              same.weight * static_cast<double>(storage.view().blackbody(same.point, there));
          ASSERT_NEAR(table.view().blackbody(PointId{static_cast<int>(p)}, here), expected,
                      rounding * expected + std::numeric_limits<float>::min())
              << t;
        }
      }
      // Gas cannot be so cold, nor anything hotter than the data.
      EXPECT_THROW(table.coordinate(gas.coldest() - 0.1), Error);
      EXPECT_THROW(table.coordinate(gas.hottest() + 0.1), Error);
      EXPECT_THROW(table.wall_coordinate(gas.hottest() + 0.1), Error);
    }
  }
}

TYPED_TEST(PointTableTest, OneTemperatureIsEnough) {
  using Real = TypeParam;
  for (const GasMedium& gas : single_gases()) {
    for (const double t : {gas.coldest(), 0.5 * (gas.coldest() + gas.hottest()), gas.hottest()}) {
      const PointTableStorage<Real> table(*point_rows(gas, {t, t, 0.0}));
      const GasMedium scene = gas_of_scene(gas, {t, t, 0.0}, 1);
      const GasStorage<Real, 1> storage(scene, test::row_of_cells(), std::vector{t});
      EXPECT_LE(table.view().nodes, 60);
      const double expected = storage.emission(CellId{0}, storage.coordinate(t));
      EXPECT_NEAR(table.emission(CellId{0}, table.coordinate(t)), expected,
                  rounding_of<Real>(scene) * expected);
    }
  }
}

TEST(PointRows, AreOfAGasThatIsTheSameEverywhere) {
  const PointDensity density{400, 1500, 0.0};
  EXPECT_TRUE(point_rows(test::h2o_co2(), density));
  EXPECT_FALSE(point_rows(test::h2o_co2_fields(3), density));
  EXPECT_FALSE(point_rows(GasMedium(test::atmosphere, {{Species::h2o, {0.1, 0.2}}}, test::coarse()),
                          density));
}

/// Species share points, and emit what they would on their own.
TEST(PointRows, OfAMixtureEmitAsItsSpecies) {
  const GasMedium gas = test::h2o_co2({.band_width_cm1 = 100.0,
                                       .quadrature = Quadrature::skewed(8),
                                       .temperature = {300, 700, 1500}});
  const PointDensity density{gas.coldest(), gas.hottest(), 0.0};
  const PointTableStorage<double> table(*point_rows(gas, density));
  const GasMedium scene = gas_of_scene(gas, density, 1);
  for (const double kelvin : {310.0, 700.0, 1234.0}) {
    const GasStorage<double, 2> storage(scene, test::row_of_cells(), std::vector{kelvin});
    const double expected = storage.emission(CellId{0}, storage.coordinate(kelvin));
    EXPECT_NEAR(table.emission(CellId{0}, table.coordinate(kelvin)), expected, 1e-9 * expected);
  }
}

/// 300 to 500 K.
PointTableStorage<float> warm_list() {
  return PointTableStorage<float>(
      point_rows(SpectralList({300, 100, 3}, {1, 2, 3, 4, 5, 6}, {10, 20, 30, 40, 50, 60})));
}

TEST(PointTable, OfAListRefusesTemperaturesBeyondItsNodes) {
  const auto storage = warm_list();
  EXPECT_DOUBLE_EQ(storage.wall_coordinate(300), 0.0);
  EXPECT_DOUBLE_EQ(storage.coordinate(500), 2.0);
  for (const double kelvin : {0.0, 299.0, 501.0}) {
    EXPECT_THROW(storage.coordinate(kelvin), Error);
    EXPECT_THROW(storage.wall_coordinate(kelvin), Error);
  }
}

TEST(PointTable, HasStrengthsWhateverTheTemperature) {
  const auto storage = warm_list();
  const auto inside = storage.strengths({300, 500, 0.0});
  const auto beyond = storage.strengths({0, 9000, 0.0});
  for (std::size_t s = 0; s < inside.size(); ++s) {
    EXPECT_EQ(inside[s].absorption, beyond[s].absorption);
    EXPECT_EQ(inside[s].intensity, beyond[s].intensity);
  }
}

}  // namespace
}  // namespace ermine
