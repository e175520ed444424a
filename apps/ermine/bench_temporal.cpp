#include "machine.hpp"
#include "temporal_study.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace ermine::cli {
namespace {

struct TemporalCommand {
  TemporalOptions options;
  bool json = false;
  bool quiet = false;
};

void print_json(const TemporalRecord& record, const TemporalOptions& options) {
  nlohmann::ordered_json out;
  out["machine"] = machine_json(this_machine());
  out["problem"] = {{"grid", options.grid},
                    {"updates", options.updates},
                    {"updates_per_cell", options.updates_per_cell},
                    {"levels", options.levels},
                    {"forgetting", options.forgetting},
                    {"reference_rays", options.reference_rays},
                    {"seed", options.seed},
                    {"rms", record.rms},
                    {"jump", record.jump}};
  out["results"] = nlohmann::ordered_json::array();
  for (const TemporalRow& row : record.rows) {
    out["results"].push_back({{"temporal", name_of(row.temporal)},
                              {"rays_per_cell", row.rays},
                              {"crossings_per_cell", row.crossings},
                              {"seconds", row.seconds},
                              {"error", row.error},
                              {"standard_error", row.standard_error},
                              {"low_pass_10", row.low_pass_10},
                              {"low_pass_40", row.low_pass_40},
                              {"mean", row.mean},
                              {"mean_standard_error", row.mean_standard_error},
                              {"after_jump", row.after_jump},
                              {"held", row.held},
                              {"extrapolated", row.extrapolated}});
  }
  terminal::print("{}\n", out.dump(2));
}

void print_table(const TemporalRecord& record, const TemporalOptions& options) {
  terminal::print(
      "Channel of water vapour that moves by 1/{} cell per update, {}^3 cells, {} updates; errors "
      "of Q in % of\nits root mean square, {:.4g} W/m3. Jump: of {:.0f} %.\n\n",
      options.updates_per_cell, options.grid, options.updates, record.rms, 100 * record.jump);
  terminal::print(
      "  {:<11}  {:>9}  {:>14}  {:>6}  {:>7}  {:>6}  {:>6}  {:>6}  {:>6}  {:>10}  {:>6}  {:>12}\n",
      "temporal", "rays/cell", "crossings/cell", "ms", "update", "bar", "10", "40", "mean",
      "after jump", "held", "extrapolated");
  for (const TemporalRow& row : record.rows) {
    terminal::print(
        "  {:<11}  {:>9}  {:>14.0f}  {:>6.1f}  {:>7.3f}  {:>6.3f}  {:>6.3f}  {:>6.3f}  {:>6.3f}  "
        "{:>10.2f}  {:>6.2f}  {:>12.2f}\n",
        name_of(row.temporal), row.rays, row.crossings, 1e3 * row.seconds, 100 * row.error,
        100 * row.standard_error, 100 * row.low_pass_10, 100 * row.low_pass_40, 100 * row.mean,
        100 * row.after_jump, 100 * row.held, 100 * row.extrapolated);
  }
  terminal::print(
      "\nms: for the rays of an update; update: of one; bar: as it tells it itself; 10, 40: seen "
      "through\na low-pass of so many updates; held, extrapolated: of Q two updates ahead, as it "
      "is, or linear\nfrom the last two.\n");
}

void bench_temporal(const TemporalCommand& command) {
  const TemporalRecord record =
      study_updates(command.options, command.quiet ? Verbosity::quiet : Verbosity::normal);
  if (command.json) {
    print_json(record, command.options);
  } else {
    print_table(record, command.options);
  }
}

}  // namespace

void add_bench_temporal(CLI::App& bench) {
  auto command = std::make_shared<TemporalCommand>();
  TemporalOptions& options = command->options;
  CLI::App* verb = bench.add_subcommand(
      "temporal", "Errors of a coupled run's updates: independent, continued, difference");
  const auto add = [&](const char* name, auto& value, const char* help, auto least, auto most) {
    verb->add_option(name, value, help)->capture_default_str()->check(CLI::Range(least, most));
  };
  add("--grid", options.grid, "Cells per axis", 4, 1024);
  add("--updates", options.updates, "Updates", 8, 1000000);
  add("--updates-per-cell", options.updates_per_cell, "Updates while the field moves by one cell",
      1, 1000);
  add("--rays", options.rays, "Rays per cell and update; differences have half of them, twice",
      std::int64_t{4}, most_rays);
  add("--reference-rays", options.reference_rays, "Rays per cell of references", std::int64_t{4},
      most_rays);
  add("--levels", options.levels, "Levels of detail; 1 needs few references", 0, most_levels);
  add("--forgetting", options.forgetting, "Of differences", 1e-9, 1.0);
  verb->add_option("--seed", options.seed, "Of the rays")->capture_default_str();
  verb->add_option("--backend", options.backend, "What traces the rays")
      ->capture_default_str()
      ->type_name("auto|cpu|cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  verb->add_flag("--json", command->json, "Print one JSON object");
  verb->add_flag("-q,--quiet", command->quiet, "No progress");
  verb->callback([command] { bench_temporal(*command); });
}

}  // namespace ermine::cli
