#include "json_output.hpp"

namespace ermine::test {
namespace {

namespace fs = std::filesystem;

Finished in_folder(const ScratchFolder& folder, const std::vector<std::string>& words) {
  return run_tool(words, {.folder = folder.path().string()});
}

class NewCase : public testing::TestWithParam<std::string> {};

TEST_P(NewCase, CanBeCheckedAndRun) {
  const ScratchFolder folder;
  expect_success(in_folder(folder, {"new", "mine", "--kind", GetParam()}));
  EXPECT_EQ(names_in(folder), std::set<std::string>{"mine.toml"});
  const std::string text = contents_of(folder.path() / "mine.toml");
  EXPECT_NE(text.find("ermine run mine.toml"), std::string::npos) << text;
  EXPECT_EQ(text.find("CASE"), std::string::npos) << text;
  const std::vector<std::string> few{"--set", "solver.rays_per_cell=16", "--json"};
  std::vector<std::string> words{"check", "mine.toml"};
  words.insert(words.end(), few.begin(), few.end());
  const Json check = parsed(in_folder(folder, words));
  EXPECT_GT(check["seconds"], 0);
  EXPECT_EQ(names_in(folder), std::set<std::string>{"mine.toml"}) << "check wrote something";
  words[0] = "run";
  words.push_back("-q");
  const Json report = parsed(in_folder(folder, words));
  EXPECT_EQ(report["cells"], check["cells"]);
  EXPECT_TRUE(fs::exists(folder.path() / "results" / "mine.h5"));
}

INSTANTIATE_TEST_SUITE_P(Cli, NewCase, testing::Values("slab", "box", "channel", "mixture"),
                         [](const auto& test) { return test.param; });

TEST(NewCases, TakeTheirKindFromTheirName) {
  const ScratchFolder folder;
  expect_success(in_folder(folder, {"new", "slab"}));
  expect_success(in_folder(folder, {"new", "one.toml", "--kind", "slab"}));
  expect_success(in_folder(folder, {"new", "furnace"}));
  expect_success(in_folder(folder, {"new", "two", "--kind", "box"}));
  const auto title = [&](const char* file) {
    const std::string text = contents_of(folder.path() / file);
    const std::size_t at = text.find("title");
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(title("slab.toml"), title("one.toml"));
  EXPECT_EQ(title("furnace.toml"), title("two.toml"));
  EXPECT_NE(title("furnace.toml"), title("slab.toml"));
}

TEST(NewCases, DoNotReplaceFiles) {
  const ScratchFolder folder;
  write_file(folder.path() / "mine.toml", "precious");
  expect_refusal(in_folder(folder, {"new", "mine"}), {"mine.toml is already there"});
  EXPECT_EQ(contents_of(folder.path() / "mine.toml"), "precious");
}

TEST(NewCases, NeedANameAndAFolder) {
  const ScratchFolder folder;
  expect_refusal(in_folder(folder, {"new", ""}), {"name of a case"});
  expect_refusal(in_folder(folder, {"new", "a\nb"}), {"name of a case"});
  expect_refusal(in_folder(folder, {"new", "absent/mine"}), {"absent/mine.toml", "folder"});
  expect_refusal(in_folder(folder, {"new", "mine", "--kind", "sphere"}), {"--kind", "mixture"}, 2);
  expect_refusal(in_folder(folder, {"new"}), {"name is required"}, 2);
  EXPECT_EQ(names_in(folder), std::set<std::string>{});
}

TEST(NewCases, LeaveNothingOnAFullDisk) {
  const ScratchFolder folder;
  expect_refusal(run_tool({"new", "mine"}, {.folder = folder.path().string(), .file_size = 100}),
                 {"cannot write mine.toml"});
  EXPECT_EQ(names_in(folder), std::set<std::string>{});
}

}  // namespace
}  // namespace ermine::test
