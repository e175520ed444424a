#include "run_tool.hpp"

/// Results that cannot be written: a clear message, and either the old files or none.
namespace ermine::test {
namespace {

namespace fs = std::filesystem;

using Names = std::set<std::string>;

std::vector<std::string> run_into(const fs::path& folder,
                                  const std::vector<std::string>& overrides = {}) {
  std::vector<std::string> words{"run", valid_case, "-o", folder.string()};
  for (const std::string& text : overrides) words.insert(words.end(), {"--set", text});
  return words;
}

TEST(OutputFolder, IsCreated) {
  const ScratchFolder folder;
  expect_success(run_tool(run_into(folder / "one/two")));
  EXPECT_TRUE(fs::exists(folder / "one/two/valid.h5"));
}

TEST(OutputFolder, MayNotBeAFile) {
  const ScratchFolder folder;
  write_file(folder / "taken", "old");
  expect_refusal(run_tool(run_into(folder / "taken")),
                 {"cannot create output folder", (folder / "taken").string(), "choose another"});
  EXPECT_EQ(contents_of(folder / "taken"), "old");
  EXPECT_EQ(names_in(folder), Names{"taken"});
}

TEST(OutputFolder, MayNotLieBelowAFile) {
  const ScratchFolder folder;
  write_file(folder / "taken", "old");
  expect_refusal(
      run_tool(run_into(folder / "taken/results")),
      {"cannot create output folder", (folder / "taken/results").string(), "choose another"});
  EXPECT_EQ(names_in(folder), Names{"taken"});
}

TEST(OutputFolder, NameMayNotBeTooLong) {
  const ScratchFolder folder;
  const fs::path name = folder / std::string(300, 'n');
  expect_refusal(run_tool(run_into(name)), {"cannot create output folder", name.string()});
  EXPECT_EQ(names_in(folder), Names{});
}

TEST(OutputFolder, MustBeWritable) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere: run it as another user";
  const ScratchFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  expect_refusal(run_tool(run_into(folder.path())),
                 {"cannot write to output folder " + folder.path().string(), "choose another"});
  EXPECT_EQ(names_in(folder), Names{});
  fs::permissions(folder.path(), fs::perms::owner_all);
}

/// Not even root may write below /proc. A run this long would never get there.
TEST(OutputFolder, IsTriedBeforeTheWorkBegins) {
  const std::string below = "/proc/self";
  expect_refusal(run_tool(run_into(below, {"solver.rays_per_cell=4e9"})),
                 {"cannot write to output folder", below, "choose another"});
  expect_refusal(run_tool({"validate", "1", "-o", below, "--set", "solver.rays_per_cell=4e9"}),
                 {"cannot write to output folder", below, "choose another"});
  expect_refusal(run_tool({"bench", "--report", below, "--rays", "1000000", "--grid", "256"}),
                 {"cannot write to output folder", below, "choose another"});
  for (const char* study : {"ladder", "error"}) {
    expect_refusal(run_tool({"bench", study, "-o", below}),
                   {"cannot write to output folder", below, "choose another"});
  }
}

TEST(OutputFile, MayNotBeAFolder) {
  for (const std::string name : {"valid.h5", "valid.xdmf", "valid_x.csv"}) {
    const ScratchFolder folder;
    fs::create_directory(folder / name);
    expect_refusal(run_tool(run_into(folder.path())),
                   {"cannot write", (folder / name).string(), "a folder of that name is in the way",
                    "output.name"});
    EXPECT_EQ(names_in(folder), Names{name});
  }
}

/// A disk that is full after so many bytes of a file.
class FullDisk : public testing::TestWithParam<int> {
 protected:
  Surroundings full_disk() const { return {.file_size = static_cast<rlim_t>(GetParam())}; }
};

/// valid.h5 has about 40 kB: these limits strike at its creation, in its fields and at its end.
class FullDiskInHdf5 : public FullDisk {};

TEST_P(FullDiskInHdf5, LeavesNothingBehind) {
  const ScratchFolder folder;
  expect_refusal(run_tool(run_into(folder.path()), full_disk()),
                 {"writing", (folder / "valid.h5").string(), "free space"});
  EXPECT_EQ(names_in(folder), Names{});
}

TEST_P(FullDiskInHdf5, KeepsTheFilesOfTheRunBefore) {
  const ScratchFolder folder;
  expect_success(run_tool(run_into(folder.path())));
  const Names names = names_in(folder);
  const std::string fields = contents_of(folder / "valid.h5");
  const std::string profile = contents_of(folder / "valid_x.csv");
  expect_refusal(run_tool(run_into(folder.path(), {"solver.seed=2"}), full_disk()), {"writing"});
  EXPECT_EQ(names_in(folder), names);
  EXPECT_EQ(contents_of(folder / "valid.h5"), fields);
  EXPECT_EQ(contents_of(folder / "valid_x.csv"), profile);
}

INSTANTIATE_TEST_SUITE_P(Bytes, FullDiskInHdf5, testing::Values(0, 1, 512, 2048, 10'000, 30'000),
                         testing::PrintToStringParamName());

/// The text formats alone: valid.vtr has about 20 kB, valid_x.csv about 1 kB.
class FullDiskInText : public FullDisk {};

TEST_P(FullDiskInText, LeavesNothingBehind) {
  for (const bool vtr : {true, false}) {
    const ScratchFolder folder;
    const std::string name = vtr ? "valid.vtr" : "valid_x.csv";
    const auto words = run_into(
        folder.path(), {"output.hdf5=false", vtr ? "output.vtr=true" : "output.vtr=false"});
    expect_refusal(run_tool(words, full_disk()),
                   {"writing", (folder / name).string(), "free space"});
    EXPECT_EQ(names_in(folder), Names{});
  }
}

INSTANTIATE_TEST_SUITE_P(Bytes, FullDiskInText, testing::Values(0, 1, 500),
                         testing::PrintToStringParamName());

TEST(FullDiskInValidate, LeavesNothingBehind) {
  const ScratchFolder folder;
  const Finished run = run_tool(
      {"validate", "1", "--json", "--set", "grid.x.cells=8", "--set", "grid.y.cells=2", "--set",
       "grid.z.cells=2", "--set", "solver.rays_per_cell=4", "-o", folder.path().string()},
      {.file_size = 100});
  expect_refusal(run, {"writing", (folder / "case01.csv").string(), "free space"});
  EXPECT_EQ(names_in(folder), Names{});
}

/// Standard output that cannot be written is a failure too, however much is printed.
TEST(FullStandardOutput, IsAFailure) {
  const std::vector<std::vector<std::string>> lines{
      {"info"},   {"info", "--json"}, {"bench", "--grid", "4", "--rays", "2", "--repeats", "1"},
      {"--help"}, {"run", "--help"},  {"--version"}};
  for (const auto& words : lines) {
    const Finished run = run_tool(words, {.standard_output = "/dev/full"});
    SCOPED_TRACE(words.front());
    expect_refusal(run, {"standard output"});
  }
}

TEST(FullStandardOutput, IsAFailureOfRun) {
  const ScratchFolder folder;
  for (const std::string& title : {std::string("short"), std::string(10'000, 'l')}) {
    const Finished run =
        run_tool(run_into(folder.path(), {"title=" + title}), {.standard_output = "/dev/full"});
    expect_refusal(run, {"standard output", "No space left", "files of results are complete"});
    EXPECT_TRUE(fs::exists(folder / "valid.h5"));
  }
}

/// What has no results does not speak of them.
TEST(FullStandardOutput, IsAFailureOfOtherCommands) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"completion", "bash"}, {"info"}}) {
    const Finished run = run_tool(words, {.standard_output = "/dev/full"});
    expect_refusal(run, {"standard output", "No space left"});
    EXPECT_EQ(run.err.find("results"), std::string::npos) << run.err;
  }
}

/// A gas that is warned of, on standard error.
std::vector<std::string> warned_run(const fs::path& folder) {
  return run_into(folder, {"temperature=1000",
                           "medium={ mole_fractions = { CO2 = 0.1 }, pressure = 8e6, "
                           "band_width_cm1 = 500, quadrature_points = 2 }"});
}

TEST(FullStandardError, EndsNoRun) {
  const ScratchFolder folder;
  const Finished seen = run_tool(warned_run(folder.path()));
  EXPECT_EQ(seen.exit_code, 0);
  EXPECT_NE(seen.err.find("ermine: warning: "), std::string::npos) << "there is nothing to write";
  const std::string profile = contents_of(folder / "valid_x.csv");
  for (const Surroundings& around :
       {Surroundings{.standard_error = "/dev/full"}, Surroundings{.closed = {STDERR_FILENO}}}) {
    const ScratchFolder other;
    const Finished run = run_tool(warned_run(other.path()), around);
    EXPECT_EQ(run.exit_code, 0) << run.signal;
    EXPECT_EQ(names_in(other), names_in(folder));
    EXPECT_EQ(contents_of(other / "valid_x.csv"), profile);
  }
}

/// Files that are opened later must not become standard streams.
TEST(ClosedStreams, StayOutOfFiles) {
  const ScratchFolder folder;
  expect_success(run_tool(run_into(folder.path())));
  const std::string profile = contents_of(folder / "valid_x.csv");
  for (const std::vector<int>& closed : std::vector<std::vector<int>>{
           {STDIN_FILENO}, {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}}) {
    const ScratchFolder other;
    const Finished run = run_tool(run_into(other.path()), {.closed = closed});
    const bool printed = closed.size() == 1;
    EXPECT_EQ(run.exit_code, printed ? 0 : 1) << run.err;
    EXPECT_EQ(names_in(other), names_in(folder));
    EXPECT_EQ(contents_of(other / "valid_x.csv"), profile);
    const std::string result = contents_of(other / "valid.h5");
    EXPECT_TRUE(result.starts_with("ermine result "));  // its seal
    EXPECT_EQ(result.substr(512, 8), "\x89HDF\r\n\x1a\n");
  }
}

/// As in `ermine run CASE.toml | head -1`: quiet, as other programs are.
TEST(ClosedPipe, EndsNoRun) {
  const ScratchFolder folder;
  const Finished run = run_tool(run_into(folder.path()), {.reader_left = true});
  EXPECT_EQ(run.signal, 0);
  EXPECT_EQ(run.exit_code, 128 + SIGPIPE);
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(fs::exists(folder / "valid.h5"));
  EXPECT_TRUE(fs::exists(folder / "valid_x.csv"));
}

TEST(SecondRun, ReplacesTheFilesOfTheFirst) {
  const ScratchFolder folder;
  expect_success(run_tool(run_into(folder.path())));
  const Names names = names_in(folder);
  const std::string first = contents_of(folder / "valid_x.csv");
  expect_success(run_tool(run_into(folder.path(), {"temperature=1000"})));
  EXPECT_EQ(names_in(folder), names);
  const std::string second = contents_of(folder / "valid_x.csv");
  EXPECT_NE(second, first);
  EXPECT_NE(second.find("\n0.0625,1000,"), std::string::npos) << second;
}

TEST(SecondRun, WithTheSameSeedGivesTheSameNumbers) {
  const ScratchFolder folder;
  expect_success(run_tool(run_into(folder.path())));
  const std::string first = contents_of(folder / "valid_x.csv");
  EXPECT_NE(first, "");
  expect_success(run_tool(run_into(folder.path())));
  EXPECT_EQ(contents_of(folder / "valid_x.csv"), first);
}

}  // namespace
}  // namespace ermine::test
