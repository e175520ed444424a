#include "run_tool.hpp"

#include <nlohmann/json.hpp>

namespace ermine::test {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

/// `run` of the valid case into `folder`, with more arguments.
Finished run_valid(const ScratchFolder& folder, const Words& more) {
  Words words{"run", valid_case, "-o", folder.path().string()};
  words.insert(words.end(), more.begin(), more.end());
  return run_tool(words);
}

/// A wrong command line ends with code 2 and says which help to read.
void expect_misuse(const Words& words, Words expected, const std::string& help) {
  expected.push_back("see " + help);
  expect_refusal(run_tool(words), expected, 2);
}

TEST(CommandLine, NeedsAVerb) {
  expect_misuse({}, {"run", "validate", "bench", "info"}, "ermine --help");
}

TEST(CommandLine, UnknownVerbIsNamed) { expect_misuse({"fly"}, {"fly"}, "ermine --help"); }

TEST(CommandLine, EmptyVerbIsRefused) { expect_misuse({""}, {"run", "info"}, "ermine --help"); }

TEST(CommandLine, UnknownOptionWithoutVerbIsNamed) {
  expect_misuse({"--frobnicate"}, {"--frobnicate"}, "ermine --help");
}

TEST(CommandLine, UnknownOptionIsNamed) {
  expect_misuse({"run", valid_case, "--frobnicate"}, {"--frobnicate"}, "ermine run --help");
}

TEST(CommandLine, RunNeedsACaseFile) {
  expect_misuse({"run"}, {"case is required"}, "ermine run --help");
}

TEST(CommandLine, RunTakesOneCaseFile) {
  expect_misuse({"run", valid_case, "second.toml"}, {"second.toml"}, "ermine run --help");
}

TEST(CommandLine, OptionsNeedTheirValue) {
  expect_misuse({"run", valid_case, "--set"}, {"--set", "KEY=VALUE"}, "ermine run --help");
  expect_misuse({"run", valid_case, "-o"}, {"--output", "DIR"}, "ermine run --help");
}

TEST(CommandLine, NumbersMustBeInRange) {
  expect_misuse({"run", valid_case, "--threads", "0"}, {"--threads", "1 to 4096"},
                "ermine run --help");
  expect_misuse({"run", valid_case, "--threads", "two"}, {"--threads", "two"}, "ermine run --help");
  expect_misuse({"bench", "--grid", "0"}, {"--grid", "1 to 1024"}, "ermine bench --help");
  expect_misuse({"bench", "--rays", "1"}, {"--rays", "2 to"}, "ermine bench --help");
  expect_misuse({"validate", "99"}, {"99"}, "ermine validate --help");
  expect_misuse({"validate", "one"}, {"there is no case one", "1 to 12", "burns-christon"},
                "ermine validate --help");
}

TEST(CommandLine, UnknownBackendIsNamed) {
  for (const std::string verb : {"check", "run", "validate", "bench"}) {
    Words words{verb, "--backend", "opencl"};
    if (verb == "check" || verb == "run") words.push_back(valid_case);
    expect_misuse(words, {"--backend", "opencl", "cuda"}, "ermine " + verb + " --help");
  }
}

TEST(CommandLine, UnknownMethodIsNamed) {
  expect_misuse({"bench", "--method", "quantum"}, {"--method", "quantum", "multigrid"},
                "ermine bench --help");
}

TEST(CommandLine, MissingCaseFileIsNamed) {
  expect_refusal(run_tool({"run", "absent.toml"}),
                 {"cannot read case file absent.toml", "check that it exists"});
}

TEST(CommandLine, LineBreakInAFileNameDoesNotBreakTheMessage) {
  expect_refusal(run_tool({"run", "ab\nsent.toml"}), {"cannot read case file ab", "sent.toml"});
}

TEST(CommandLine, FolderIsNoCaseFile) {
  expect_refusal(run_tool({"run", cli_tests.string()}),
                 {"cannot read case file " + cli_tests.string()});
}

TEST(CommandLine, EmptyOutputFolderIsRefused) {
  const ScratchFolder folder;
  expect_refusal(run_tool({"run", valid_case, "-o", ""}, {.folder = folder.path().string()}),
                 {"output"}, 2);
  EXPECT_EQ(names_in(folder), std::set<std::string>{});
}

TEST(CommandLine, PlotWithoutPythonSaysWhatToInstall) {
  expect_refusal(run_tool({"plot", "result.h5"}, {.environment = {{"ERMINE_PYTHON", "/absent"}}}),
                 {"cannot start Python", "h5py and matplotlib", "ERMINE_PYTHON"});
}

TEST(Help, IsPrinted) {
  const Finished run = run_tool({"--help"});
  expect_success(run);
  for (const char* word : {"new", "check", "run", "plot", "validate", "bench", "info", "completion",
                           "--version", "--help"}) {
    EXPECT_NE(run.out.find(word), std::string::npos) << word;
  }
}

TEST(Help, OfEachVerbListsItsOptions) {
  const std::vector<std::pair<std::string, Words>> verbs{
      {"run", {"CASE.toml", "--set", "--output", "--backend", "--threads", "--json", "--quiet"}},
      {"check", {"CASE.toml", "--set", "--output", "--backend", "--threads", "--json"}},
      {"new", {"NAME", "--kind", "slab", "box", "channel", "mixture"}},
      {"completion", {"bash", "zsh"}},
      {"validate",
       {"--set", "--output", "--report", "--published", "--backend", "--json", "--quiet"}},
      {"bench",
       {"--backend", "--method", "--grid", "--rays", "--repeats", "--report", "--from", "--budget",
        "--json", "--quiet"}},
      {"info", {"--json"}}};
  for (const auto& [verb, options] : verbs) {
    const Finished run = run_tool({verb, "--help"});
    expect_success(run);
    for (const std::string& option : options) {
      EXPECT_NE(run.out.find(option), std::string::npos) << verb << " " << option;
    }
  }
}

TEST(Help, OfPlotListsItsOptions) {
  if (run_program({"/usr/bin/env", "python3", "-c", ""}).exit_code != 0) {
    GTEST_SKIP()
        << "plot needs Python with h5py and matplotlib: tools/install_dependencies.sh --plot";
  }
  const Finished run = run_tool({"plot", "--help"});
  expect_success(run);
  for (const char* option : {"RESULT.h5", "--profile", "--slice", "--output"}) {
    EXPECT_NE(run.out.find(option), std::string::npos) << option;
  }
}

TEST(Version, IsPrinted) {
  const Finished run = run_tool({"--version"});
  expect_success(run);
  EXPECT_EQ(run.out.rfind("ermine ", 0), 0u) << run.out;
}

TEST(Quiet, PrintsNothing) {
  const ScratchFolder folder;
  for (const char* option : {"-q", "--quiet"}) {
    const Finished run = run_valid(folder, {option});
    expect_success(run);
    EXPECT_EQ(run.out, "");
  }
  EXPECT_EQ(names_in(folder), (std::set<std::string>{"valid.h5", "valid.xdmf", "valid_x.csv"}));
}

TEST(Quiet, StillPrintsErrors) {
  const ScratchFolder folder;
  expect_refusal(run_valid(folder, {"-q", "--set", "temperature=-1"}), {"temperature is -1"});
}

TEST(Override, ReplacesANumber) {
  const ScratchFolder folder;
  const Finished run = run_valid(folder, {"--json", "--set", "grid.x.cells=4"});
  expect_success(run);
  EXPECT_EQ(nlohmann::json::parse(run.out)["cells"], 4 * 8 * 8);
}

TEST(Override, LastOneCounts) {
  const ScratchFolder folder;
  const Finished run =
      run_valid(folder, {"--json", "--set", "grid.x.cells=4", "--set", "grid.x.cells=2"});
  expect_success(run);
  EXPECT_EQ(nlohmann::json::parse(run.out)["cells"], 2 * 8 * 8);
}

TEST(Override, TakesAFormulaWithoutQuotes) {
  const ScratchFolder folder;
  expect_success(run_valid(folder, {"--set", "temperature=700 - 160*x"}));
  const std::string profile = contents_of(folder / "valid_x.csv");
  EXPECT_NE(profile.find("\n0.0625,690,"), std::string::npos) << profile;
}

TEST(Override, CreatesAMissingTable) {
  const ScratchFolder folder;
  expect_success(run_valid(folder, {"--set", "output.name=renamed"}));
  EXPECT_EQ(names_in(folder),
            (std::set<std::string>{"renamed.h5", "renamed.xdmf", "renamed_x.csv"}));
}

TEST(Override, IsKeptWithTheResult) {
  const ScratchFolder folder;
  expect_success(run_valid(folder, {"--set", "solver.seed=12345"}));
  EXPECT_NE(contents_of(folder / "valid_x.csv").find("seed = 12345"), std::string::npos);
}

TEST(Backend, OnTheCommandLineOutdoesTheOthers) {
  const ScratchFolder folder;
  const Finished run =
      run_valid(folder, {"--json", "--backend", "cpu", "--set", "solver.backend=auto"});
  expect_success(run);
  EXPECT_EQ(nlohmann::json::parse(run.out)["backend"], "cpu");
  EXPECT_NE(contents_of(folder / "valid_x.csv").find("backend = 'cpu'"), std::string::npos);
}

TEST(Backend, IsInTheSummary) {
  const ScratchFolder folder;
  const Finished run = run_valid(folder, {"--backend", "cpu", "--threads", "1"});
  expect_success(run);
  EXPECT_NE(run.out.find(" on 1 CPU thread, "), std::string::npos) << run.out;
}

/// For one that has hidden its GPU, or has none: where, what, and what to do.
TEST(Backend, CudaWithoutADeviceIsRefused) {
  const ScratchFolder folder;
  const Surroundings no_gpu{.environment = {{"CUDA_VISIBLE_DEVICES", ""}}};
  const Words expected{"--set solver.backend=cuda: solver.backend is \"cuda\"", "there is no GPU",
                       "choose \"cpu\""};
  expect_refusal(
      run_tool({"run", valid_case, "--backend", "cuda", "-o", folder.path().string()}, no_gpu),
      expected);
  expect_refusal(run_tool({"validate", "1", "--json", "--backend", "cuda"}, no_gpu), expected);
}

/// An override that must be refused; the message shows what was typed after --set.
struct Refusal {
  std::string name;
  std::string text;
  Words expected;

  friend void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }
};

const std::vector<Refusal> refusals{
    {"unknown_key",
     "solver.ray_per_cell=5",
     {"--set solver.ray_per_cell=5: unknown key 'solver.ray_per_cell'",
      "did you mean 'rays_per_cell'?"}},
    {"unknown_table",
     "sovler.rays_per_cell=5",
     {"--set sovler.rays_per_cell=5: unknown key 'sovler'", "did you mean 'solver'?"}},
    {"text_for_a_number",
     "solver.rays_per_cell=five",
     {"--set solver.rays_per_cell=five: solver.rays_per_cell is a text, give a whole number"}},
    {"out_of_range",
     "solver.rays_per_cell=1",
     {"--set solver.rays_per_cell=1: solver.rays_per_cell is 1, give"}},
    {"bad_formula",
     "temperature=500 + 1000*r",
     {"--set temperature=500 + 1000*r: temperature: cannot evaluate"}},
    {"negative_temperature",
     "temperature=-1",
     {"--set temperature=-1: temperature is -1, give kelvin"}},
    {"key_below_a_text", "title.size=3", {"--set title.size=3: title is not a table"}},
    {"no_value", "solver", {"--set solver: no value given", "--set key=value"}},
    {"no_key", "=3", {"--set =3:", "--set key=value"}},
    {"nothing", "", {"--set :", "--set key=value"}},
    {"key_ends_with_a_dot", "solver.=3", {"--set solver.=3:"}},
    {"key_begins_with_a_dot", ".seed=3", {"--set .seed=3:"}},
    {"key_with_an_empty_part", "solver..seed=3", {"--set solver..seed=3:"}},
    {"empty_value", "solver.rays_per_cell=", {"--set solver.rays_per_cell=:"}},
    {"value_on_two_lines", "solver.seed=1\nsolver.batches=2", {"--set solver.seed", "one line"}},
    {"key_on_two_lines", "sol\nver.seed=1", {"--set sol", "one line"}},
    {"not_utf8", "title=\xff\xfe", {"--set title", "UTF-8"}}};

class RefusedOverride : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedOverride, ShowsWhatWasTyped) {
  const ScratchFolder folder;
  expect_refusal(run_valid(folder, {"--set", GetParam().text}), GetParam().expected);
  EXPECT_EQ(names_in(folder), std::set<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(Cli, RefusedOverride, testing::ValuesIn(refusals),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace ermine::test
