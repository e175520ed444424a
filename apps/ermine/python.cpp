#include "python.hpp"

#include <ermine/error.hpp>

#include "embedded.hpp"
#include "verbs.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace ermine::cli {
namespace {

/// Runs a program, with a file as its standard input if there is one, and returns its exit code, or
/// 127 if it cannot be started.
int execute(std::vector<std::string> words, std::FILE* input = nullptr) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    if (input) ::dup2(::fileno(input), STDIN_FILENO);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) < 0) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// Python runs sitecustomize.py and usercustomize.py from PYTHONPATH as it starts. Only folders
/// that are named in full and are not the current one stay there: an empty name is the current
/// folder.
void clean_python_path() {
  const char* given = std::getenv("PYTHONPATH");
  if (!given) return;
  std::vector<std::string> kept;
  std::istringstream folders(given);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code absent;
    if (folder.starts_with('/') && !std::filesystem::equivalent(folder, ".", absent)) {
      kept.push_back(folder);
    }
  }
  ::setenv("PYTHONPATH", joined(kept, ":").c_str(), 1);
}

/// Runs the text that is its second argument; the first is that of a module, plot_common. Modules
/// come from where Python is installed, from the user's packages and from PYTHONPATH, never from
/// the current folder, where whoever has sent a result may have put anything: `-c` looks there
/// first, `-I` would leave out the user's packages, and `-P` needs Python 3.11. What is imported
/// here was imported before, when Python started.
constexpr const char* start_isolated =
    "import sys, os; here = os.path.realpath(os.curdir); "
    "sys.path[:] = [p for p in sys.path if p and os.path.realpath(p) != here]; "
    "common = sys.modules['plot_common'] = type(sys)('plot_common'); "
    "exec(compile(sys.argv.pop(1), '<ermine>', 'exec'), common.__dict__); "
    "exec(compile(sys.argv.pop(1), '<ermine>', 'exec'))";

std::string choose_python(const std::vector<std::string>& modules) {
  if (const char* chosen = std::getenv("ERMINE_PYTHON")) return chosen;
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    if (execute({python, "-c", start_isolated, "",
                 "import importlib.util as u, sys; sys.exit(any(u.find_spec(m) is None for m in '" +
                     joined(modules, " ") + "'.split()))"}) == 0) {
      return python;
    }
  }
  return "python3";
}

/// A file without a name, which is gone when closed.
struct TemporaryFile {
  std::FILE* file = std::tmpfile();

  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (file) std::fclose(file);
  }
  bool fill(const std::string& text) const {
    if (!file || std::fwrite(text.data(), 1, text.size(), file) != text.size()) return false;
    std::rewind(file);  // flushes, and the child shares the position
    return !std::ferror(file);
  }
};

}  // namespace

void run_python(const std::string& script, const std::vector<std::string>& arguments,
                const std::vector<std::string>& modules, const std::string& input) {
  clean_python_path();
  std::vector<std::string> words{choose_python(modules), "-c", start_isolated,
                                 embedded::plot_common_module, script};
  words.insert(words.end(), arguments.begin(), arguments.end());
  int code = 0;
  if (input.empty()) {
    code = execute(std::move(words));
  } else {
    const TemporaryFile file;
    if (!file.fill(input)) throw Error("cannot write a temporary file, check the disk");
    code = execute(std::move(words), file.file);
  }
  if (code == 127) {
    throw Error("cannot start Python, install python3 with " + joined(modules, " and ") +
                ", or name one in the environment variable ERMINE_PYTHON");
  }
  if (code != 0) throw Failure{code};
}

}  // namespace ermine::cli
