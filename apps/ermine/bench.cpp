#include <ermine/ermine.hpp>

#include "bench_page.hpp"
#include "bench_report.hpp"
#include "embedded.hpp"
#include "error_study.hpp"
#include "html_page.hpp"
#include "ladder.hpp"
#include "machine.hpp"
#include "output_folder.hpp"
#include "progress_line.hpp"
#include "scaling_study.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace ermine::cli {
namespace {

using Json = nlohmann::ordered_json;

struct BenchOptions {
  int grid = 32;
  int rays = 256;
  int repeats = 3;
  std::string backend = "auto";
  std::string method = "net";
  std::string report;
  std::vector<std::string> files;
  int budget = 120;  ///< [s]
  bool json = false;
  bool quiet = false;
};

struct BenchSetting {
  const char* backend;
  const char* precision;
  int threads;
};

struct BenchRow {
  BenchSetting setting;
  double rays_per_second = 0.0;
  double crossings_per_second = 0.0;
  double crossings_per_ray = 0.0;
  double seconds = 0.0;
};

/// Case 2 (grey parabola), volume rays only; the best of several runs, as others use the machine.
BenchRow throughput(const BenchOptions& options, const BenchSetting& setting) {
  const Case problem = parse_case(
      embedded::case02, "case02.toml",
      {fmt::format("grid.x.cells={}", options.grid), fmt::format("grid.y.cells={}", options.grid),
       fmt::format("grid.z.cells={}", options.grid),
       fmt::format("solver.rays_per_cell={}", options.rays), "solver.rays_per_wall_face=0",
       fmt::format("solver.method={}", options.method),
       fmt::format("solver.precision={}", setting.precision),
       fmt::format("solver.backend={}", setting.backend),
       fmt::format("solver.threads={}", setting.threads)});
  const Tracer tracer = problem.tracer();
  BenchRow best{setting};
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    ProgressLine progress(fmt::format("{}, {} precision, {} threads", setting.backend,
                                      setting.precision, setting.threads),
                          options.quiet ? Verbosity::quiet : Verbosity::normal);
    const Result result =
        tracer.solve(problem.temperature, static_cast<std::uint32_t>(repeat), std::ref(progress));
    const double rays = static_cast<double>(result.rays.traced);
    const double crossings = static_cast<double>(result.rays.crossings);
    const double seconds = result.seconds.gas;
    if (rays / seconds > best.rays_per_second) {
      best = {setting, rays / seconds, crossings / seconds, crossings / rays, seconds};
    }
  }
  return best;
}

/// The CPU, and the GPU where there is one, unless one of them is asked for.
std::vector<BenchSetting> settings(const std::string& backend, const Machine& machine) {
  std::vector<BenchSetting> wanted;
  if (backend != "cuda") {
    wanted = {{"cpu", "double", 1}, {"cpu", "single", 1}};
    if (machine.threads > 1) wanted.push_back({"cpu", "double", machine.threads});
  }
  if (backend == "cuda" || (backend == "auto" && !machine.device.empty())) {
    wanted.push_back({"cuda", "double", 1});
    wanted.push_back({"cuda", "single", 1});
  }
  return wanted;
}

Json throughput_json(const BenchOptions& options, const Machine& machine,
                     const std::vector<BenchRow>& rows) {
  Json out;
  out["study"] = "throughput";
  out["machine"] = machine_json(machine);
  out["problem"] = {{"case", 2}, {"grid", options.grid}, {"rays_per_cell", options.rays}};
  out["results"] = Json::array();
  for (const BenchRow& row : rows) {
    out["results"].push_back({{"method", options.method},
                              {"backend", row.setting.backend},
                              {"precision", row.setting.precision},
                              {"threads", row.setting.threads},
                              {"rays_per_second", row.rays_per_second},
                              {"crossings_per_second", row.crossings_per_second},
                              {"crossings_per_ray", row.crossings_per_ray},
                              {"seconds", row.seconds}});
  }
  return out;
}

std::vector<BenchRow> measure_throughput(const BenchOptions& options, const Machine& machine) {
  std::vector<BenchRow> rows;
  for (const BenchSetting& setting : settings(options.backend, machine)) {
    rows.push_back(throughput(options, setting));
  }
  return rows;
}

void bench(const BenchOptions& options) {
  const Machine machine = this_machine();
  const std::vector<BenchRow> rows = measure_throughput(options, machine);
  if (options.json) {
    terminal::print("{}\n", json_text(throughput_json(options, machine, rows)));
    return;
  }
  terminal::print("{}, case 2 on {}^3 cells, {} rays per cell, best of {}; {}{}{}\n\n",
                  options.method, options.grid, options.rays, options.repeats, machine.processor,
                  machine.device.empty() ? "" : "; ", machine.device);
  terminal::print("  {:>7}  {:>9}  {:>7}  {:>14}  {:>19}  {:>13}\n", "backend", "precision",
                  "threads", "million rays/s", "million crossings/s", "crossings/ray");
  for (const BenchRow& row : rows) {
    terminal::print("  {:>7}  {:>9}  {:>7}  {:>14.3f}  {:>19.1f}  {:>13.1f}\n", row.setting.backend,
                    row.setting.precision, row.setting.threads, row.rays_per_second / 1e6,
                    row.crossings_per_second / 1e6, row.crossings_per_ray);
  }
}

/// The ladder about the grid and rays of the command line.
Json short_ladder(const BenchOptions& options) {
  LadderOptions ladder;
  const auto share = [&](int part) { return std::max(4, options.grid / part); };
  ladder.grids = {share(4), share(2), options.grid};
  ladder.ray_counts = {std::max(2, options.rays / 4), options.rays, 4 * std::int64_t{options.rays}};
  tidy(ladder.grids);
  tidy(ladder.ray_counts);
  ladder.rays = options.rays;
  ladder.rays_grid = ladder.levels_grid = options.grid;
  ladder.bias_grid = share(2);
  ladder.budget = std::max(1, options.budget / 2);
  ladder.backend = options.backend;
  ladder.quiet = options.quiet;
  return ladder_json(climb(ladder), ladder);
}

Json short_errors(const BenchOptions& options) {
  ErrorOptions errors;
  errors.grids = {options.grid};
  errors.targets = {0.03, 0.01};
  errors.backends = {options.backend};
  errors.budget = std::max(1, options.budget * 2 / 5);
  errors.quiet = options.quiet;
  return errors_json(study_errors(errors), errors);
}

/// All studies in short, or those of files, as one page.
void bench_report(const BenchOptions& options) {
  if (options.report.empty()) {
    throw Error("--from needs --report DIR, the folder of the page to make of the files");
  }
  if (options.grid < 4) throw Error("--report needs 4 cells per axis or more, set --grid");
  std::vector<StudyResult> studies;
  for (const std::string& file : options.files) studies.push_back(read_study(file));
  if (studies.empty()) {
    create_folder(options.report);  // before minutes are spent
    const Machine machine = this_machine();
    const std::string now = "measured now, a short form of ermine bench ";
    const Json rates = throughput_json(options, machine, measure_throughput(options, machine));
    studies.push_back({"measured now", rates});
    studies.push_back({now + "ladder", short_ladder(options)});
    studies.push_back({now + "error", short_errors(options)});
    studies.push_back({now + "scaling", study_scaling({options.grid, options.rays, options.repeats,
                                                       options.backend})});
  }
  const std::string text = bench_page(studies);
  create_folder(options.report);
  const std::string page = write_page(options.report, text).string();
  if (!options.json) {
    terminal::print("report: {}\n", page);
    return;
  }
  Json out{{"report", page}, {"studies", Json::array()}};
  for (StudyResult& study : studies) out["studies"].push_back(std::move(study.json));
  terminal::print("{}\n", json_text(out));
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
  verb->add_option("--backend", options->backend,
                   "auto measures the CPU, and the GPU if there is one")
      ->capture_default_str()
      ->type_name("auto|cpu|cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  verb->add_option("--method", options->method, "How rays are drawn and marched")
      ->capture_default_str()
      ->type_name("NAME")
      ->check(CLI::IsMember({"classic", "texture", "sorted", "multigrid", "net"}));
  add_report(*verb, options->report)
      ->description(
          "Write a page of results here, DIR/index.html: ladder, error study and scaling, in "
          "short");
  verb->add_option("--from", options->files,
                   "Make the page of these results of earlier studies; nothing is measured")
      ->type_name("FILE.json...")
      ->check(not_empty());
  verb->add_option("--budget", options->budget,
                   "Time for the ladder and the error study of a page [s]")
      ->capture_default_str()
      ->check(CLI::Range(2, 1000000));
  verb->add_flag("--json", options->json, "Print one JSON object");
  verb->add_flag("-q,--quiet", options->quiet, "No progress");
  add_bench_ladder(*verb);
  add_bench_error(*verb);
  add_bench_coupling(*verb);
  add_bench_forecast(*verb);
  add_bench_scaling(*verb);
  add_bench_seeds(*verb);
  add_bench_temporal(*verb);
  verb->callback([options, verb] {
    if (!verb->get_subcommands().empty()) return;
    const bool page = !options->report.empty() || !options->files.empty();
    page ? bench_report(*options) : bench(*options);
  });
}

}  // namespace ermine::cli
