#pragma once

#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <poll.h>
#include <set>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ermine::test {

/// The folder of these tests: valid.toml, broken/ and their data.
inline const std::filesystem::path cli_tests = ERMINE_CLI_TESTS;
inline const std::string valid_case = (cli_tests / "valid.toml").string();

/// The world the tool runs in.
struct Surroundings {
  std::string folder = ".";           ///< working folder
  std::string standard_output{};      ///< a file instead of the captured stream, such as /dev/full
  std::optional<rlim_t> file_size{};  ///< longest file it may write, as if the disk were full
  rlim_t processor_seconds = 30;      ///< a tool that hangs ends by a signal, which no test expects
  std::vector<std::pair<std::string, std::string>> environment{};
};

/// What became of the tool.
struct Finished {
  int exit_code = -1;  ///< -1: ended by a signal
  int signal = 0;
  std::string out;
  std::string err;
  double processor_seconds = 0.0;
};

/// Runs in the child process: no return, nothing that allocates more than it must.
[[noreturn]] inline void become_tool(std::vector<char*>& words, const Surroundings& around, int out,
                                     int err) {
  if (!around.standard_output.empty()) out = ::open(around.standard_output.c_str(), O_WRONLY);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  ::setenv("OMP_NUM_THREADS", "2", 1);
  for (const auto& [name, value] : around.environment) ::setenv(name.c_str(), value.c_str(), 1);
  if (around.file_size) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{*around.file_size, *around.file_size};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  const rlimit seconds{around.processor_seconds, around.processor_seconds};
  ::setrlimit(RLIMIT_CPU, &seconds);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::alarm(120);
  if (::chdir(around.folder.c_str()) == 0) ::execv(words[0], words.data());
  ::_exit(127);
}

/// Collects two streams until both are closed.
inline void read_streams(int out, int err, Finished& finished) {
  std::array<pollfd, 2> streams{pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
  const std::array<std::string*, 2> texts{&finished.out, &finished.err};
  std::array<char, 4096> buffer{};
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    if (::poll(streams.data(), streams.size(), -1) < 0) continue;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (streams[i].fd < 0 || streams[i].revents == 0) continue;
      const ssize_t count = ::read(streams[i].fd, buffer.data(), buffer.size());
      if (count > 0) {
        texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
      } else {
        streams[i].fd = -1;
      }
    }
  }
}

/// Runs a program and waits for it; its two output streams are kept apart.
inline Finished run_program(std::vector<std::string> arguments, const Surroundings& around = {}) {
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  std::array<int, 2> out{}, err{};
  if (::pipe2(out.data(), O_CLOEXEC) != 0 || ::pipe2(err.data(), O_CLOEXEC) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) become_tool(words, around, out[1], err[1]);
  ::close(out[1]);
  ::close(err[1]);
  Finished finished;
  read_streams(out[0], err[0], finished);
  ::close(out[0]);
  ::close(err[0]);
  int status = 0;
  rusage usage{};
  if (child < 0 || ::wait4(child, &status, 0, &usage) != child) return finished;
  for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
    finished.processor_seconds +=
        static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  if (WIFEXITED(status)) finished.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) finished.signal = WTERMSIG(status);
  return finished;
}

/// Runs ermine with these arguments.
inline Finished run_tool(std::vector<std::string> arguments, const Surroundings& around = {}) {
  arguments.insert(arguments.begin(), ERMINE_TOOL);
  return run_program(std::move(arguments), around);
}

/// Names of all that lies in a folder, hidden files included.
inline std::set<std::string> names_in(const ScratchFolder& folder) {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    found.insert(entry.path().filename().string());
  }
  return found;
}

inline std::string contents_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_file(const std::filesystem::path& file, const std::string& contents) {
  std::ofstream(file, std::ios::binary) << contents;
}

/// A copy of the valid case with one piece of text replaced.
inline std::string valid_case_with(const std::string& old_text, const std::string& new_text) {
  std::string text = contents_of(valid_case);
  const std::size_t at = text.find(old_text);
  EXPECT_NE(at, std::string::npos) << "valid.toml does not hold: " << old_text;
  return at == std::string::npos ? text : text.replace(at, old_text.size(), new_text);
}

/// Every refusal looks like this: a chosen exit code, nothing on standard output, and on standard
/// error one printable line that starts with "ermine: error: ", holds `expected`, does not blame
/// the tool and does not show names the user never gave.
inline void expect_refusal(const Finished& run, const std::vector<std::string>& expected,
                           int exit_code = 1) {
  EXPECT_EQ(run.signal, 0) << "ended by a signal\n" << run.err;
  EXPECT_EQ(run.exit_code, exit_code) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err.rfind("ermine: error: ", 0), 0u) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  EXPECT_TRUE(!run.err.empty() && run.err.back() == '\n') << run.err;
  const bool printable = std::all_of(run.err.begin(), run.err.end(), [](unsigned char c) {
    return c == '\n' || (c >= ' ' && c != 0x7F);
  });
  EXPECT_TRUE(printable) << "control characters in: " << run.err;
  for (const char* bad : {"unexpected failure", "please report", ".tmp", "std::"}) {
    EXPECT_EQ(run.err.find(bad), std::string::npos) << run.err;
  }
  for (const std::string& part : expected) {
    EXPECT_NE(run.err.find(part), std::string::npos)
        << "expected: " << part << "\nmessage:  " << run.err;
  }
}

inline bool can_draw() {
  return run_program({"/usr/bin/python3", "-c", "import matplotlib"}).exit_code == 0;
}

/// Silent, but for a line on a figure where nothing can draw it.
inline void expect_success(const Finished& run) {
  EXPECT_EQ(run.signal, 0) << run.err;
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const bool lacks_figure = run.err.rfind("no figure: ", 0) == 0 &&
                            std::count(run.err.begin(), run.err.end(), '\n') == 1 && !can_draw();
  EXPECT_EQ(lacks_figure ? "" : run.err, "");
}

}  // namespace ermine::test
