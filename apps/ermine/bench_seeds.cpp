#include "bench_report.hpp"
#include "case_arguments.hpp"
#include "machine.hpp"
#include "seed_study.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace ermine::cli {
namespace {

using Json = nlohmann::ordered_json;

struct SeedCommand {
  CaseArguments of_case;
  SeedOptions options;
  bool json = false;
};

Json seeds_json(const Case& problem, const SeedStudy& study) {
  Json out;
  out["study"] = "seeds";
  out["machine"] = machine_json(this_machine());
  out["backend"] = name_of(problem.tracer().backend());
  out["title"] = problem.title;
  out["cells"] = problem.grid.cell_count();
  out["target"] = problem.options.target.error;
  out["seeds"] = study.runs;
  out["seconds"] = study.seconds;
  out["rays_per_cell"] = study.rays;
  out["levels"] = study.levels;
  out["steps_per_level"] = study.steps_per_level;
  out["reference"] = {{"rays_per_cell", study.reference_rays},
                      {"rms", study.reference_rms},
                      {"relative_standard_error", study.reference_error}};
  out["bias"] = study.bias;
  out["reported_error"] = study.mean_reported;
  out["largest_error"] = study.largest_error;
  out["reached"] = study.reached;
  out["within_target"] = study.within;
  out["balanced"] = study.balanced;
  out["unexplained"] = study.unexplained;
  out["balance_error"] = study.balance_error;
  out["groups"] = Json::object();
  for (const ErrorGroup& group : study.groups) {
    if (group.empty()) continue;
    out["groups"][group.name()] = {{"true_error", group.true_error()},
                                   {"reported_error", group.reported_error()},
                                   {"reported_over_true", group.ratio()}};
  }
  out["totals"] = Json::object();
  for (const SeedTotal& total : study.totals) {
    out["totals"][total.name] = {{"reference", total.reference.value},
                                 {"reference_error", total.reference.standard_error},
                                 {"mean", total.mean},
                                 {"deviation", total.deviation()},
                                 {"deviation_error", total.deviation_error()},
                                 {"reported_over_true", total.errors.ratio()}};
  }
  return out;
}

/// Reported over true error, where both are known.
std::string ratio_text(const ErrorGroup& group) {
  return group.ratio() > 0 ? fmt::format("{:.3f}", group.ratio()) : "-";
}

void print_seeds(const Case& problem, const SeedStudy& study) {
  terminal::print("{}\n\n", problem.title);
  terminal::print("  {} runs of {:.3g} s, {:.0f} rays per cell, {} level{} of detail\n", study.runs,
                  study.seconds, study.rays, study.levels, study.levels == 1 ? "" : "s");
  terminal::print("  reference: one level, {} rays per cell, error {:.2g} % of rms Q\n",
                  study.reference_rays, 100 * study.reference_error);
  if (problem.options.target.error > 0) {
    terminal::print("  target reached by {} runs as they report, by {} in truth\n", study.reached,
                    study.within);
  }
  terminal::print("  energy balance explained by noise and levels (within 4 errors) in {} runs\n",
                  study.balanced);
  terminal::print(
      "  bias of Q {:.2g} % of rms Q, largest error of a run {:.3g} %, reported {:.3g} %\n",
      100 * study.bias, 100 * study.largest_error, 100 * study.mean_reported);
  terminal::print("\n  {:<24}  {:>12}  {:>12}  {:>8}\n", "errors (rms)", "true", "reported",
                  "ratio");
  for (const ErrorGroup& group : study.groups) {
    if (group.empty()) continue;
    terminal::print("  {:<24}  {:>12.4g}  {:>12.4g}  {:>8}\n", group.name(), group.true_error(),
                    group.reported_error(), ratio_text(group));
  }
  terminal::print("\n  {:<24}  {:>12}  {:>12}  {:>20}  {:>8}\n", "totals [W]", "reference", "mean",
                  "deviation [%]", "ratio");
  for (const SeedTotal& total : study.totals) {
    terminal::print(
        "  {:<24}  {:>12.6g}  {:>12.6g}  {:>20}  {:>8}\n", total.name, total.reference.value,
        total.mean,
        fmt::format("{:.3f} +- {:.3f}", 100 * total.deviation(), 100 * total.deviation_error()),
        ratio_text(total.errors));
  }
}

void bench_seeds(const SeedCommand& command) {
  const Case problem = command.of_case.read();
  const SeedStudy study = study_seeds(problem, command.options);
  if (command.json) {
    terminal::print("{}\n", json_text(seeds_json(problem, study)));
  } else {
    print_seeds(problem, study);
  }
}

}  // namespace

void add_bench_seeds(CLI::App& bench) {
  auto command = std::make_shared<SeedCommand>();
  SeedOptions& options = command->options;
  CLI::App* verb = bench.add_subcommand(
      "seeds", "Solve a case with many seeds: true errors beside those reported");
  command->of_case.add_to(*verb);
  verb->add_option("--seeds", options.seeds, "Runs")
      ->capture_default_str()
      ->check(CLI::Range(2, 10000));
  verb->add_option("--reference-rays", options.reference_rays,
                   "Rays per cell of the reference on one level (default: ten times the case's)")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{32}, std::int64_t{1} << 31));
  verb->add_option("--cold", options.cold, "Gas counts as cold below this temperature [K]")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  verb->add_flag("--json", command->json, "Print one JSON object");
  verb->add_flag("-q,--quiet", options.quiet, "No progress");
  verb->callback([command] { bench_seeds(*command); });
}

}  // namespace ermine::cli
