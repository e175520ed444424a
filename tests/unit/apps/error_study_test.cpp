#include "error_study.hpp"

#include <gtest/gtest.h>

#include <cmath>

/// What `ermine bench error` makes of its runs.
namespace ermine::cli {
namespace {

ErrorRow row(const std::string& method, double target, double seconds) {
  ErrorRow made;
  made.setting = {"cube", 32, Backend::cpu, 1, method};
  made.target = target;
  made.run.rays = 100;
  made.run.seconds = seconds;
  made.run.score = {0.02, 0.02, {0.0, 1e-6}};
  return made;
}

TEST(ErrorRow, IsAsMeasured) {
  const ErrorRow measured = row("net", 0.03, 2.0);
  EXPECT_DOUBLE_EQ(measured.rays(), 100);
  EXPECT_DOUBLE_EQ(measured.seconds(), 2.0);
  EXPECT_DOUBLE_EQ(measured.error(), 0.02);
  EXPECT_DOUBLE_EQ(measured.figure_of_merit(), 1 / (0.02 * 0.02 * 2.0));
}

/// Half the statistical error takes four times the rays; the bias stays.
TEST(ErrorRow, ScalesUntilItsStandardErrorIsTheTarget) {
  ErrorRow scaled = row("classic", 0.01, 2.0);
  scaled.scaled = true;
  EXPECT_DOUBLE_EQ(scaled.rays(), 400);
  EXPECT_DOUBLE_EQ(scaled.seconds(), 8.0);
  EXPECT_DOUBLE_EQ(scaled.standard_error(), 0.01);
  EXPECT_DOUBLE_EQ(scaled.error(), 0.01);
  scaled.run.score.squared_bias = {9e-4, 1e-5};
  EXPECT_DOUBLE_EQ(scaled.error(), std::hypot(0.03, 0.01));
  EXPECT_DOUBLE_EQ(scaled.figure_of_merit(), 1 / (10e-4 * 8.0));
}

TEST(ErrorFindings, CompareTimesAtTheSameTarget) {
  ErrorRecord record;
  record.rows = {row("net", 0.03, 1.0), row("net", 0.01, 4.0), row("multigrid", 0.01, 10.0)};
  record.rows.back().scaled = true;
  record.rows.push_back(row("multigrid", 0.03, 10.0));
  record.rows.back().setting.threads = 2;  // no net beside it
  const auto found = findings(record);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].key, "time_over_net");
  EXPECT_EQ(found[0].setting.method, "multigrid");
  EXPECT_EQ(found[0].target, 0.01);
  EXPECT_DOUBLE_EQ(found[0].value, 10.0);  // four times 10 s over 4 s
  EXPECT_TRUE(found[0].scaled);
}

/// Of the net's runs, the longest on the levels that classic has.
TEST(ErrorFindings, CompareRaysPerSecondOnTheSameLevels) {
  ErrorRecord record;
  const auto add = [&](const std::string& method, double rays, int steps, bool unbiased,
                       double rate) {
    record.rows.push_back(row(method, method == "net" ? 0.01 : 0.0, 1.0));
    record.rows.back().run.rays = rays;
    record.rows.back().run.steps_per_level = steps;
    record.rows.back().run.unbiased = unbiased;
    record.rows.back().run.rays_per_second = rate;
  };
  add("net", 100, 8, false, 1e6);
  add("net", 200, 8, false, 3e6);
  add("net", 400, 12, false, 2e6);
  add("net", 800, 8, true, 2e6);
  EXPECT_TRUE(findings(record).empty());
  add("classic-levels", 50, 8, false, 2e6);
  const auto found = findings(record);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].key, "net_rays_per_second_over_classic_levels");
  EXPECT_DOUBLE_EQ(found[0].value, 1.5);
}

}  // namespace
}  // namespace ermine::cli
