#include "embedded.hpp"
#include "files/sealed_file.hpp"
#include "python.hpp"
#include "verbs.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace ermine::cli {
namespace {

/// As ermine-channel names its files: RUN.statistics.h5, RUN.slices.STEP.h5.
bool of_channel(const std::string& argument) {
  return argument.ends_with(".statistics.h5") ||
         (argument.ends_with(".h5") && argument.find(".slices.") != std::string::npos);
}

/// The script reads them with the HDF5 library, which notices little damage.
void check_files(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    std::error_code absent;
    if (std::filesystem::is_regular_file(argument, absent)) check_seal_if_any(argument);
  }
}

}  // namespace

void add_plot(CLI::App& app) {
  CLI::App* verb = app.add_subcommand(
      "plot", "Draw a result file (ermine plot --help lists what can be drawn; needs Python)");
  // Everything behind the verb, --help included, is for the script.
  verb->prefix_command();
  verb->set_help_flag();
  verb->callback([verb] {
    const auto arguments = verb->remaining();
    check_files(arguments);
    const bool channel = std::any_of(arguments.begin(), arguments.end(), of_channel);
    run_python(channel ? embedded::plot_channel_script : embedded::plot_script, arguments,
               {"h5py", "matplotlib"});
  });
}

}  // namespace ermine::cli
