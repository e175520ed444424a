#include "embedded.hpp"
#include "python.hpp"
#include "verbs.hpp"

namespace ermine::cli {

void add_plot(CLI::App& app) {
  CLI::App* verb = app.add_subcommand(
      "plot", "Draw a result file (ermine plot --help lists what can be drawn; needs Python)");
  // Everything behind the verb, --help included, is for the script.
  verb->prefix_command();
  verb->set_help_flag();
  verb->callback([verb] {
    run_python(embedded::plot_script, verb->remaining(), {"h5py", "matplotlib"});
  });
}

}  // namespace ermine::cli
