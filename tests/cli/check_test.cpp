#include "json_output.hpp"

namespace ermine::test {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

constexpr bool sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
  return __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
  return false;
#endif
}

/// A new case of a kind, with some keys set.
struct SomeCase {
  const char* name;
  const char* kind;
  Words keys;
};

/// What was predicted, and what came.
struct Pair {
  Json check;
  Json report;
};

Pair check_and_run(const SomeCase& some) {
  const ScratchFolder folder;
  const Surroundings around{.folder = folder.path().string(),
                            .environment = {{"OMP_NUM_THREADS", "2"}}};
  expect_success(run_tool({"new", "mine", "--kind", some.kind}, around));
  Words words{"check", "mine.toml", "--json"};
  for (const std::string& key : some.keys) words.insert(words.end(), {"--set", key});
  const Json check = parsed(run_tool(words, around));
  words[0] = "run";
  words.push_back("-q");
  return {check, parsed(run_tool(words, around))};
}

double ratio(const Json& a, double b) { return a.get<double>() / b; }

class CheckPredicts : public testing::TestWithParam<SomeCase> {};

/// Times and errors are predicted from what a machine does in a second, see ForecastOf.
TEST_P(CheckPredicts, MemoryAndRays) {
  if (sanitized())
    GTEST_SKIP() << "sanitizers take memory of their own: needs a build without them";
  const auto [check, report] = check_and_run(GetParam());
  EXPECT_NEAR(ratio(check["memory"]["peak"], report["memory"]["peak"]), 1.0, 0.2);
  EXPECT_NEAR(ratio(check["rays"], report["rays"]), 1.0, 0.01);
  EXPECT_EQ(check["levels"], report["levels"]);
  EXPECT_EQ(check["threads"], report["threads"]);
  EXPECT_GT(check["relative_error"], 0);
  EXPECT_GT(check["seconds"], 0);
  EXPECT_GT(check["processor_seconds"], 0);
}

INSTANTIATE_TEST_SUITE_P(
    Cli, CheckPredicts,
    testing::Values(
        SomeCase{"slab", "slab", {"solver.rays_per_cell=65536"}},
        SomeCase{"box",
                 "box",
                 {"grid.x.cells=80", "grid.y.cells=64", "grid.z.cells=64",
                  "solver.rays_per_cell=16", "walls.z_high.reflection=diffuse"}},
        SomeCase{"channel", "channel", {"solver.rays_per_cell=512"}},
        SomeCase{"mixture", "mixture", {"solver.rays_per_cell=128"}},
        SomeCase{"classic", "box", {"solver.method=classic", "solver.rays_per_cell=64"}},
        SomeCase{"unbiased", "slab", {"solver.unbiased=true", "solver.rays_per_cell=32768"}}),
    [](const auto& test) { return test.param.name; });

TEST(Check, SaysThatATargetWillBeReached) {
  const auto [check, report] = check_and_run({"", "slab", {"solver.target_error=0.01"}});
  EXPECT_EQ(check["stopped_by"], "target");
  EXPECT_EQ(report["accuracy"]["stopped_by"], "target");
  EXPECT_GT(check["rays"], 0);
  EXPECT_LE(check["relative_error"], 0.01 * 1.01);
}

TEST(Check, SaysThatTimeWillBeUp) {
  const ScratchFolder folder;
  const Json check = parsed(run_tool({"check", valid_case, "--json", "--set", "solver.method=net",
                                      "--set", "solver.target_error=1e-7", "--set",
                                      "solver.time_limit=5", "-o", folder.path().string()}));
  EXPECT_EQ(check["stopped_by"], "time_limit");
  const Json& phases = check["seconds_by_phase"];
  EXPECT_LE(phases["gas"].get<double>() + phases["walls"].get<double>(), 5);
  EXPECT_GT(check["relative_error"], 1e-7);
}

/// What a process held before it became the tool is not the tool's.
TEST(Check, PeakMemoryIsThatOfTheRunAlone) {
  if (sanitized())
    GTEST_SKIP() << "sanitizers take memory of their own: needs a build without them";
  const ScratchFolder folder;
  constexpr std::size_t many = 400'000'000;
  const std::vector<char> held(many, 'h');  // by the process that starts it, whose copy becomes it
  const Json report = parsed(run_tool({"run", valid_case, "--json", "-o", folder.path().string()}));
  EXPECT_EQ(held.back(), 'h');
  EXPECT_GT(report["memory"]["peak"], 1e6);
  EXPECT_LT(report["memory"]["peak"], many / 2);
}

/// Mirrors all round, and next to nothing that absorbs.
TEST(Check, RefusesRaysThatCannotEnd) {
  const ScratchFolder folder;
  for (const char* verb : {"check", "run"}) {
    expect_refusal(run_tool({verb, valid_case, "--set", "medium.absorption_coefficient=1e-6",
                             "--set", "walls.x_low.emissivity=0", "--set",
                             "walls.x_high.emissivity=0", "-o", folder.path().string()}),
                   {"rays cannot end", "100 % of the rays", "add absorbing walls"});
  }
}

TEST(Check, WarnsOfLongRays) {
  const ScratchFolder folder;
  for (const char* verb : {"check", "run"}) {
    const Finished done = run_tool({verb,    valid_case,
                                    "--set", "medium.absorption_coefficient=3e-5",
                                    "--set", "walls.x_low.emissivity=0",
                                    "--set", "walls.x_high.emissivity=0",
                                    "--set", "solver.rays_per_cell=2",
                                    "--set", "grid.x.cells=2",
                                    "--set", "grid.y.cells=1",
                                    "--set", "grid.z.cells=1",
                                    "--set", "solver.rays_per_wall_face=0",
                                    "-o",    folder.path().string()});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(done.err.rfind("ermine: warning: a ray crosses about ", 0), 0u) << done.err;
  }
}

TEST(Check, PrintsWhatARunWillTake) {
  const ScratchFolder folder;
  const Finished check = run_tool({"check", valid_case, "-o", folder.path().string()});
  expect_success(check);
  for (const char* word : {"grid", "medium", "rays", "memory", "time", "error", "in order"}) {
    EXPECT_NE(check.out.find(word), std::string::npos) << word << "\n" << check.out;
  }
}

TEST(Check, LeavesNoFolder) {
  const ScratchFolder folder;
  const fs::path below = folder.path() / "a" / "b";
  expect_success(run_tool({"check", valid_case, "-o", below.string()}));
  EXPECT_EQ(names_in(folder), std::set<std::string>{});
  fs::create_directories(below);
  expect_success(run_tool({"check", valid_case, "-o", below.string()}));
  EXPECT_TRUE(fs::is_directory(below));
}

/// Of a gas at some pressure, from a check and from a run: on standard error, and in JSON.
void expect_warnings(const std::string& medium, const std::vector<std::string>& expected) {
  const ScratchFolder folder;
  for (const char* verb : {"check", "run"}) {
    const Finished done = run_tool({verb, valid_case, "--json", "--set", "medium=" + medium,
                                    "--set", "temperature=1000", "-o", folder.path().string()});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    const Json object = Json::parse(done.out, nullptr, false);
    ASSERT_TRUE(object.is_object()) << done.out;
    ASSERT_EQ(object["warnings"].size(), expected.size()) << object["warnings"];
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'),
              static_cast<std::ptrdiff_t>(expected.size()))
        << done.err;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::string warning = object["warnings"][i];
      EXPECT_EQ(warning.rfind(expected[i], 0), 0u) << warning;
      EXPECT_NE(done.err.find("ermine: warning: " + warning + "\n"), std::string::npos) << done.err;
    }
  }
}

TEST(Check, WarnsOfPressuresAtWhichWingsLeaveTheirBands) {
  const auto mixture = [](const std::string& fractions, double atm) {
    return "{ mole_fractions = { " + fractions + " }, pressure = " + std::to_string(101325 * atm) +
           ", band_width_cm1 = 500, quadrature_points = 2 }";
  };
  expect_warnings(mixture("CO2 = 0.1, H2O = 0.2", 30),
                  {"CO2 at 30 atm emits about 24 % too little"});
  expect_warnings(mixture("CO2 = 0.1", 80), {"CO2 at 80 atm emits at least 34 % too little"});
  expect_warnings(mixture("CO2 = 0.1", 1), {});
  expect_warnings(mixture("CO2 = 0, H2O = 0.2", 30), {});
}

TEST(Check, RefusesAFolderThatCannotBe) {
  const ScratchFolder folder;
  write_file(folder.path() / "file", "");
  expect_refusal(run_tool({"check", valid_case, "-o", (folder.path() / "file").string()}),
                 {"cannot create output folder", "choose another"});
}

}  // namespace
}  // namespace ermine::test
