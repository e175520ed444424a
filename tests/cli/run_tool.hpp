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
#include <sstream>
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
  std::string standard_error{};       ///< the same
  bool reader_left = false;           ///< standard output is a pipe that nobody reads any more
  std::vector<int> closed{};          ///< descriptors that are not open
  std::optional<rlim_t> file_size{};  ///< longest file it may write, as if the disk were full
  /// A tool that hangs ends by a signal, which no test expects. Threads that wait for each other on
  /// a busy machine use processor time, too: far more than any test needs.
  rlim_t processor_seconds = 600;
  std::vector<std::pair<std::string, std::string>> environment{};
};

/// What became of the tool.
struct Finished {
  int exit_code = -1;  ///< -1: ended by a signal
  int signal = 0;
  std::string out;
  std::string err;       ///< without reports of progress, which depend on the time a run takes
  std::string progress;  ///< lines of standard error that are such
};

/// "LABEL: 12 % ...", "LABEL: 3.4 million rays  5 thousand rays/s ..." or "LABEL: still at work
/// ...".
inline bool reports_progress(const std::string& line) {
  const std::size_t colon = line.rfind(": ");
  if (colon == std::string::npos || line.rfind("ermine", 0) == 0) return false;
  const std::size_t at = line.find_first_not_of(' ', colon + 1);
  const std::size_t behind = line.find_first_not_of("0123456789", at);
  const bool share = behind != at && line.compare(behind, 2, " %") == 0;
  return share || line.find(" rays/s", colon) != std::string::npos ||
         line.compare(at, 20, "still at work after ") == 0;
}

inline void set_progress_apart(Finished& finished) {
  std::istringstream lines(std::exchange(finished.err, {}));
  for (std::string line; std::getline(lines, line);) {
    std::string& text = reports_progress(line) ? finished.progress : finished.err;
    text += line + (lines.eof() ? "" : "\n");
  }
}

/// Runs in the child process: no return, nothing that allocates more than it must.
[[noreturn]] inline void become_tool(std::vector<char*>& words, const Surroundings& around, int out,
                                     int err) {
  if (!around.standard_output.empty()) out = ::open(around.standard_output.c_str(), O_WRONLY);
  if (!around.standard_error.empty()) err = ::open(around.standard_error.c_str(), O_WRONLY);
  if (around.reader_left) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) ::_exit(127);
    ::close(ends[0]);
    out = ends[1];
  }
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
  ::alarm(900);  // the same by the clock
  for (const int descriptor : around.closed) ::close(descriptor);
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
  set_progress_apart(finished);
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return finished;
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
