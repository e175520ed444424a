#include "run_tool.hpp"

namespace ermine::test {
namespace {

bool installed(const char* program) {
  return run_program({"/usr/bin/env", program, "--version"}).exit_code == 0;
}

/// What bash offers for the last of these words, one per line.
std::string offered(const std::vector<std::string>& words, const ScratchFolder& folder) {
  std::string script = "source ./script; COMP_WORDS=(ermine";
  for (const std::string& word : words) script += " '" + word + "'";
  script += "); COMP_CWORD=" + std::to_string(words.size()) +
            "; _ermine; printf '%s\\n' \"${COMPREPLY[@]}\"";
  const Finished bash = run_program({"/usr/bin/env", "bash", "--norc", "-c", script},
                                    {.folder = folder.path().string()});
  EXPECT_EQ(bash.exit_code, 0) << bash.err;
  EXPECT_EQ(bash.err, "");
  return bash.out;
}

TEST(Completion, OfBash) {
  if (!installed("bash")) GTEST_SKIP() << "needs bash: apt-get install bash";
  const ScratchFolder folder;
  const Finished script = run_tool({"completion", "bash"});
  expect_success(script);
  write_file(folder.path() / "script", script.out);
  write_file(folder.path() / "my case.toml", "");
  write_file(folder.path() / "my.h5", "");
  EXPECT_EQ(offered({"r"}, folder), "run\n");
  EXPECT_EQ(offered({"run", "--bac"}, folder), "--backend\n");
  EXPECT_EQ(offered({"run", "--backend", "cu"}, folder), "cuda\n");
  EXPECT_EQ(offered({"run", "m"}, folder), "my case.toml\n");
  EXPECT_EQ(offered({"run", "--set", "a=b", "m"}, folder), "my case.toml\n");
  EXPECT_EQ(offered({"spectra", "info", "m"}, folder), "my.h5\n");
  EXPECT_EQ(offered({"new", "--kind", "sl"}, folder), "slab\n");
  EXPECT_EQ(offered({"bench", "lad"}, folder), "ladder\n");
  EXPECT_EQ(offered({"bench", "error", "--problem", "f"}, folder), "flame\nflame-soot\nfurnace\n");
  EXPECT_EQ(offered({"completion", "z"}, folder), "zsh\n");
  EXPECT_EQ(offered({"man"}, folder), "\n") << "is hidden";
}

TEST(Completion, OfZsh) {
  if (!installed("zsh")) GTEST_SKIP() << "needs zsh: apt-get install zsh";
  const ScratchFolder folder;
  const Finished script = run_tool({"completion", "zsh"});
  expect_success(script);
  write_file(folder.path() / "script", script.out);
  // Without a terminal there is no completion: what it would be asked for.
  const Finished zsh = run_program(
      {"/usr/bin/env", "zsh", "-f", "-c",
       "compdef() { print -r -- $@ }; _arguments() { print -rl -- $@ }; source ./script; "
       "_ermine_run; state=rest line=(bench) _ermine_bench_ladder"},
      {.folder = folder.path().string()});
  EXPECT_EQ(zsh.exit_code, 0);
  EXPECT_EQ(zsh.err, "");
  for (const char* part : {"_ermine ermine\n", "*--set[", "(auto cpu cuda)\n",
                           ":case:_files -g \"*.toml\"\n", "(grids rays levels bias)\n"}) {
    EXPECT_NE(zsh.out.find(part), std::string::npos) << part << "\n" << zsh.out;
  }
}

TEST(Completion, OfOtherShellsIsRefused) {
  expect_refusal(run_tool({"completion", "fish"}), {"fish", "bash", "see ermine completion --help"},
                 2);
}

TEST(ManPage, HasAllVerbs) {
  const Finished page = run_tool({"man-page"});
  expect_success(page);
  for (const char* part : {".TH ERMINE 1", ".SH SYNOPSIS", "ermine run", "\\-\\-backend",
                           "ermine spectra from\\-lines", ".SH EXIT STATUS"}) {
    EXPECT_NE(page.out.find(part), std::string::npos) << part;
  }
}

TEST(ManPage, IsReadWithoutWarnings) {
  if (!installed("man") || !installed("groff"))
    GTEST_SKIP() << "needs man and groff: apt-get install man-db groff";
  const ScratchFolder folder;
  write_file(folder.path() / "ermine.1", run_tool({"man-page"}).out);
  const Finished man =
      run_program({"/usr/bin/env", "man", "-l", "--warnings", "ermine.1"},
                  {.folder = folder.path().string(), .environment = {{"MANWIDTH", "80"}}});
  EXPECT_EQ(man.exit_code, 0);
  EXPECT_EQ(man.err, "");
  EXPECT_NE(man.out.find("ermine"), std::string::npos);
}

}  // namespace
}  // namespace ermine::test
