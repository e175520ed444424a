#include "json_output.hpp"

namespace ermine::test {
namespace {

TEST(BenchTemporal, HasAllWaysOfGoingOn) {
  const Json report =
      parsed(run_tool({"bench", "temporal", "--grid", "4", "--updates", "8", "--rays", "8",
                       "--reference-rays", "16", "--backend", "cpu", "--quiet", "--json"}));
  EXPECT_TRUE(report.at("machine").contains("processor"));
  EXPECT_EQ(report.at("problem").at("updates"), 8);
  ASSERT_EQ(report.at("results").size(), 3u);
  const std::vector<std::string> names{"independent", "continued", "difference"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Json& row = report.at("results").at(i);
    EXPECT_EQ(row.at("temporal"), names[i]);
    EXPECT_EQ(row.at("rays_per_cell"), i == 2 ? 4 : 8);
    for (const char* key : {"error", "standard_error", "low_pass_10", "low_pass_40", "mean",
                            "after_jump", "held", "extrapolated", "crossings_per_cell"}) {
      EXPECT_GT(row.at(key).get<double>(), 0.0) << key;
    }
  }
}

TEST(BenchTemporal, PrintsATable) {
  const Finished done =
      run_tool({"bench", "temporal", "--grid", "4", "--updates", "8", "--rays", "8",
                "--reference-rays", "16", "--levels", "0", "--backend", "cpu", "--quiet"});
  EXPECT_EQ(done.exit_code, 0);
  for (const char* word : {"independent", "continued", "difference", "after jump"}) {
    EXPECT_NE(done.out.find(word), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace ermine::test
