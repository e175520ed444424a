#include "run_tool.hpp"

namespace ermine::test {
namespace {

namespace fs = std::filesystem;

/// The names of all broken case files, without ".toml".
std::vector<std::string> broken_cases() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(cli_tests / "broken")) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// What the message must hold: the lines "# expect: ..." at the top of a broken case, or the lines
/// of NAME.toml.expect where the case file is no text.
std::vector<std::string> expectations(const fs::path& file) {
  const std::string tag = "# expect: ";
  const fs::path sidecar = file.string() + ".expect";
  const bool beside = fs::exists(sidecar);
  std::ifstream in(beside ? sidecar : file);
  std::vector<std::string> expected;
  for (std::string line; std::getline(in, line);) {
    const bool tagged = line.rfind(tag, 0) == 0;
    if (!beside && !tagged) break;
    expected.push_back(beside ? line : line.substr(tag.size()));
  }
  return expected;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

class BrokenCase : public testing::TestWithParam<std::string> {};

TEST_P(BrokenCase, IsRefusedWithOneClearLine) {
  const fs::path file = cli_tests / "broken" / (GetParam() + ".toml");
  const auto expected = expectations(file);
  EXPECT_FALSE(expected.empty()) << file << " does not say what message to expect";
  const ScratchFolder folder;
  // A GPU, where there is one, is hidden: one of the cases asks for it.
  const Finished run = run_tool({"run", file.string(), "-o", folder.path().string()},
                                {.environment = {{"CUDA_VISIBLE_DEVICES", ""}}});
  expect_refusal(run, expected);
  EXPECT_LE(occurrences(run.err, GetParam() + ".toml"), 1u) << "place named twice: " << run.err;
  EXPECT_EQ(names_in(folder), std::set<std::string>{});
  const Finished check = run_tool({"check", file.string(), "-o", folder.path().string()},
                                  {.environment = {{"CUDA_VISIBLE_DEVICES", ""}}});
  expect_refusal(check, expected);
}

INSTANTIATE_TEST_SUITE_P(Cli, BrokenCase, testing::ValuesIn(broken_cases()),
                         [](const auto& test) { return test.param; });

TEST(BrokenCases, AreMany) { EXPECT_GE(broken_cases().size(), 45u); }

/// The broken cases are this one with one thing changed.
TEST(BrokenCases, DeriveFromACaseThatRuns) {
  const ScratchFolder folder;
  expect_success(run_tool({"run", valid_case, "-o", folder.path().string()}));
  EXPECT_EQ(names_in(folder), (std::set<std::string>{"valid.h5", "valid.xdmf", "valid_x.csv"}));
}

/// Runs a case file made here, which must be refused.
void expect_refused(const std::string& text, const std::vector<std::string>& expected) {
  const ScratchFolder folder;
  const fs::path file = folder / "made.toml";
  write_file(file, text);
  const Finished run = run_tool({"run", file.string(), "-o", folder.path().string()});
  expect_refusal(run, expected);
  EXPECT_EQ(names_in(folder), std::set<std::string>{"made.toml"});
}

std::string deep_key(std::size_t levels) {
  std::string key = "a";
  for (std::size_t i = 1; i < levels; ++i) key += ".a";
  return key;
}

TEST(DeepKeys, InAPairDoNotExhaustTheStack) {
  expect_refused(deep_key(100'000) + " = 1\n" + contents_of(valid_case), {"made.toml:1:"});
}

TEST(DeepKeys, InATableHeaderDoNotExhaustTheStack) {
  expect_refused(contents_of(valid_case) + "[" + deep_key(100'000) + "]\n", {"made.toml:17:"});
}

TEST(DeepKeys, InAnInlineTableDoNotExhaustTheStack) {
  expect_refused(valid_case_with("medium = {", "medium = { " + deep_key(100'000) + " = 1,"),
                 {"made.toml:3:"});
}

TEST(CaseFileSize, IsLimited) {
  expect_refused("#" + std::string(17u << 20, '-') + "\n" + contents_of(valid_case),
                 {"too large for a case file", "put fields into HDF5 or CSV files"});
}

/// A device tells no size: what cannot be a case file must not fill the memory.
TEST(CaseFileSize, IsLimitedForDevices) {
  expect_refusal(run_tool({"run", "/dev/zero"}, {.processor_seconds = 60}),
                 {"/dev/zero", "case file"});
}

}  // namespace
}  // namespace ermine::test
