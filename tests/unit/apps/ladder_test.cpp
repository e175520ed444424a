#include "ladder.hpp"

#include "ladder_bias.hpp"
#include "published.hpp"
#include "support/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

/// The arithmetic behind `ermine bench ladder`.
namespace ermine::cli {
namespace {

/// A reference and a twin of it: both noisy, with the same noise, so that their difference is a
/// bias of 2 + cos(x) with little noise of its own.
struct Pair {
  TwinFields twin;
  TwinFields reference;
};

double bias_at(const Grid& grid, std::size_t cell) { return 2 + std::cos(grid.centre(cell)[0]); }

Pair noisy_pair(const Grid& grid, double own_noise, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  Pair pair;
  const auto fill = [&](std::vector<double>& twin, std::vector<double>& reference) {
    for (std::size_t i = 0; i < grid.cell_count(); ++i) {
      reference.push_back(100 + 50 * normal(generator));
      twin.push_back(reference.back() + bias_at(grid, i) + own_noise * normal(generator));
    }
  };
  fill(pair.twin.a, pair.reference.a);
  fill(pair.twin.b, pair.reference.b);
  return pair;
}

double exact_square(const Grid& grid) {
  double sum = 0.0;
  for (std::size_t i = 0; i < grid.cell_count(); ++i) sum += std::pow(bias_at(grid, i), 2);
  return sum / static_cast<double>(grid.cell_count());
}

class SquaredDifference : public testing::TestWithParam<Comparing> {};

TEST_P(SquaredDifference, IsThatOfTheExpectations) {
  const Grid grid = test::slab_grid(12, 12);
  const Pair pair = noisy_pair(grid, 0.0, 1);
  const Estimate found = squared_difference(grid, pair.twin, pair.reference, GetParam());
  EXPECT_NEAR(found.value, exact_square(grid), 1e-10);
  EXPECT_NEAR(found.standard_error, 0.0, GetParam() == Comparing::planes ? 1e-10 : 0.05);
}

/// Over many repetitions: no bias from noise, and error bars of the right size.
TEST_P(SquaredDifference, HasAnHonestErrorBar) {
  const Grid grid = test::slab_grid(12, 12);
  const double exact = exact_square(grid);
  constexpr int repetitions = 300;
  double deviation = 0.0;
  double square = 0.0;
  double variance = 0.0;
  for (unsigned seed = 0; seed < repetitions; ++seed) {
    const Pair pair = noisy_pair(grid, 20.0, seed);
    const Estimate found = squared_difference(grid, pair.twin, pair.reference, GetParam());
    deviation += (found.value - exact) / repetitions;
    square += std::pow(found.value - exact, 2) / repetitions;
    variance += std::pow(found.standard_error, 2) / repetitions;
  }
  EXPECT_NEAR(deviation, 0.0, 4 * std::sqrt(square / repetitions));
  EXPECT_NEAR(variance / square, 1.0, 0.35);
}

INSTANTIATE_TEST_SUITE_P(Both, SquaredDifference,
                         testing::Values(Comparing::cells, Comparing::planes),
                         [](const auto& test) {
                           return test.param == Comparing::cells ? "cells" : "planes";
                         });

TEST(LadderScales, LeaveOutTheNoise) {
  const Grid grid = test::slab_grid(12, 12);
  const TwinFields field = noisy_pair(grid, 0.0, 1).reference;
  EXPECT_NEAR(root_mean_square(grid, field, Comparing::cells), 100, 5);
  EXPECT_NEAR(largest(grid, field, Comparing::planes), 100, 10);
  EXPECT_GT(largest(grid, field, Comparing::cells), 150);
}

LadderRow timed(const std::string& part, const std::string& method, int grid, double seconds) {
  LadderRow row;
  row.setting = {part, "case 10", method, grid, 1000};
  row.rays_used = 1000;
  row.seconds = seconds;
  return row;
}

const LadderFinding* find(const std::vector<LadderFinding>& all, const std::string& key) {
  for (const LadderFinding& finding : all) {
    if (finding.key == key) return &finding;
  }
  return nullptr;
}

TEST(LadderRow, ScalesItsTimeToThePlannedRays) {
  LadderRow row = timed("grids", "classic", 32, 2.0);
  EXPECT_FALSE(row.scaled());
  row.rays_used = 250;
  EXPECT_TRUE(row.scaled());
  EXPECT_DOUBLE_EQ(row.seconds_scaled(), 8.0);
}

TEST(LadderFindings, FitExponentsInTheNumberOfCells) {
  LadderRecord record;
  record.rows.push_back(timed("grids", "classic", 16, 1e6));  // too small to count
  for (const int grid : {32, 64, 128}) {
    record.rows.push_back(timed("grids", "classic", grid, std::pow(grid, 4)));
    record.rows.push_back(timed("rays", "classic", grid, 1.0));
  }
  record.rows.back().rays_used = 10;  // of another part
  const auto all = findings(record);
  const LadderFinding* classic = find(all, "exponent_classic");
  ASSERT_TRUE(classic);
  EXPECT_NEAR(classic->value, 4.0 / 3, 1e-12);
  EXPECT_FALSE(classic->scaled);
  EXPECT_FALSE(find(all, "exponent_multigrid"));
}

TEST(LadderFindings, CompareWhereThePaperDoes) {
  LadderRecord record;
  for (const int grid : {32, 160, 256}) {
    record.rows.push_back(timed("grids", "classic", grid, grid));
    record.rows.push_back(timed("grids", "multigrid", grid, 2.0));
    record.rows.back().backend = Backend::cuda;
  }
  record.rows.push_back(timed("cpu", "classic", 32, 400.0));
  record.rows.back().rays_used = 500;
  const auto all = findings(record);
  ASSERT_TRUE(find(all, "multigrid_over_classic"));
  EXPECT_DOUBLE_EQ(find(all, "multigrid_over_classic")->value, 80.0);
  ASSERT_TRUE(find(all, "multigrid_over_one_cpu_thread"));
  EXPECT_DOUBLE_EQ(find(all, "multigrid_over_one_cpu_thread")->value, 400.0);
  EXPECT_TRUE(find(all, "multigrid_over_one_cpu_thread")->scaled);
  for (const PublishedFigure& figure : published) {
    EXPECT_TRUE(find(all, std::string(figure.key))) << figure.key;
  }
}

}  // namespace
}  // namespace ermine::cli
