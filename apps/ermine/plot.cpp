#include <ermine/error.hpp>

#include "embedded.hpp"
#include "verbs.hpp"

#include <cstdlib>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace ermine::cli {
namespace {

/// Runs a program and returns its exit code, or 127 if it cannot be started.
int execute(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) < 0) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// The first Python that has what the script needs, or else the first Python.
std::string choose_python() {
  if (const char* chosen = std::getenv("ERMINE_PYTHON")) return chosen;
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    if (execute({python, "-c",
                 "import importlib.util as u, sys; "
                 "sys.exit(any(u.find_spec(m) is None for m in ('h5py', 'matplotlib')))"}) == 0) {
      return python;
    }
  }
  return "python3";
}

void plot(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{choose_python(), "-c", std::string(embedded::plot_script)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const int code = execute(std::move(words));
  if (code == 127) {
    throw Error(
        "cannot start Python, install python3 with h5py and matplotlib, or name one in "
        "the environment variable ERMINE_PYTHON");
  }
  if (code != 0) throw Failure{code};
}

}  // namespace

void add_plot(CLI::App& app) {
  CLI::App* verb = app.add_subcommand(
      "plot", "Draw a result file (ermine plot --help lists what can be drawn; needs Python)");
  // Everything behind the verb, --help included, is for the script.
  verb->prefix_command();
  verb->set_help_flag();
  verb->callback([verb] { plot(verb->remaining()); });
}

}  // namespace ermine::cli
