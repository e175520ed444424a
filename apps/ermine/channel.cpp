#include <ermine/error.hpp>

#include "verbs.hpp"

#include <cstring>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace ermine::cli {

void add_channel(CLI::App& app) {
  app.add_subcommand("channel",
                     "Channel flow with radiation inside: the program ermine-channel, installed "
                     "beside this one")
      ->prefix_command()
      ->set_help_flag();
}

void become_channel(int argc, char** argv) {
  if (argc < 2 || std::strcmp(argv[1], "channel") != 0) return;
  std::error_code failure;
  auto program = std::filesystem::read_symlink("/proc/self/exe", failure);
  program.replace_filename("ermine-channel");
  std::string name = program.string();
  argv[1] = name.data();
  ::execv(name.c_str(), argv + 1);
  throw Error(name + ": cannot be started (" + std::strerror(errno) +
              "), build or install ermine-channel beside ermine");
}

}  // namespace ermine::cli
