#include "transport/scene/rough_cells.hpp"

#include "support/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace ermine {
namespace {

const Grid row = test::slab_grid(12);

/// Numbers of the cells of a row between walls of 1000 K that average.
std::vector<int> rough(const std::function<double(double)>& temperature, Options options = {},
                       const Medium& medium = GreyMedium(1.0), double emissivity = 1.0) {
  const auto field =
      test::evaluate(row, [&](std::array<double, 3> at) { return temperature(at[0]); });
  const Walls walls = test::plates(row, test::wall(1000, emissivity), test::wall(1000, emissivity));
  const auto found = rough_cells(Tracer(row, walls, medium, options), TemperatureField(field));
  std::vector<int> numbers;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i]) numbers.push_back(static_cast<int>(i));
  }
  return numbers;
}

TEST(RoughCells, AreNoneInSmoothFields) {
  EXPECT_EQ(rough([](double) { return 1000.0; }), std::vector<int>{});
  EXPECT_EQ(rough([](double x) { return 1000.0 + 300 * x * (1 - x); }), std::vector<int>{});
}

TEST(RoughCells, LieAtJumpsAndBesideThem) {
  EXPECT_EQ(rough([](double x) { return x < 0.5 ? 1000.0 : 2000.0; }),
            (std::vector<int>{4, 5, 6, 7, 10, 11}));
}

TEST(RoughCells, LieBeforeWallsOfAnotherTemperature) {
  const auto hot = [](double) { return 1500.0; };
  EXPECT_EQ(rough(hot), (std::vector<int>{0, 1, 10, 11}));
  // The temperature of a wall that does not emit means nothing.
  EXPECT_EQ(rough(hot, {}, GreyMedium(1.0), 0.0), std::vector<int>{});
}

TEST(RoughCells, LieWhereWhatAbsorbsJumps) {
  std::vector<double> absorption(12, 1.0);
  for (std::size_t i = 6; i < 12; ++i) absorption[i] = 10.0;
  EXPECT_EQ(rough([](double) { return 1000.0; }, {}, GreyMedium(absorption)),
            (std::vector<int>{4, 5, 6, 7}));
}

/// Two cells between mirrors, hot and cold, or thin and thick.
TEST(RoughCells, SeeJumpsBesideWalls) {
  const Grid two = test::slab_grid(2);
  const Walls mirrors = test::plates(two, test::wall(300, 0, Reflection::specular),
                                     test::wall(300, 0, Reflection::specular));
  const auto found = [&](const Medium& medium, const std::vector<double>& field) {
    return rough_cells(Tracer(two, mirrors, medium, {}), TemperatureField(field));
  };
  const std::vector<char> both{1, 1};
  EXPECT_EQ(found(GreyMedium(1.0), {2000, 400}), both);
  EXPECT_EQ(found(GreyMedium(std::vector<double>{0.5, 20}), {1000, 1000}), both);
  EXPECT_EQ(found(GreyMedium(1.0), {1000, 1000}), (std::vector<char>{0, 0}));
}

TEST(RoughCells, AreNoneWhereOptionsSayIt) {
  const auto hot = [](double) { return 1500.0; };
  EXPECT_EQ(rough(hot, {.start = StartPoint::point}), std::vector<int>{});
}

TEST(RoughCells, ChangeWithTheField) {
  const Walls walls = test::plates(row, test::wall(1000), test::wall(1000));
  const std::vector<double> before(12, 1500.0);  // rough: 0, 1, 10, 11
  std::vector<double> now(12, 1000.0);
  std::fill(now.begin() + 6, now.end(), 2000.0);  // 4, 5, 6, 7, 10, 11
  const auto changed = [&](StartPoint start) {
    const Tracer tracer(row, walls, GreyMedium(1.0), {.start = start});
    return changed_starts(rough_cells(tracer, TemperatureField(now)), tracer, before);
  };
  EXPECT_EQ(changed(StartPoint::average), (std::vector<char>{1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(changed(StartPoint::uniform), std::vector<char>{});
}

}  // namespace
}  // namespace ermine
