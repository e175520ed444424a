#include "run_tool.hpp"

#include <nlohmann/json.hpp>

/// With --json standard output is one JSON object and nothing else, for programs to read.
namespace ermine::test {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::json;

Json parsed_report(const Finished& run) {
  const Json object = Json::parse(run.out, nullptr, false);
  EXPECT_TRUE(object.is_object()) << "not one JSON object: " << run.out;
  EXPECT_EQ(run.signal, 0);
  EXPECT_EQ(run.err, "");
  return object;
}

void expect_number_above(const Json& object, const std::string& key, double bound) {
  ASSERT_TRUE(object.contains(key)) << key;
  ASSERT_TRUE(object.at(key).is_number()) << key << " is " << object.at(key);
  EXPECT_GT(object.at(key).get<double>(), bound) << key;
}

void expect_estimate(const Json& estimate) {
  ASSERT_TRUE(estimate.is_object());
  EXPECT_TRUE(estimate.contains("value") && estimate.at("value").is_number()) << estimate;
  expect_number_above(estimate, "standard_error", 0.0);
}

TEST(Report, OfRunHoldsWhatAProgramNeeds) {
  const ScratchFolder folder;
  const Finished run = run_tool({"run", valid_case, "--json", "-o", folder.path().string(), "--set",
                                 "solver.method=classic"});
  const Json report = parsed_report(run);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(report.at("cells"), 512);
  EXPECT_EQ(report.at("rays"), 512 * 4 + 2 * 64 * 2);
  EXPECT_EQ(report.at("lost_rays"), 0);
  EXPECT_EQ(report.at("method"), "classic");
  EXPECT_TRUE(report.at("backend") == "cpu" || report.at("backend") == "cuda")
      << report.at("backend");
  expect_number_above(report, "seconds", 0.0);
  expect_number_above(report, "rays_per_second", 0.0);
  expect_number_above(report, "relative_standard_error", 0.0);
  expect_estimate(report.at("ledger"));
  EXPECT_EQ(report.at("files").size(), 3u);
  EXPECT_EQ(names_in(folder).size(), 3u);
  for (const Json& file : report.at("files")) {
    EXPECT_TRUE(fs::is_regular_file(file.get<std::string>())) << file;
    EXPECT_GT(fs::file_size(file.get<std::string>()), 0u) << file;
  }
}

TEST(Report, OfATargetSaysWhatBecameOfIt) {
  const ScratchFolder folder;
  const auto run = [&](const std::string& target, const std::string& limit) {
    const Finished finished = run_tool({"run", valid_case, "--json", "-o", folder.path().string(),
                                        "--set", target, "--set", limit, "--quiet"});
    EXPECT_EQ(finished.exit_code, 0);
    return parsed_report(finished).at("accuracy");
  };
  const Json reached = run("solver.target_error=0.05", "solver.time_limit=100");
  EXPECT_EQ(reached.at("stopped_by"), "target");
  EXPECT_LE(reached.at("error"), reached.at("target"));
  expect_number_above(reached, "standard_error", 0.0);
  const Json late = run("solver.target_error_absolute=1e-9", "solver.time_limit=0.3");
  EXPECT_EQ(late.at("stopped_by"), "time_limit");
  EXPECT_EQ(late.at("target"), 1e-9);
  EXPECT_GT(late.at("error"), late.at("target"));
}

TEST(Report, TellsTheErrorOfTheMesh) {
  const ScratchFolder folder;
  const auto run = [&](const std::string& setting) {
    return parsed_report(run_tool(
        {"run", valid_case, "--json", "-o", folder.path().string(), "--set", setting, "--quiet"}));
  };
  const Json silent = run("solver.mesh_correction=false");
  EXPECT_TRUE(silent.at("mesh_error").is_null());
  EXPECT_EQ(silent.at("mesh_correction"), false);
  EXPECT_EQ(silent.at("start"), "average");
  const Json asked = run("solver.estimate_mesh_error=true");
  EXPECT_EQ(asked.at("mesh_correction"), true);
  expect_number_above(asked.at("mesh_error"), "order", 0.9);
  expect_number_above(asked.at("mesh_error"), "standard_error", 0.0);
}

TEST(Report, OfQuietRunIsTheSameObject) {
  const ScratchFolder folder;
  const Finished run =
      run_tool({"run", valid_case, "--json", "--quiet", "-o", folder.path().string()});
  const Json report = parsed_report(run);
  EXPECT_EQ(report.at("cells"), 512);
  EXPECT_EQ(report.at("method"), "net");
}

/// Cold gas between cold walls: no heat anywhere, and still numbers everywhere.
TEST(Report, OfAColdRunHoldsNumbers) {
  const ScratchFolder folder;
  const Finished run =
      run_tool({"run", valid_case, "--json", "-o", folder.path().string(), "--set", "temperature=0",
                "--set", "walls.x_low.temperature=0", "--set", "walls.x_high.temperature=0"});
  const Json report = parsed_report(run);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(report.at("relative_standard_error"), 0.0);
  EXPECT_EQ(report.at("ledger").at("value"), 0.0);
  EXPECT_EQ(report.at("ledger").at("standard_error"), 0.0);
  EXPECT_TRUE(report.at("rays_per_second").is_number()) << report.at("rays_per_second");
}

TEST(Report, IsNotPrintedByARunThatFails) {
  const ScratchFolder folder;
  expect_refusal(run_tool({"run", valid_case, "--json", "-o", folder.path().string(), "--set",
                           "temperature=-1"}),
                 {"temperature is -1"});
}

TEST(Report, OfInfoNamesVersionBuildAndDevices) {
  const Finished run = run_tool({"info", "--json"});
  const Json report = parsed_report(run);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(report.at("version").is_string());
  EXPECT_TRUE(report.at("build").is_object());
  ASSERT_TRUE(report.at("devices").is_array());
  ASSERT_FALSE(report.at("devices").empty());
  EXPECT_EQ(report.at("devices").at(0).at("backend"), "cpu");
  EXPECT_EQ(report.at("methods"), Json({"net", "classic", "texture", "sorted", "multigrid"}));
  EXPECT_TRUE(report.at("build").at("cuda").is_boolean());
  const bool none = report.at("devices").size() == 1;
  EXPECT_EQ(report.at("why_no_gpu").get<std::string>().empty(), !none);
  for (std::size_t i = 1; i < report.at("devices").size(); ++i) {
    const Json& gpu = report.at("devices").at(i);
    EXPECT_EQ(gpu.at("backend"), "cuda");
    EXPECT_FALSE(gpu.at("name").get<std::string>().empty());
    EXPECT_NE(gpu.at("compute_capability").get<std::string>().find('.'), std::string::npos);
    expect_number_above(gpu, "memory", 0.0);
  }
}

TEST(Info, SaysWhyThereIsNoGpu) {
  const Finished run = run_tool({"info"}, {.environment = {{"CUDA_VISIBLE_DEVICES", ""}}});
  expect_success(run);
  EXPECT_NE(run.out.find("GPU       none: "), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("methods   net (default), classic, texture, sorted, multigrid"),
            std::string::npos);
}

TEST(Report, OfBenchHoldsOneResultPerMeasurement) {
  const Finished run = run_tool({"bench", "--json", "--grid", "8", "--rays", "4", "--repeats", "1",
                                 "--backend", "cpu", "--method", "sorted"});
  const Json report = parsed_report(run);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(report.at("machine").at("processor").is_string());
  EXPECT_TRUE(report.at("machine").at("device").is_string());
  EXPECT_EQ(report.at("problem").at("grid"), 8);
  ASSERT_TRUE(report.at("results").is_array());
  ASSERT_FALSE(report.at("results").empty());
  for (const Json& result : report.at("results")) {
    EXPECT_EQ(result.at("backend"), "cpu");
    EXPECT_EQ(result.at("method"), "sorted");
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
    const Json report = parsed_report(run);
    ASSERT_EQ(report.at("cases").size(), 1u);
    const Json& verdict = report.at("cases").at(0);
    EXPECT_EQ(verdict.at("case"), std::stoi(number));
    expect_number_above(verdict, "error", 0.0);
    expect_number_above(verdict, "bound", 0.0);
    EXPECT_FALSE(verdict.at("hardware").get<std::string>().empty());
    expect_estimate(verdict.at("ledger"));
    ASSERT_TRUE(verdict.at("pass").is_boolean());
    const bool pass = verdict.at("pass").get<bool>();
    EXPECT_TRUE(!pass || verdict.at("error") <= verdict.at("bound")) << verdict;
    EXPECT_EQ(run.exit_code, pass ? 0 : 1);
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
  parsed_report(run_tool(words));
  EXPECT_EQ(names_in(folder), (std::set<std::string>{"case01.csv", "case01.svg"}));
}

TEST(Validate, SaysThatItsFolderIsAFile) {
  const ScratchFolder folder;
  write_file(folder / "taken", "");
  auto words = small_validation("1");
  words.insert(words.end(), {"-o", (folder / "taken").string()});
  expect_refusal(run_tool(words), {"cannot create", (folder / "taken").string()});
}

TEST(BenchForecast, ComparesWhatWasPredicted) {
  const Json report = parsed(run_tool({"bench", "forecast", valid_case, "--json", "--quiet"}));
  for (const char* key : {"seconds", "processor_seconds", "rays", "relative_error"}) {
    for (const char* how : {"predicted", "measured"}) {
      expect_number_above(report.at(key), how, -1e-300);  // clocks of processors tick
    }
  }
  EXPECT_EQ(report["rays"]["predicted"], report["rays"]["measured"]);
  const Finished table = run_tool({"bench", "forecast", valid_case, "--quiet"});
  expect_success(table);
  EXPECT_NE(table.out.find("error of Q over Q"), std::string::npos) << table.out;
}

}  // namespace
}  // namespace ermine::test
