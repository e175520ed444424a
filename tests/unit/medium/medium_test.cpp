#include <ermine/error.hpp>
#include <ermine/medium.hpp>

#include "medium/grey_storage.hpp"
#include "medium/point_table_storage.hpp"
#include "support/levels.hpp"
#include "support/problems.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace ermine {
namespace {

TEST(GreyMedium, RefusesWhatIsNotPhysical) {
  EXPECT_THROW(GreyMedium(-1.0), Error);
  EXPECT_THROW(GreyMedium(std::numeric_limits<double>::quiet_NaN()), Error);
  EXPECT_THROW(GreyMedium(std::vector<double>{}), Error);
  EXPECT_NO_THROW(GreyMedium(0.0));
}

TEST(GreyStorage, EmitsFourKappaSigmaTFour) {
  const GreyStorage<double> grey(GreyMedium(std::vector<double>{0.5, 2.0}), test::row_of_cells(2));
  const double coordinate = grey.coordinate(1000.0);
  EXPECT_NEAR(grey.emission(CellId{1}, coordinate), 4 * 2.0 * test::sigma * 1e12, 1e-6);
  EXPECT_NEAR(grey.view().blackbody(PointId{0}, coordinate), test::intensity(1000.0), 1e-9);
  EXPECT_EQ(grey.view().at(PointId{0}, CellId{0}, coordinate).absorption, 0.5);
}

TEST(SpectralList, RefusesMismatchedRows) {
  EXPECT_THROW(SpectralList({0, 10, 2}, {1, 1, 1}, {1, 1, 1}), Error);
  EXPECT_THROW(SpectralList({0, 10, 2}, {1, 1}, {1, 1, 1, 1}), Error);
  EXPECT_THROW(SpectralList({0, 10, 1}, {1}, {1}), Error);
  EXPECT_THROW(SpectralList({0, -10, 2}, {1, 1}, {1, 1}), Error);
  EXPECT_THROW(SpectralList({0, 10, 2}, {1, -1}, {1, 1}), Error);
}

TEST(PointTableStorage, InterpolatesLinearlyUpToTheLastNode) {
  const PointTableStorage<double> list(
      point_rows(SpectralList({100, 100, 3}, {1, 2, 4, 10, 20, 40}, {0, 5, 7, 1, 1, 3})));
  const auto view = list.view();
  const auto between = view.at(PointId{1}, CellId{0}, list.coordinate(250));
  EXPECT_DOUBLE_EQ(between.absorption, 30);
  EXPECT_DOUBLE_EQ(between.intensity, 2);
  const auto last = view.at(PointId{0}, CellId{0}, list.coordinate(300));
  EXPECT_DOUBLE_EQ(last.absorption, 4);
  EXPECT_DOUBLE_EQ(last.intensity, 7);
  EXPECT_THROW(list.coordinate(99.9), Error);
  EXPECT_THROW(list.coordinate(300.1), Error);
}

TEST(PointTableStorage, EmissionIsTheSumOverPoints) {
  const PointTableStorage<double> list(point_rows(test::three_points()));
  for (const double temperature : {0.0, 337.0, 1200.0, 1999.5, 2000.0}) {
    const double coordinate = list.coordinate(temperature);
    double sum = 0.0;
    for (int s = 0; s < 3; ++s) {
      const auto gas = list.view().at(PointId{s}, CellId{0}, coordinate);
      sum += 4 * std::numbers::pi * gas.absorption * gas.intensity;
    }
    EXPECT_NEAR(list.emission(CellId{0}, coordinate), sum, 1e-12 * sum);
  }
}

TEST(PointTableStorage, PointsDarkAtTheHottestTemperatureKeepAStrength) {
  const PointTableStorage<double> list(
      point_rows(SpectralList({0, 100, 3}, {1, 1, 0, 1, 1, 1}, {1, 1, 1, 1, 2, 0})));
  const auto strengths = list.strengths({200.0, 200.0, 0.0});
  EXPECT_EQ(strengths[0].absorption, 1.0);
  EXPECT_EQ(strengths[1].intensity, 2.0);
}

}  // namespace
}  // namespace ermine
