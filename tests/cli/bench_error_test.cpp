#include "json_output.hpp"

#include <cmath>

namespace ermine::test {
namespace {

using Words = std::vector<std::string>;

/// A study so small, unless told otherwise, that it takes a moment. References and runs of the
/// fewest rays are enough for its target: more of them are a matter of time.
Finished study(Words words) {
  const std::vector<std::pair<std::string, std::string>> small{{"--problem", "case10"},
                                                               {"--grid", "4"},
                                                               {"--target", "0.9"},
                                                               {"--backend", "cpu"},
                                                               {"--budget", "2"}};
  for (const auto& [option, value] : small) {
    if (std::find(words.begin(), words.end(), option) != words.end()) continue;
    words.insert(words.end(), {option, value});
  }
  words.insert(words.begin(), {"bench", "error", "--quiet"});
  return run_tool(words);
}

TEST(BenchError, HasEveryProblemAndMethod) {
  // A target that a reference of the fewest rays can tell, too.
  const Json report = parsed(
      study({"--problem", "case10,cube", "--problem", "channel", "--target", "0.9", "--json"}));
  EXPECT_TRUE(report.at("machine").contains("processor"));
  std::set<std::pair<std::string, std::string>> found;
  for (const Json& row : report.at("results")) {
    found.insert({row.at("problem").get<std::string>(), row.at("method").get<std::string>()});
    EXPECT_EQ(row.at("grid"), 4);
    EXPECT_EQ(row.at("backend"), "cpu");
    EXPECT_EQ(row.at("threads"), 2);
    for (const char* key : {"seconds", "setup_seconds", "rays_per_cell", "standard_error",
                            "rays_per_second", "rays_used"}) {
      EXPECT_GT(row.at(key).get<double>(), 0.0) << key;
    }
    // Zero: the noise of the reference hides it.
    for (const char* key : {"error", "bias", "figure_of_merit"}) {
      EXPECT_GE(row.at(key).get<double>(), 0.0) << key;
    }
    EXPECT_EQ(row.at("target").is_null(), row.at("method") == "classic-levels");
  }
  for (const char* problem : {"case10", "cube", "channel"}) {
    for (const char* method : {"net", "multigrid", "classic", "classic-levels"}) {
      EXPECT_EQ(found.count({problem, method}), 1u) << problem << " " << method << report;
    }
  }
  ASSERT_EQ(report.at("references").size(), 3u);
  EXPECT_EQ(report.at("references").at(0).at("cells"), 4 * 3 * 3);
  EXPECT_EQ(report.at("references").at(1).at("cells"), 4 * 4 * 4);
  for (const Json& reference : report.at("references")) {
    EXPECT_GE(reference.at("rays_per_cell").get<int>(), 64);
    EXPECT_GT(reference.at("standard_error").get<double>(), 0.0);
    EXPECT_GT(reference.at("smallest_error").get<double>(), 0.0);
  }
  EXPECT_TRUE(report.at("left_out").empty()) << report.at("left_out");
}

/// The grid counts cells of the short axes: boxes have twice as many along the long one.
TEST(BenchError, HasMixturesReflectingWallsAndBoxes) {
  const std::vector<std::pair<std::string, int>> cells{{"cube-mixture", 4 * 4 * 4},
                                                       {"cube-fields-grey-walls", 4 * 4 * 4},
                                                       {"flame", 4 * 4 * 8},
                                                       {"furnace", 8 * 4 * 4}};
  std::string problems;
  for (const auto& [problem, count] : cells) problems += (problems.empty() ? "" : ",") + problem;
  const Json report =
      parsed(study({"--problem", problems, "--method", "net", "--budget", "4", "--json"}));
  EXPECT_TRUE(report.at("left_out").empty()) << report.at("left_out");
  ASSERT_EQ(report.at("results").size(), cells.size());
  ASSERT_EQ(report.at("references").size(), cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto& [problem, count] = cells[i];
    for (const char* list : {"results", "references"}) {
      EXPECT_EQ(report.at(list).at(i).at("problem"), problem);
      EXPECT_EQ(report.at(list).at(i).at("grid"), 4);
    }
    EXPECT_EQ(report.at("references").at(i).at("cells"), count) << problem;
    EXPECT_LE(report.at("results").at(i).at("error").get<double>(), 0.9) << problem;
  }
}

/// The net's rows are runs that reached the target; those of random rays are scaled to it.
TEST(BenchError, SaysWhatIsScaled) {
  const Json report = parsed(study({"--target", "0.9,0.7", "--json"}));
  std::multiset<std::string> reached;
  for (const Json& row : report.at("results")) {
    if (row.at("target").is_null()) continue;
    const double target = row.at("target");
    const double factor = row.at("rays_per_cell").get<double>() / row.at("rays_used").get<double>();
    reached.insert(row.at("method").get<std::string>());
    if (row.at("method") == "net") {
      EXPECT_EQ(row.at("scaled"), false);
      EXPECT_LE(row.at("error").get<double>(), target);
      EXPECT_EQ(factor, 1.0);
    } else {
      EXPECT_EQ(row.at("scaled"), true);
      EXPECT_EQ(row.at("standard_error"), target);
      EXPECT_NEAR(factor, std::pow(row.at("standard_error_used").get<double>() / target, 2),
                  1e-9 * factor);
      EXPECT_NEAR(row.at("seconds").get<double>(), factor * row.at("seconds_used").get<double>(),
                  1e-9 * row.at("seconds").get<double>());
    }
  }
  EXPECT_EQ(reached, (std::multiset<std::string>{"classic", "classic", "multigrid", "multigrid",
                                                 "net", "net"}));
  int over_net = 0;
  for (const Json& finding : report.at("findings")) {
    if (finding.at("key") != "time_over_net") continue;
    EXPECT_EQ(finding.at("scaled"), true);
    ++over_net;
  }
  EXPECT_EQ(over_net, 4);
}

TEST(BenchError, LeavesOutWhatDoesNotFit) {
  const Json report = parsed(study({"--problem", "cube", "--grid", "4,1024", "--target",
                                    "0.9,0.00001", "--method", "net,classic-levels", "--json"}));
  std::multiset<int> grids;
  for (const Json& gap : report.at("left_out")) {
    grids.insert(gap.at("grid").get<int>());
    const std::string expected =
        gap.at("grid") == 1024 ? "does not fit into the budget of time" : "its reference tells";
    EXPECT_EQ(gap.at("why").get<std::string>().rfind(expected, 0), 0u) << gap;
  }
  EXPECT_EQ(grids, (std::multiset<int>{4, 1024, 1024, 1024}));  // classic-levels has no target
  for (const Json& row : report.at("results")) EXPECT_EQ(row.at("grid"), 4);
}

TEST(BenchError, CountsThreads) {
  const Json report = parsed(study({"--threads", "1,2", "--method", "net", "--json"}));
  ASSERT_EQ(report.at("results").size(), 2u);
  EXPECT_EQ(report.at("results").at(0).at("threads"), 1);
  EXPECT_EQ(report.at("results").at(1).at("threads"), 2);
  EXPECT_EQ(report.at("results").at(0).at("error"), report.at("results").at(1).at("error"));
}

TEST(BenchError, CalibratesErrorBars) {
  const Json report = parsed(study({"--calibration", "--grid", "6,4", "--json"}));
  ASSERT_EQ(report.at("calibration").size(), 1u);
  const Json& row = report.at("calibration").at(0);
  EXPECT_EQ(row.at("problem"), "case10");
  EXPECT_EQ(row.at("grid"), 4);
  EXPECT_GE(row.at("seeds").get<int>() * row.at("replicates").get<int>(), 200);
  EXPECT_GE(row.at("rays_per_cell"), 64);
  EXPECT_NEAR(row.at("ratio").get<double>(), 1.0, 0.25);
  EXPECT_NEAR(row.at("within_two").get<double>(), 0.93, 0.06);
}

TEST(BenchError, PrintsTables) {
  const Finished run = study({"--calibration"});
  expect_success(run);
  for (const char* text : {"case10, 2 CPU threads", "net", "multigrid", "classic-levels", "x net",
                           "*: not measured but scaled", "reference on grid 4", "within two"}) {
    EXPECT_NE(run.out.find(text), std::string::npos) << text << "\n" << run.out;
  }
}

TEST(BenchError, WritesItsReport) {
  const ScratchFolder folder;
  const Finished run = study({"--method", "net", "--json", "-o", folder.path().string()});
  EXPECT_EQ(parsed(run), Json::parse(contents_of(folder / "error.json")));
  std::set<std::string> names = names_in(folder);
  names.erase("error.svg");  // drawn where Python has matplotlib
  EXPECT_EQ(names, std::set<std::string>{"error.json"});
}

TEST(BenchError, RefusesWrongOptions) {
  const std::vector<std::pair<Words, std::string>> wrong{{{"--problem", "moon"}, "moon"},
                                                         {{"--method", "sorted"}, "sorted"},
                                                         {{"--grid", "2"}, "3 to 1024"},
                                                         {{"--grid", "8,many"}, "many"},
                                                         {{"--target", "0"}, "--target"},
                                                         {{"--target", "-1"}, "--target"},
                                                         {{"--target", "nan"}, "--target"},
                                                         {{"--threads", "-1"}, "0 to"},
                                                         {{"--budget", "0"}, "1 to"},
                                                         {{"--backend", "opencl"}, "opencl"},
                                                         {{"--output", ""}, "is empty"},
                                                         {{"--frobnicate"}, "--frobnicate"},
                                                         {{"step"}, "step"}};
  for (const auto& [words, expected] : wrong) {
    expect_refusal(study(words), {expected, "see ermine bench error --help"}, 2);
  }
}

TEST(BenchError, NeedsTheBackendItIsAskedFor) {
  Words words{"bench", "error", "--backend", "cuda", "--quiet"};
  expect_refusal(run_tool(words, {.environment = {{"CUDA_VISIBLE_DEVICES", ""}}}),
                 {"solver.backend is \"cuda\"", "there is no GPU"});
}

}  // namespace
}  // namespace ermine::test
