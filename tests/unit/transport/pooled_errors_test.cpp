#include "transport/net/pooled_errors.hpp"

#include "geometry/tiles.hpp"
#include "transport/accuracy/error_norm.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace ermine {
namespace {

/// A row of cells.
struct Row {
  using Origin = CellId;

  std::vector<double> scales;

  int origin_count() const { return static_cast<int>(scales.size()); }
  double scale(CellId cell) const { return scales[static_cast<std::size_t>(cell.value)]; }
  CellTiles tiles() const {
    CellTiles tiles{};
    tiles.grid.cells = {{static_cast<int>(scales.size()), 1, 1}};
    tiles.grid.stride = {{1, tiles.grid.cells[0], tiles.grid.cells[0]}};
    return tiles;
  }
};

/// Two replicates: a mean of 10 and so large a variance of a single one.
Tally two(double variance) {
  Tally tally;
  tally.add(10 + std::sqrt(variance / 2));
  tally.add(10 - std::sqrt(variance / 2));
  return tally;
}

TEST(PooledErrors, OfScalesWhoseSquaresVanishAreZero) {
  for (const double tiny : {1e-120, 1e-200, 1e-310, 5e-324}) {
    const Row row{{1.0, tiny}};
    const std::array tallies{two(4.0), two(tiny * tiny)};
    const Estimate found = pooled_estimate(row, tallies.data(), {nullptr, nullptr}, CellId{0});
    EXPECT_NEAR(found.standard_error, std::sqrt(2.0), 1e-12) << tiny;
    EXPECT_EQ(pooled_estimate(row, tallies.data(), {nullptr, nullptr}, CellId{1}).standard_error,
              0.0);
  }
}

TEST(PooledErrors, FollowTheScaleOfEachOrigin) {
  const Row row{{1.0, 2.0, 0.0, 3.0}};
  const std::array tallies{two(4.0), two(16.0), two(0.0), two(36.0)};
  for (int i = 0; i < 4; ++i) {
    const Estimate found = pooled_estimate(row, tallies.data(), {nullptr, nullptr}, CellId{i});
    EXPECT_DOUBLE_EQ(found.value, 10.0);
    EXPECT_NEAR(found.standard_error, row.scale(CellId{i}) * std::sqrt(2.0), 1e-12);
  }
}

/// The error of a single origin with little to go by is that of its neighbours.
TEST(PooledErrors, AreSharedAmongOriginsThatAreAlike) {
  const Row row{std::vector<double>(5, 1.0)};
  const std::array tallies{two(4.0), two(4.0), two(0.0), two(4.0), two(4.0)};
  const std::vector<double> emission(5, 1e5);
  const Estimate found =
      pooled_estimate(row, tallies.data(), {emission.data(), nullptr}, CellId{2});
  // Weights 1/4, 16/25, 1, 16/25, 1/4, of which all but one have a variance of 4.
  const double shared = 4 * (0.5 + 1.28) / (1.5 + 1.28);
  EXPECT_NEAR(found.standard_error, std::sqrt(shared / 2), 1e-12);
}

TEST(PooledErrors, OfAHotCellAreNotDilutedByColdOnes) {
  const Row row{std::vector<double>(5, 1.0)};
  const std::array tallies{two(1.0), two(1.0), two(1e4), two(1.0), two(1.0)};
  const std::vector<double> emission{1e4, 1e4, 1e6, 1e4, 1e4};
  const auto error = [&](int cell) {
    return pooled_estimate(row, tallies.data(), {emission.data(), nullptr}, CellId{cell})
        .standard_error;
  };
  EXPECT_NEAR(error(2), std::sqrt(1e4 / 2), 1.0);
  // Nor are theirs by it: its weight in a cold one next to it is 1/197.27^2, in the next
  // 1/198.02^2.
  EXPECT_NEAR(error(1), std::sqrt((1.64 + 0.25 + 1e4 / (197.27 * 197.27)) / 1.89 / 2), 0.02);
  EXPECT_NEAR(error(0), std::sqrt((1.64 + 1e4 / (198.02 * 198.02)) / 1.64 / 2), 0.02);
}

TEST(PooledErrors, OfCellsThatAverageAreNotMixedWithOthers) {
  const Row row{std::vector<double>(5, 1.0)};
  const std::array tallies{two(1.0), two(1.0), two(100.0), two(1.0), two(100.0)};
  const std::vector<double> emission(5, 1e5);
  const std::array<char, 5> averages{0, 0, 1, 0, 1};
  for (int cell = 0; cell < 5; ++cell) {
    const Estimate found =
        pooled_estimate(row, tallies.data(), {emission.data(), averages.data()}, CellId{cell});
    EXPECT_NEAR(found.standard_error, std::sqrt((averages[cell] ? 100.0 : 1.0) / 2), 1e-12);
  }
}

TEST(PooledErrors, OfOneReplicateAreUnknown) {
  const Row row{{1.0}};
  Tally one;
  one.add(3.0);
  EXPECT_TRUE(std::isinf(pooled_estimate(row, &one, {nullptr, nullptr}, CellId{0}).standard_error));
}

TEST(PooledErrors, WithoutEmissionCountByDistanceAlone) {
  EXPECT_DOUBLE_EQ(pooled_weight(4, 0.0, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(pooled_weight(4, 1.0, 1.0), 0.25);
  EXPECT_DOUBLE_EQ(pooled_weight(0, 1.0, 0.0), 0.0);
}

TEST(RmsMargin, IsWideWhereFewTilesCount) {
  EXPECT_DOUBLE_EQ(rms_margin(std::vector<double>(10, 0.0), 2), 1.0);
  const double many = rms_margin(std::vector<double>(8192, 1.0), 2);
  const double few = rms_margin(std::vector<double>(12, 1.0), 2);
  EXPECT_LT(many, 1.02);
  EXPECT_GT(few, 1.2);
  EXPECT_LT(rms_margin(std::vector<double>(12, 1.0), 8), few);
  // Tiles with next to no error tell nothing of it.
  std::vector<double> peaked(8192, 1e-9);
  for (std::size_t i = 0; i < 12; ++i) peaked[i] = 1.0;
  EXPECT_NEAR(rms_margin(peaked, 2), few, 1e-3);
}

}  // namespace
}  // namespace ermine
