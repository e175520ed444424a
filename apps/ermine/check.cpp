#include <ermine/ermine.hpp>

#include "case_arguments.hpp"
#include "core/memory.hpp"
#include "machine.hpp"
#include "progress_line.hpp"
#include "terminal.hpp"
#include "time_budget.hpp"
#include "verbs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <ctime>
#include <memory>
#include <system_error>

namespace ermine::cli {
namespace {

namespace fs = std::filesystem;

/// What a run of the case will need and give.
struct Expected {
  Forecast forecast;
  double reading = 0.0;     ///< of the case and its tables [s]
  double processor = 0.0;   ///< seconds of all threads, reading included
  std::int64_t memory = 0;  ///< [bytes]
  Backend backend = Backend::cpu;

  double seconds() const { return reading + forecast.total_seconds(); }
};

/// As a run does, but a folder that was not there is gone afterwards.
void check_output(const Case& problem) {
  std::vector<fs::path> missing;
  std::error_code error;
  for (fs::path folder = fs::absolute(problem.output.directory, error).lexically_normal();
       folder.has_relative_path() && !fs::exists(folder, error); folder = folder.parent_path()) {
    if (folder.has_filename()) missing.push_back(folder);
  }
  struct Remover {
    const std::vector<fs::path>& folders;
    ~Remover() {
      std::error_code ignored;
      for (const fs::path& folder : folders) fs::remove(folder, ignored);  // empty ones only
    }
  } const remover{missing};
  prepare_output(problem);
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::string hardware(const Expected& expected) {
  if (expected.backend == Backend::cuda) return devices().front().name;
  const int threads = expected.forecast.threads;
  return fmt::format("{} CPU thread{}", threads, threads == 1 ? "" : "s");
}

void print_target(const Case& problem, const Forecast& forecast) {
  const ErrorTarget& target = problem.options.target;
  if (target.wall_error > 0) {
    terminal::print("  target  of wall fluxes: the time it takes is not predicted\n");
  }
  if (!(target.error > 0)) return;
  const std::string asked = target.absolute ? fmt::format("{:.4g} W/m3", target.error)
                                            : fmt::format("{:.3g} % of Q", 100 * target.error);
  constexpr std::array ends{"all rays traced", "will be reached",
                            "will NOT be reached: the time limit comes first",
                            "will NOT be reached: there are no more rays to number"};
  terminal::print("  target  {}: {}{}\n", asked,
                  ends[static_cast<std::size_t>(forecast.stopped_by)],
                  forecast.corrected ? " (the bias of the levels of detail will be removed)" : "");
}

void print(const Case& problem, const Expected& expected) {
  const Forecast& forecast = expected.forecast;
  const Grid& grid = problem.grid;
  terminal::print("{}\n\n", problem.title);
  terminal::print("  grid    {} x {} x {} cells, {} level{} of detail\n", grid.cells(0),
                  grid.cells(1), grid.cells(2), forecast.levels, forecast.levels == 1 ? "" : "s");
  terminal::print("  medium  {}\n", describe(problem.medium));
  for (const Particles& one : problem.particles) terminal::print("          {}\n", describe(one));
  terminal::print("  rays    {}{} ({:.0f} per cell)\n",
                  problem.options.target.error > 0 ? "about " : "", human_number(forecast.rays),
                  forecast.rays_per_cell);
  terminal::print("  memory  {} (this machine has {})\n",
                  human_bytes(static_cast<double>(expected.memory)),
                  human_bytes(physical_memory()));
  if (expected.backend == Backend::cuda) {
    terminal::print("          {} on the GPU ({} free)\n",
                    human_bytes(static_cast<double>(forecast.device_memory)),
                    human_bytes(static_cast<double>(devices().front().free_memory)));
  }
  terminal::print("  files   {} in {}\n", human_bytes(output_bytes(problem)),
                  problem.output.directory.string());
  terminal::print("  time    about {} on {}, {} with reading the case\n",
                  human_time(forecast.total_seconds()), hardware(expected),
                  human_time(expected.seconds()));
  terminal::print("  error   about {:.2g} % ({} over Q, root mean squares)\n",
                  100 * forecast.relative_error, "error of Q in a cell");
  print_target(problem, forecast);
  terminal::print("\nThe case is in order. (Found with rays of some cells, in {}.)\n",
                  human_time(forecast.pilot_seconds));
}

nlohmann::ordered_json to_json(const Case& problem, const Expected& expected) {
  const Forecast& forecast = expected.forecast;
  const Grid& grid = problem.grid;
  constexpr std::array causes{"rays", "target", "time_limit", "ray_limit"};
  nlohmann::ordered_json out;
  out["title"] = problem.title;
  out["grid"] = {grid.cells(0), grid.cells(1), grid.cells(2)};
  out["cells"] = grid.cell_count();
  out["medium"] = describe(problem.medium);
  out["backend"] = name_of(expected.backend);
  out["threads"] = forecast.threads;
  out["levels"] = forecast.levels;
  out["thin_starts"] = name_of(forecast.thin_blocks ? ThinStarts::blocks : ThinStarts::cells);
  out["rays_per_cell"] = forecast.rays_per_cell;
  out["rays_per_wall_face"] = forecast.rays_per_wall_face;
  out["rays"] = forecast.rays;
  out["memory"] = {{"peak", expected.memory}, {"machine", physical_memory()}};
  out["device_memory"] = forecast.device_memory;
  out["seconds"] = expected.seconds();
  out["seconds_by_phase"] = {{"reading", expected.reading},
                             {"setup", forecast.seconds.setup},
                             {"gas", forecast.seconds.gas},
                             {"walls", forecast.seconds.walls},
                             {"other", forecast.other_seconds}};
  out["processor_seconds"] = expected.processor;
  out["relative_error"] = forecast.relative_error;
  out["stopped_by"] = causes[static_cast<std::size_t>(forecast.stopped_by)];
  out["unbiased"] = forecast.corrected;
  out["thickest_cell"] = forecast.thickest_cell;
  out["warnings"] = warnings(problem, forecast.thickest_cell);
  out["output_bytes"] = output_bytes(problem);
  out["pilot_seconds"] = forecast.pilot_seconds;
  return out;
}

void check(const CaseArguments& arguments, bool json) {
  const Stopwatch watch;
  const double before = processor_seconds();
  const Case problem = arguments.read();
  check_output(problem);
  const Tracer tracer = problem.tracer();
  Expected expected;
  expected.reading = watch.seconds();
  expected.processor = processor_seconds() - before;
  expected.backend = tracer.backend();
  {
    warn_of_long_rays(tracer, problem.temperature);
    const ProgressLine progress("tracing some rays", Verbosity::normal);
    expected.forecast = forecast(tracer, problem.temperature);
  }
  expected.processor += expected.forecast.processor_seconds;
  // The pilot has had all that a solution has; then files are written.
  give_memory_back();
  const auto writing = static_cast<std::int64_t>(output_memory(problem));
  expected.memory = std::max(peak_memory(), resident_memory() + writing);
  print_warnings(problem, expected.forecast.thickest_cell);
  if (json) {
    terminal::print("{}\n",
                    to_json(problem, expected)
                        .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else {
    print(problem, expected);
  }
}

}  // namespace

void add_check(CLI::App& app) {
  auto arguments = std::make_shared<CaseArguments>();
  auto json = std::make_shared<bool>(false);
  CLI::App* verb = app.add_subcommand(
      "check", "Check a case without solving it: input, memory, expected time and error");
  arguments->add_to(*verb);
  verb->add_flag("--json", *json, "Print one JSON object");
  verb->callback([arguments, json] { check(*arguments, *json); });
}

}  // namespace ermine::cli
