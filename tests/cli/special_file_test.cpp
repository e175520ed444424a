#include "run_tool.hpp"

#include <sys/file.h>
#include <sys/stat.h>

/// Names that are not regular files, as inputs and outputs; two runs of one name; what killed runs
/// leave behind.
namespace ermine::test {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

class SpecialFile : public testing::Test {
 protected:
  SpecialFile() {
    EXPECT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    fs::create_symlink("/dev/zero", folder_ / "zero");
    fs::create_symlink("/dev/null", folder_ / "null");
  }
  std::vector<std::string> run_valid(const std::vector<std::string>& overrides = {}) const {
    std::vector<std::string> words{"run", (folder_ / "valid.toml").string(), "-o",
                                   (folder_ / "out").string()};
    for (const std::string& text : overrides) words.insert(words.end(), {"--set", text});
    write_file(folder_ / "valid.toml", contents_of(valid_case));
    return words;
  }
  ScratchFolder folder_;
};

TEST_F(SpecialFile, InputsThatNeverEndAreRefused) {
  const std::string why = "a pipe or a device";
  for (const std::string name : {"pipe", "zero"}) {
    const std::string file = (folder_ / name).string();
    expect_refusal(run_tool({"run", file}), {file, why});
    expect_refusal(run_tool({"check", file}), {file, why});
    expect_refusal(run_tool({"spectra", "info", file}), {file, why});
    expect_refusal(run_tool({"bench", "--from", file, "--report", (folder_ / "page").string()}),
                   {file, why});
    expect_refusal(
        run_tool(run_valid({"temperature={ profile = \"" + name + "\", axis = \"x\" }"})),
        {name, why});
    expect_refusal(
        run_tool(run_valid({"temperature={ hdf5 = \"" + name + "\", dataset = \"/T\" }"})),
        {name, why});
    expect_refusal(run_tool(run_valid({"medium={ table = \"" + name + "\" }"})), {name, why});
    expect_refusal(run_tool({"spectra", "from-snb", file, "--gas", "H2O", "--pressure", "101325",
                             "-o", (folder_ / "table.h5").string()}),
                   {file, why});
  }
}

TEST_F(SpecialFile, TargetsThatAreNotRegularFilesAreRefused) {
  const std::string snb = "not read";
  for (const auto& [name, why] : {std::pair<std::string, std::string>{"pipe", "it is a pipe"},
                                  std::pair<std::string, std::string>{"null", "it is a device"}}) {
    expect_refusal(run_tool({"spectra", "from-snb", snb, "--gas", "H2O", "--pressure", "101325",
                             "-o", (folder_ / name).string()}),
                   {"cannot write", name, why});
    fs::create_directory(folder_ / "out");
    fs::rename(folder_ / name, folder_ / "out/valid.h5");
    expect_refusal(run_tool(run_valid()), {"cannot write", "valid.h5", why, "output.name"});
    EXPECT_FALSE(fs::is_regular_file(fs::symlink_status(folder_ / "out/valid.h5")));
    fs::remove_all(folder_ / "out");
  }
}

TEST_F(SpecialFile, TwoRunsOfOneNameAreTold) {
  fs::create_directory(folder_ / "out");
  const int lock = ::open((folder_ / "out/.valid.run.lock").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  expect_refusal(run_tool(run_valid()), {"another process is writing", "valid", "choose another"});
  EXPECT_TRUE(fs::exists(folder_ / "out/.valid.run.lock"));
  EXPECT_FALSE(fs::exists(folder_ / "out/valid.h5"));
  ::close(lock);
  expect_success(run_tool(run_valid()));
  EXPECT_TRUE(fs::exists(folder_ / "out/valid.h5"));
}

/// A run that goes on until it is killed.
class RunUnderWay {
 public:
  explicit RunUnderWay(std::vector<std::string> words) {
    words.insert(words.begin(), ERMINE_TOOL);
    words.insert(words.end(), {"-q", "--set", "solver.rays_per_cell=4e9"});
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    child_ = ::fork();
    if (child_ == 0) become_tool(pointers, {}, STDOUT_FILENO, STDERR_FILENO);
  }
  ~RunUnderWay() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  RunUnderWay(const RunUnderWay&) = delete;
  RunUnderWay& operator=(const RunUnderWay&) = delete;
  bool alive() const { return ::waitpid(child_, nullptr, WNOHANG) == 0; }

 private:
  pid_t child_;
};

/// The name of one is that of a file of the other.
TEST_F(SpecialFile, TwoRunsOfNamesThatAreAlikeGoOn) {
  fs::create_directory(folder_ / "out");
  const RunUnderWay other(run_valid({"output.name=valid.h5"}));
  const auto has_begun = [&] {
    for (const auto& entry : fs::directory_iterator(folder_ / "out")) {
      if (entry.path().filename().string().starts_with(".valid.h5.")) return true;
    }
    return false;
  };
  while (!has_begun() && other.alive()) ::usleep(10'000);
  expect_success(run_tool(run_valid()));
  EXPECT_TRUE(fs::exists(folder_ / "out/valid.h5"));
  EXPECT_TRUE(other.alive());
}

TEST_F(SpecialFile, TheNextRunRemovesWhatAKilledOneLeft) {
  fs::create_directory(folder_ / "out");
  for (const char* name : {".valid.run.lock", ".valid.h5.lock", ".valid.h5.0123456789abcdef.tmp",
                           ".valid_x.csv.0123456789abcdef.tmp"}) {
    write_file(folder_ / "out" / name, "");
  }
  expect_success(run_tool(run_valid()));
  Names found;
  for (const auto& entry : fs::directory_iterator(folder_ / "out")) {
    found.insert(entry.path().filename().string());
  }
  EXPECT_EQ(found, (Names{"valid.h5", "valid.xdmf", "valid_x.csv"}));
}

}  // namespace
}  // namespace ermine::test
