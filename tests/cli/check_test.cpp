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

/// What was foretold, and what came.
struct Pair {
  Json check;
  Json report;
  double processor_seconds;  ///< of the run
};

Pair check_and_run(const SomeCase& some, const char* threads) {
  const ScratchFolder folder;
  const Surroundings around{.folder = folder.path().string(),
                            .processor_seconds = 120,
                            .environment = {{"OMP_NUM_THREADS", threads}}};
  expect_success(run_tool({"new", "mine", "--kind", some.kind}, around));
  Words words{"check", "mine.toml", "--json"};
  for (const std::string& key : some.keys) words.insert(words.end(), {"--set", key});
  const Json check = parsed(run_tool(words, around));
  words[0] = "run";
  words.push_back("-q");
  const Finished run = run_tool(words, around);
  return {check, parsed(run), run.processor_seconds};
}

double ratio(const Json& a, double b) { return a.get<double>() / b; }

class CheckForetells : public testing::TestWithParam<SomeCase> {};

TEST_P(CheckForetells, MemoryAndError) {
  if (sanitized()) GTEST_SKIP() << "sanitizers take memory of their own";
  const auto [check, report, processor_seconds] = check_and_run(GetParam(), "2");
  EXPECT_NEAR(ratio(check["memory"]["peak"], report["memory"]["peak"]), 1.0, 0.2);
  EXPECT_GT(ratio(check["relative_error"], report["relative_standard_error"]), 0.4);
  EXPECT_LT(ratio(check["relative_error"], report["relative_standard_error"]), 2.5);
  EXPECT_NEAR(ratio(check["rays"], report["rays"]), 1.0, 0.01);
  EXPECT_EQ(check["levels"], report["levels"]);
  EXPECT_EQ(check["threads"], report["threads"]);
}

/// Of the processor. Where other programs take turns with it threads wait for each other in vain,
/// which counts: one time in three is enough.
TEST_P(CheckForetells, Time) {
  if (sanitized()) GTEST_SKIP() << "sanitizers take time of their own";
  for (const char* threads : {"1", "2"}) {
    std::string seen;
    bool found = false;
    for (int attempt = 0; attempt < 3 && !found; ++attempt) {
      const auto [check, report, processor_seconds] = check_and_run(GetParam(), threads);
      const double off = ratio(check["processor_seconds"], processor_seconds);
      found = off > 0.5 && off < 2.0;
      seen += check["processor_seconds"].dump() + " foretold, " +
              std::to_string(processor_seconds) + " s taken; ";
    }
    EXPECT_TRUE(found) << threads << " threads: " << seen;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cli, CheckForetells,
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

TEST(Check, SaysHowManyRaysATargetTakes) {
  if (sanitized()) GTEST_SKIP() << "takes long";
  const auto [check, report, processor_seconds] =
      check_and_run({"", "slab", {"solver.target_error=0.003"}}, "2");
  EXPECT_EQ(check["stopped_by"], "target");
  EXPECT_EQ(report["accuracy"]["stopped_by"], "target");
  EXPECT_GT(ratio(check["rays"], report["rays"]), 0.3) << report["rays"];
  EXPECT_LT(ratio(check["rays"], report["rays"]), 3.0) << report["rays"];
  EXPECT_LE(check["relative_error"], 0.003 * 1.01);
}

TEST(Check, SaysThatTimeWillBeUp) {
  const ScratchFolder folder;
  const Json check = parsed(run_tool({"check", valid_case, "--json", "--set", "solver.method=net",
                                      "--set", "solver.target_error=1e-7", "--set",
                                      "solver.time_limit=5", "-o", folder.path().string()}));
  EXPECT_EQ(check["stopped_by"], "time_limit");
  EXPECT_LT(check["seconds"], 10);
  EXPECT_GT(check["relative_error"], 1e-7);
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
