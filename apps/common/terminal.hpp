#pragma once

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>
#include <utility>

/// The only place from which programs write to their standard streams. Text that cannot be written
/// never ends a run: note() ignores failures, print() remembers them, and finish() turns them into
/// an exit code once the run is over and its files are written.
namespace ermine::terminal {

/// errno of the first failed write to standard output; 0: none.
inline int& output_failure() {
  static int failure = 0;
  return failure;
}

/// Call first in main().
inline void guard() {
  // A file opened later must not get the descriptor of a closed standard stream, or messages would
  // be written into it. The wrong access mode keeps writes failing, as they do on a closed stream.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    [[maybe_unused]] const int lowest_free =
        ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  // A closed pipe and a file that reaches its largest size are errors of a write, not the end.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

inline void print_text(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return;
  if (output_failure() == 0) output_failure() = errno;
}

/// Results, on standard output.
template <class... T>
void print(fmt::format_string<T...> format, T&&... values) {
  print_text(fmt::format(format, std::forward<T>(values)...));
}

/// Progress, warnings and errors, on standard error.
template <class... T>
void note(fmt::format_string<T...> format, T&&... values) {
  const std::string text = fmt::format(format, std::forward<T>(values)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

/// Whether a program has written files of results that outlast a full standard output.
inline bool& files_written() {
  static bool written = false;
  return written;
}

/// Exit code of a run that has succeeded otherwise: not 0 if standard output did not take all of
/// its results. A reader that left early, as `head` does, is not worth a message.
inline int finish(const char* program) {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int failure = output_failure() != 0 ? output_failure() : errno;
  if (flushed && output_failure() == 0 && !std::ferror(stdout)) return 0;
  if (failure == EPIPE) return 128 + SIGPIPE;
  note("{}: error: cannot write to standard output ({}), check the disk{}\n", program,
       failure != 0 ? std::strerror(failure) : "an earlier write failed",
       files_written() ? "; files of results are complete" : "");
  return 1;
}

}  // namespace ermine::terminal
