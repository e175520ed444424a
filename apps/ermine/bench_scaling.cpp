#include "bench_report.hpp"
#include "core/ranks.hpp"
#include "embedded.hpp"
#include "output_folder.hpp"
#include "processes.hpp"
#include "scaling_study.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace ermine::cli {
namespace {

struct ScalingCommand {
  ScalingOptions options;
  std::string directory;
  std::string report;
  bool json = false;
};

void bench_scaling(const ScalingCommand& command) {
  const ScalingOptions& options = command.options;
  Processes::require_same("ermine bench scaling", Fingerprint()
                                                      .add("--grid", options.grid)
                                                      .add("--rays", options.rays)
                                                      .add("--repeats", options.repeats)
                                                      .add("--backend", options.backend));
  together(*Processes::communicator().ranks(), [&] {
    if (Processes::first()) create_folders({command.directory, command.report});
  });
  nlohmann::ordered_json study = study_scaling(command.options);
  if (!Processes::first()) return;
  if (!command.directory.empty()) {
    write_report(json_text(study), command.directory, "scaling.json",
                 embedded::plot_scaling_script);
  }
  add_bench_page(study, command.report);
  if (command.json) {
    terminal::print("{}\n", json_text(study));
  } else {
    print_scaling(study, command.options);
    print_page(study);
  }
}

}  // namespace

void add_bench_scaling(CLI::App& bench) {
  auto command = std::make_shared<ScalingCommand>();
  ScalingOptions& options = command->options;
  CLI::App* verb = bench.add_subcommand(
      "scaling",
      "Time of 1, 2, 4, ... processes, and a model for more: mpirun -n P ermine bench "
      "scaling");
  verb->add_option("--grid", options.grid, "Cells per axis, for one process")
      ->capture_default_str()
      ->check(CLI::Range(4, 1024));
  verb->add_option("--rays", options.rays, "Rays per cell")
      ->capture_default_str()
      ->check(CLI::Range(2, 1000000));
  verb->add_option("--repeats", options.repeats, "Runs of which the best counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  add_backend(*verb, options.backend);
  verb->add_option("-o,--output", command->directory, "Folder for scaling.json and its plot")
      ->type_name("DIR")
      ->check(not_empty());
  add_report(*verb, command->report);
  verb->add_flag("--json", command->json, "Print one JSON object");
  verb->callback([command] { bench_scaling(*command); });
}

}  // namespace ermine::cli
