#include "bench_report.hpp"
#include "embedded.hpp"
#include "ladder.hpp"
#include "output_folder.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace ermine::cli {
namespace {

struct LadderCommand {
  LadderOptions options;
  std::string directory;
  std::string report;
  bool json = false;
};

void bench_ladder(LadderCommand command) {
  tidy(command.options.grids);
  tidy(command.options.ray_counts);
  create_folders({command.directory, command.report});
  const LadderRecord record = climb(command.options);
  nlohmann::ordered_json study = ladder_json(record, command.options);
  if (!command.directory.empty()) {
    write_report(json_text(study), command.directory, "ladder.json", embedded::plot_ladder_script);
  }
  add_bench_page(study, command.report);
  if (command.json) {
    terminal::print("{}\n", json_text(study));
  } else {
    print_ladder(record, command.options);
    print_page(study);
  }
}

}  // namespace

void add_bench_ladder(CLI::App& bench) {
  auto command = std::make_shared<LadderCommand>();
  LadderOptions& options = command->options;
  const CLI::Range grid_range(3, 1024);
  const CLI::Range ray_range(std::int64_t{2}, most_rays);
  CLI::App* verb = bench.add_subcommand(
      "ladder", "What each method of the paper is worth: times over grids, rays and levels; bias");
  verb->add_option("--part", options.parts, "Part of the study (default: all); repeatable")
      ->type_name("grids|rays|levels|bias")
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"grids", "rays", "levels", "bias"}));
  verb->add_option("--grids", options.grids, "Cells per axis of the part grids")
      ->capture_default_str()
      ->type_name("N...")
      ->delimiter(',')
      ->check(grid_range);
  verb->add_option("--rays", options.rays, "Rays per cell, but in the part rays")
      ->capture_default_str()
      ->check(ray_range);
  verb->add_option("--ray-counts", options.ray_counts, "Rays per cell of the part rays")
      ->capture_default_str()
      ->type_name("N...")
      ->delimiter(',')
      ->check(ray_range);
  verb->add_option("--rays-grid", options.rays_grid, "Cells per axis of the part rays")
      ->capture_default_str()
      ->check(grid_range);
  verb->add_option("--levels-grid", options.levels_grid, "Cells per axis of the part levels")
      ->capture_default_str()
      ->check(grid_range);
  verb->add_option("--bias-grid", options.bias_grid, "Cells per axis of the part bias")
      ->capture_default_str()
      ->check(grid_range);
  verb->add_option("--budget", options.budget,
                   "Time for all runs [s]; where it is short, fewer rays are traced")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  verb->add_option("--backend", options.backend, "What traces the rays")
      ->capture_default_str()
      ->type_name("auto|cpu|cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  verb->add_option("-o,--output", command->directory, "Write ladder.json and ladder.svg here")
      ->type_name("DIR")
      ->check(not_empty());
  add_report(*verb, command->report);
  verb->add_flag("--json", command->json, "Print one JSON object");
  verb->add_flag("-q,--quiet", options.quiet, "No progress");
  verb->callback([command] { bench_ladder(*command); });
}

}  // namespace ermine::cli
