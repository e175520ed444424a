#include "run_tool.hpp"

#include <sys/stat.h>

/// ermine plot: what it refuses to read and to replace, and whose code it runs.
namespace ermine::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// The first Python that can, as the tool looks for it; empty where none can.
std::string python_that_can(const char* statement) {
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    if (run_program({"/usr/bin/env", python, "-c", statement}).exit_code == 0) return python;
  }
  return {};
}

/// Modules that leave a file where they are when they are imported.
void lay_traps(const fs::path& folder, const Words& modules) {
  for (const std::string& module : modules) {
    write_file(folder / (module + ".py"),
               "open('" + (folder / "imported").string() + "', 'w').close()\n");
  }
}

const Words libraries{"argparse", "json", "numpy", "h5py", "matplotlib", "plot_common", "tempfile"};

TEST(Plot, RunsNoCodeFromTheCurrentFolder) {
  if (python_that_can("").empty()) GTEST_SKIP() << "plot needs Python";
  const ScratchFolder folder;
  lay_traps(folder.path(), libraries);
  for (const Words& words : {Words{"plot", "--help"}, Words{"plot", "result.h5"},
                             Words{"spectra", "plot", "--gas", "CO", "-o", "co.svg"}}) {
    for (const char* path : {"", "."}) {
      run_tool(words, {.folder = folder.path().string(), .environment = {{"PYTHONPATH", path}}});
      EXPECT_FALSE(fs::remove(folder / "imported"))
          << words[0] << " with PYTHONPATH '" << path << "'";
    }
  }
}

/// Python imports these as it starts, before any script can say where from.
TEST(Plot, StartsPythonWithoutTheCurrentFolder) {
  if (python_that_can("").empty()) GTEST_SKIP() << "plot needs Python";
  const ScratchFolder folder;
  fs::create_directory(folder / "below");
  lay_traps(folder.path(), {"sitecustomize", "usercustomize"});
  lay_traps(folder / "below", {"sitecustomize", "usercustomize"});
  const std::string here = folder.path().string();
  for (const std::string& path : {std::string(":/absent"), std::string("/absent::/void"),
                                  std::string("/absent:below"), here}) {
    run_tool({"plot", "--help"}, {.folder = here, .environment = {{"PYTHONPATH", path}}});
    EXPECT_FALSE(fs::remove(folder / "imported")) << "PYTHONPATH '" << path << "'";
    EXPECT_FALSE(fs::remove(folder / "below/imported")) << "PYTHONPATH '" << path << "'";
  }
}

TEST(Plot, FindsTheModulesOfTheUser) {
  if (python_that_can("").empty()) GTEST_SKIP() << "plot needs Python";
  const ScratchFolder folder;
  lay_traps(folder.path(), libraries);
  run_tool({"plot", "result.h5"}, {.environment = {{"PYTHONPATH", ":" + folder.path().string()}}});
  EXPECT_TRUE(fs::exists(folder / "imported"));
}

/// A folder with the result of a small case.
class Picture : public testing::Test {
 protected:
  void SetUp() override {
    python_ = python_that_can("import h5py, matplotlib");
    if (python_.empty()) {
      GTEST_SKIP()
          << "plot needs Python with h5py and matplotlib: tools/install_dependencies.sh --plot";
    }
    expect_success(run_tool({"run", valid_case, "-q", "-o", folder_.path().string()}));
  }
  std::string name(const std::string& file) const { return (folder_ / file).string(); }
  void expect_drawn(const Finished& run, const std::string& picture) const {
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(contents_of(folder_ / picture).find("PNG"), 1u) << picture;
  }
  /// By the script, with one line.
  static void expect_refused(const Finished& run, const std::string& why) {
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err.rfind("ermine plot: error: ", 0), 0u) << run.err;
    EXPECT_NE(run.err.find(why), std::string::npos) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  }

  ScratchFolder folder_;
  std::string python_;
};

TEST_F(Picture, IsNotDrawnOfADamagedResult) {
  const std::string whole = contents_of(folder_ / "valid.h5");
  std::string damaged = whole;
  damaged[whole.size() - whole.size() / 4] ^= 4;
  write_file(folder_ / "damaged.h5", damaged);
  write_file(folder_ / "damaged", damaged);
  write_file(folder_ / "damaged.statistics.h5", damaged);
  write_file(folder_ / "damaged.short.h5", whole.substr(0, whole.size() - 1));
  for (const std::string file :
       {"damaged.h5", "damaged", "damaged.statistics.h5", "damaged.short.h5"}) {
    expect_refusal(run_tool({"plot", name(file)}), {name(file), "truncated or damaged"});
  }
  write_file(folder_ / "headless.h5", std::string(100, '\0') + damaged.substr(100));
  expect_refused(run_tool({"plot", name("headless.h5")}), "first bytes are damaged");
  for (const std::string& found : names_in(folder_)) EXPECT_FALSE(found.ends_with(".png")) << found;
}

TEST_F(Picture, IsDrawnOfAResultWithoutAChecksum) {
  write_file(folder_ / "plain.h5", contents_of(folder_ / "valid.h5").substr(512));
  expect_drawn(run_tool({"plot", name("plain.h5")}), "plain.png");
}

TEST_F(Picture, ReplacesNothingButFiles) {
  ASSERT_EQ(::mkfifo(name("pipe.png").c_str(), 0600), 0);
  fs::create_directory(folder_ / "folder.png");
  fs::create_symlink("/dev/null", folder_ / "device.png");
  const auto before = names_in(folder_);
  for (const char* target : {"pipe.png", "folder.png", "device.png"}) {
    expect_refused(run_tool({"plot", name("valid.h5"), "--output", name(target)}),
                   "cannot write " + name(target));
  }
  EXPECT_TRUE(fs::is_fifo(folder_ / "pipe.png"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "device.png"));
  EXPECT_EQ(names_in(folder_), before);
}

/// Whoever may write into the folder knows the number of the process, and may lay links.
TEST_F(Picture, IsWrittenThroughNoLink) {
  write_file(folder_ / "precious", "precious");
  write_file(folder_ / "python", "#!/bin/sh\nln -s precious '" + name("drawn.png") +
                                     "'.$$.tmp\nexec " + python_ + " \"$@\"\n");
  fs::permissions(folder_ / "python", fs::perms::owner_all);
  fs::create_symlink("precious", folder_ / "drawn.png");
  expect_drawn(run_tool({"plot", name("valid.h5"), "--output", name("drawn.png")},
                        {.environment = {{"ERMINE_PYTHON", name("python")}}}),
               "drawn.png");
  EXPECT_EQ(contents_of(folder_ / "precious"), "precious");
  EXPECT_EQ(fs::status(folder_ / "drawn.png").permissions(),
            fs::status(folder_ / "valid.h5").permissions());
}

}  // namespace
}  // namespace ermine::test
