#include "time_budget.hpp"

#include <gtest/gtest.h>

namespace ermine::cli {
namespace {

TEST(MoreRays, FitTheTime) {
  const RunTime last{100, 1.0, 1.5};                 // 10 ms for each ray per cell
  EXPECT_EQ(more_rays(last, 10'000, 5.0), 400);      // 90 % of 5 s less half a second
  EXPECT_EQ(more_rays(last, 200, 5.0), 200);         // no more than planned
  EXPECT_EQ(more_rays(last, 100, 5.0), 0);           // as planned already
  EXPECT_EQ(more_rays(last, 10'000, 1.8), 0);        // hardly more than before
  EXPECT_EQ(more_rays(last, 10'000, -1.0), 0);       // time is up
  EXPECT_EQ(more_rays(last, 10'000, 1000.0), 1600);  // in steps
}

TEST(TimeBudget, LeavesToOthersWhatOneDoesNotNeed) {
  TimeBudget budget(100.0, 4.0);
  EXPECT_NEAR(budget.take(1.0), 25.0, 0.5);
  EXPECT_NEAR(budget.take(1.0), 33.0, 0.5);  // a third of all, as the first took no time
  EXPECT_NEAR(budget.take(2.0), 100.0, 0.5);
  EXPECT_NEAR(budget.take(1.0), 100.0, 0.5);
}

}  // namespace
}  // namespace ermine::cli
