#include <ermine/ermine.hpp>

#include "embedded.hpp"
#include "machine.hpp"
#include "progress_line.hpp"
#include "verbs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace ermine::cli {
namespace {

struct BenchOptions {
  int grid = 32;
  int rays = 256;
  int repeats = 3;
  bool json = false;
  bool quiet = false;
};

struct BenchRow {
  const char* precision;
  int threads;
  double rays_per_second;
  double crossings_per_second;
  double crossings_per_ray;
  double seconds;
};

/// Case 2 (grey parabola), volume rays only; the best of several runs, as others use the machine.
BenchRow measure(const BenchOptions& options, const char* precision, int threads) {
  const Case problem = parse_case(
      embedded::case02, "case02.toml",
      {fmt::format("grid.x.cells={}", options.grid), fmt::format("grid.y.cells={}", options.grid),
       fmt::format("grid.z.cells={}", options.grid),
       fmt::format("solver.rays_per_cell={}", options.rays), "solver.rays_per_wall_face=0",
       fmt::format("solver.precision={}", precision), fmt::format("solver.threads={}", threads)});
  const Tracer tracer = problem.tracer();
  BenchRow best{precision, threads, 0, 0, 0, 0};
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    ProgressLine progress(fmt::format("{} precision, {} threads", precision, threads),
                          options.quiet ? Verbosity::quiet : Verbosity::normal);
    const Result result =
        tracer.solve(problem.temperature, static_cast<std::uint32_t>(repeat), std::ref(progress));
    const double rays = static_cast<double>(result.rays.traced);
    const double crossings = static_cast<double>(result.rays.crossings);
    const double seconds = result.seconds.gas;
    if (rays / seconds > best.rays_per_second) {
      best = {precision, threads, rays / seconds, crossings / seconds, crossings / rays, seconds};
    }
  }
  return best;
}

void bench(const BenchOptions& options) {
  const Machine machine = this_machine();
  std::vector<BenchRow> rows{measure(options, "double", 1), measure(options, "single", 1)};
  if (machine.threads > 1) rows.push_back(measure(options, "double", machine.threads));
  if (options.json) {
    nlohmann::ordered_json out;
    out["machine"] = {{"processor", machine.processor},
                      {"threads", machine.threads},
                      {"compiler", machine.compiler},
                      {"flags", ERMINE_BUILD_FLAGS},
                      {"ermine_version", ERMINE_VERSION}};
    out["problem"] = {{"case", 2}, {"grid", options.grid}, {"rays_per_cell", options.rays}};
    out["results"] = nlohmann::ordered_json::array();
    for (const BenchRow& row : rows) {
      out["results"].push_back({{"method", "classic"},
                                {"backend", "cpu"},
                                {"precision", row.precision},
                                {"threads", row.threads},
                                {"rays_per_second", row.rays_per_second},
                                {"crossings_per_second", row.crossings_per_second},
                                {"crossings_per_ray", row.crossings_per_ray},
                                {"seconds", row.seconds}});
    }
    fmt::print("{}\n", out.dump(2));
    return;
  }
  fmt::print("classic, case 2 on {0}^3 cells, {1} rays per cell, best of {2}; {3}\n\n",
             options.grid, options.rays, options.repeats, machine.processor);
  fmt::print("  {:>9}  {:>7}  {:>14}  {:>19}  {:>13}\n", "precision", "threads", "million rays/s",
             "million crossings/s", "crossings/ray");
  for (const BenchRow& row : rows) {
    fmt::print("  {:>9}  {:>7}  {:>14.3f}  {:>19.1f}  {:>13.1f}\n", row.precision, row.threads,
               row.rays_per_second / 1e6, row.crossings_per_second / 1e6, row.crossings_per_ray);
  }
}

}  // namespace

void add_bench(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* verb = app.add_subcommand("bench", "Measure ray throughput on this machine");
  verb->add_option("--grid", options->grid, "Cells per axis")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  verb->add_option("--rays", options->rays, "Rays per cell")
      ->capture_default_str()
      ->check(CLI::Range(2, 1000000));
  verb->add_option("--repeats", options->repeats, "Runs of which the best counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  verb->add_flag("--json", options->json, "Print one JSON object");
  verb->add_flag("-q,--quiet", options->quiet, "No progress");
  verb->callback([options] { bench(*options); });
}

}  // namespace ermine::cli
