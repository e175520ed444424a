#include "json_output.hpp"

namespace ermine::test {
namespace {

using Words = std::vector<std::string>;

/// A ladder so small, unless told otherwise, that it takes a moment.
Finished climb(Words words) {
  const std::vector<std::pair<std::string, std::string>> small{
      {"--grids", "8"}, {"--rays", "16"}, {"--budget", "600"}};
  for (const auto& [option, value] : small) {
    if (std::find(words.begin(), words.end(), option) != words.end()) continue;
    words.insert(words.end(), {option, value});
  }
  words.insert(words.begin(), {"bench", "ladder", "--quiet"});
  return run_tool(words);
}

TEST(Ladder, OfGridsHasEveryMethodAndTheCpu) {
  const Json report = parsed(climb({"--part", "grids", "--json"}));
  for (const char* key :
       {"processor", "threads", "device", "compiler", "flags", "ermine_version"}) {
    EXPECT_TRUE(report.at("machine").contains(key)) << key;
  }
  std::set<std::string> methods;
  std::set<int> cpu_threads;
  for (const Json& row : report.at("results")) {
    if (row.at("part") == "grids") methods.insert(row.at("method"));
    if (row.at("part") == "cpu") cpu_threads.insert(row.at("threads").get<int>());
    EXPECT_EQ(row.at("grid"), 8);
    EXPECT_EQ(row.at("rays"), 16);
    EXPECT_EQ(row.at("scaled"), row.at("rays") != row.at("rays_used"));
    for (const char* key : {"seconds", "seconds_scaled", "total_seconds", "rays_per_second",
                            "crossings_per_ray", "standard_error"}) {
      EXPECT_GT(row.at(key).get<double>(), 0.0) << key;
    }
    EXPECT_GE(row.at("device_memory").get<double>(), 0.0);
    EXPECT_TRUE(row.at("backend") == "cpu" || row.at("backend") == "cuda");
  }
  EXPECT_EQ(methods, (std::set<std::string>{"classic", "texture", "sorted", "multigrid"}));
  EXPECT_EQ(cpu_threads, (std::set<int>{1, 2}));
  EXPECT_TRUE(report.at("left_out").empty()) << report.at("left_out");
}

/// More rays than any machine traces in the time: fewer are, and every row says so.
TEST(Ladder, FlagsTimesThatWereScaled) {
  const Json report = parsed(climb(
      {"--part", "grids", "--rays", "4000000000", "--backend", "cpu", "--budget", "1", "--json"}));
  ASSERT_FALSE(report.at("results").empty());
  for (const Json& row : report.at("results")) {
    EXPECT_EQ(row.at("scaled"), true);
    EXPECT_LT(row.at("rays_used"), row.at("rays"));
    EXPECT_NEAR(row.at("seconds_scaled").get<double>() / row.at("seconds").get<double>(),
                row.at("rays").get<double>() / row.at("rays_used").get<double>(), 1.0);
  }
  for (const Json& finding : report.at("findings")) EXPECT_EQ(finding.at("scaled"), true);
}

TEST(Ladder, LeavesOutWhatDoesNotFit) {
  const Json report = parsed(climb(
      {"--part", "grids", "--grids", "8,1024", "--backend", "cpu", "--budget", "1", "--json"}));
  ASSERT_EQ(report.at("left_out").size(), 1u);
  EXPECT_EQ(report.at("left_out").at(0).at("grid"), 1024);
  EXPECT_EQ(report.at("left_out").at(0).at("why"), "does not fit into the budget of time");
  for (const Json& row : report.at("results")) EXPECT_EQ(row.at("grid"), 8);
}

TEST(Ladder, OfRaysHasEveryCount) {
  const Json report =
      parsed(climb({"--part", "rays", "--rays-grid", "8", "--ray-counts", "4,16", "--json"}));
  std::multiset<int> rays;
  for (const Json& row : report.at("results")) rays.insert(row.at("rays").get<int>());
  EXPECT_EQ(rays, (std::multiset<int>{4, 4, 4, 4, 16, 16, 16, 16}));
}

TEST(Ladder, OfLevelsComparesThemWithOneGrid) {
  const Json report = parsed(climb({"--part", "levels", "--levels-grid", "12", "--json"}));
  ASSERT_EQ(report.at("results").size(), 3u);
  for (int levels = 1; levels <= 3; ++levels) {
    EXPECT_EQ(report.at("results").at(levels - 1).at("levels"), levels);
  }
  ASSERT_EQ(report.at("bias").size(), 2u);
  for (const Json& bias : report.at("bias")) {
    EXPECT_GT(bias.at("largest_q").get<double>(), 0.0);
    EXPECT_GT(bias.at("squared_bias_standard_error").get<double>(), 0.0);
  }
}

TEST(Ladder, OfBiasHasBothProblems) {
  const Json report = parsed(climb({"--part", "bias", "--bias-grid", "8", "--json"}));
  std::multiset<std::string> problems;
  for (const Json& bias : report.at("bias")) problems.insert(bias.at("problem"));
  EXPECT_EQ(problems.count("case 10"), 8u);
  EXPECT_EQ(problems.count("eddies"), 8u);
}

TEST(Ladder, PrintsTablesBesideThePaper) {
  const Finished run = climb({"--part", "grids"});
  expect_success(run);
  for (const char* text : {"multigrid", "over classic", "CPU thread", "18.2", "Silvestri"}) {
    EXPECT_NE(run.out.find(text), std::string::npos) << text << "\n" << run.out;
  }
}

TEST(Ladder, WritesItsReport) {
  const ScratchFolder folder;
  const Finished run = climb({"--part", "grids", "--json", "-o", folder.path().string()});
  EXPECT_EQ(parsed(run), Json::parse(contents_of(folder / "ladder.json")));
  std::set<std::string> names = names_in(folder);
  names.erase("ladder.svg");  // drawn where Python has matplotlib
  EXPECT_EQ(names, std::set<std::string>{"ladder.json"});
}

TEST(Ladder, RefusesWrongOptions) {
  const std::vector<std::pair<Words, std::string>> wrong{{{"--part", "moon"}, "moon"},
                                                         {{"--grids", "2"}, "3 to 1024"},
                                                         {{"--grids", "8,many"}, "many"},
                                                         {{"--rays", "1"}, "2 to"},
                                                         {{"--ray-counts", "1"}, "2 to"},
                                                         {{"--budget", "0"}, "1 to"},
                                                         {{"--backend", "opencl"}, "opencl"},
                                                         {{"--output", ""}, "is empty"},
                                                         {{"--levels-grid", "2"}, "3 to 1024"},
                                                         {{"--frobnicate"}, "--frobnicate"},
                                                         {{"step"}, "step"}};
  for (const auto& [words, expected] : wrong) {
    expect_refusal(climb(words), {expected, "see ermine bench ladder --help"}, 2);
  }
}

TEST(Ladder, NeedsTheBackendItIsAskedFor) {
  Words words{"bench", "ladder", "--backend", "cuda", "--quiet"};
  expect_refusal(run_tool(words, {.environment = {{"CUDA_VISIBLE_DEVICES", ""}}}),
                 {"solver.backend is \"cuda\"", "there is no GPU"});
}

}  // namespace
}  // namespace ermine::test
