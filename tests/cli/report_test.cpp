#include "run_tool.hpp"

#include <nlohmann/json.hpp>

/// With --json standard output is one JSON object and nothing else, for programs to read.
namespace ermine::test {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::json;

Json parsed(const Finished& run) {
  const Json object = Json::parse(run.out, nullptr, false);
  EXPECT_TRUE(object.is_object()) << "not one JSON object: " << run.out;
  EXPECT_EQ(run.signal, 0);
  EXPECT_EQ(run.err, "");
  return object;
}

void expect_number_above(const Json& object, const std::string& key, double bound) {
  ASSERT_TRUE(object.contains(key)) << key;
  ASSERT_TRUE(object[key].is_number()) << key << " is " << object[key];
  EXPECT_GT(object[key].get<double>(), bound) << key;
}

void expect_estimate(const Json& estimate) {
  ASSERT_TRUE(estimate.is_object());
  EXPECT_TRUE(estimate.contains("value") && estimate["value"].is_number()) << estimate;
  expect_number_above(estimate, "standard_error", 0.0);
}

TEST(Report, OfRunHoldsWhatAProgramNeeds) {
  const ScratchFolder folder;
  const Finished run = run_tool({"run", valid_case, "--json", "-o", folder.path().string(), "--set",
                                 "solver.method=classic"});
  const Json report = parsed(run);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(report["cells"], 512);
  EXPECT_EQ(report["rays"], 512 * 4 + 2 * 64 * 2);
  EXPECT_EQ(report["lost_rays"], 0);
  EXPECT_EQ(report["method"], "classic");
  EXPECT_TRUE(report["backend"] == "cpu" || report["backend"] == "cuda") << report["backend"];
  expect_number_above(report, "seconds", 0.0);
  expect_number_above(report, "rays_per_second", 0.0);
  expect_number_above(report, "relative_standard_error", 0.0);
  expect_estimate(report["ledger"]);
  EXPECT_EQ(report["files"].size(), names_in(folder).size());
  for (const Json& file : report["files"]) {
    EXPECT_TRUE(fs::is_regular_file(file.get<std::string>())) << file;
    EXPECT_GT(fs::file_size(file.get<std::string>()), 0u) << file;
  }
}

TEST(Report, OfQuietRunIsTheSameObject) {
  const ScratchFolder folder;
  const Finished run =
      run_tool({"run", valid_case, "--json", "--quiet", "-o", folder.path().string()});
  EXPECT_EQ(parsed(run)["cells"], 512);
}

/// Cold gas between cold walls: no heat anywhere, and still numbers everywhere.
TEST(Report, OfAColdRunHoldsNumbers) {
  const ScratchFolder folder;
  const Finished run =
      run_tool({"run", valid_case, "--json", "-o", folder.path().string(), "--set", "temperature=0",
                "--set", "walls.x_low.temperature=0", "--set", "walls.x_high.temperature=0"});
  const Json report = parsed(run);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(report["relative_standard_error"], 0.0);
  EXPECT_EQ(report["ledger"]["value"], 0.0);
  EXPECT_EQ(report["ledger"]["standard_error"], 0.0);
  EXPECT_TRUE(report["rays_per_second"].is_number()) << report["rays_per_second"];
}

TEST(Report, IsNotPrintedByARunThatFails) {
  const ScratchFolder folder;
  expect_refusal(run_tool({"run", valid_case, "--json", "-o", folder.path().string(), "--set",
                           "temperature=-1"}),
                 {"temperature is -1"});
}

TEST(Report, OfInfoNamesVersionBuildAndDevices) {
  const Finished run = run_tool({"info", "--json"});
  const Json report = parsed(run);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(report["version"].is_string());
  EXPECT_TRUE(report["build"].is_object());
  ASSERT_TRUE(report["devices"].is_array());
  ASSERT_FALSE(report["devices"].empty());
  EXPECT_EQ(report["devices"][0]["backend"], "cpu");
  EXPECT_TRUE(report["methods"].is_array());
}

TEST(Report, OfBenchHoldsOneResultPerMeasurement) {
  const Finished run =
      run_tool({"bench", "--json", "--grid", "8", "--rays", "4", "--repeats", "1"});
  const Json report = parsed(run);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(report["machine"]["processor"].is_string());
  EXPECT_EQ(report["problem"]["grid"], 8);
  ASSERT_TRUE(report["results"].is_array());
  ASSERT_FALSE(report["results"].empty());
  for (const Json& result : report["results"]) {
    expect_number_above(result, "rays_per_second", 0.0);
    expect_number_above(result, "seconds", 0.0);
  }
}

std::vector<std::string> small_validation(const std::string& number) {
  return {"validate",       number,  "--json",         "--set", "grid.x.cells=8",        "--set",
          "grid.y.cells=8", "--set", "grid.z.cells=8", "--set", "solver.rays_per_cell=4"};
}

TEST(Report, OfValidateHoldsErrorBoundAndVerdict) {
  for (const std::string number : {"1", "3"}) {
    const Finished run = run_tool(small_validation(number));
    const Json report = parsed(run);
    ASSERT_EQ(report["cases"].size(), 1u);
    const Json& verdict = report["cases"][0];
    EXPECT_EQ(verdict["case"], std::stoi(number));
    expect_number_above(verdict, "error", 0.0);
    expect_number_above(verdict, "bound", 0.0);
    expect_estimate(verdict["ledger"]);
    ASSERT_TRUE(verdict["pass"].is_boolean());
    EXPECT_EQ(verdict["pass"].get<bool>(), verdict["error"] <= verdict["bound"]);
    EXPECT_EQ(run.exit_code, verdict["pass"].get<bool>() ? 0 : 1);
  }
}

/// The references of the cubes know cubes only.
TEST(Validate, OfACubeRefusesAnotherShape) {
  auto words = small_validation("3");
  words.insert(words.end(), {"--set", "grid.y.cells=4"});
  expect_refusal(run_tool(words), {"grid"});
}

TEST(Validate, WritesItsCurves) {
  const ScratchFolder folder;
  auto words = small_validation("1");
  words.insert(words.end(), {"-o", folder.path().string()});
  parsed(run_tool(words));
  EXPECT_EQ(names_in(folder), std::set<std::string>{"case01.csv"});
}

TEST(Validate, SaysThatItsFolderIsAFile) {
  const ScratchFolder folder;
  write_file(folder / "taken", "");
  auto words = small_validation("1");
  words.insert(words.end(), {"-o", (folder / "taken").string()});
  expect_refusal(run_tool(words), {"cannot create", (folder / "taken").string()});
}

}  // namespace
}  // namespace ermine::test
