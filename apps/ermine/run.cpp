#include <ermine/ermine.hpp>

#include "case/case_fingerprint.hpp"
#include "case_arguments.hpp"
#include "core/memory.hpp"
#include "core/ranks.hpp"
#include "machine.hpp"
#include "processes.hpp"
#include "progress_line.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

namespace ermine::cli {
namespace {

struct RunOptions {
  CaseArguments of_case;
  bool json = false;
  bool quiet = false;
};

std::string with_error(const Estimate& estimate) {
  return fmt::format("{:.6g} +- {:.2g}", estimate.value, estimate.standard_error);
}

void print_profile(const Case& problem, const Result& result) {
  constexpr std::size_t most_rows = 16;
  const auto axes = profile_axes(problem.grid);
  const std::size_t axis = *std::max_element(axes.begin(), axes.end(), [&](auto a, auto b) {
    return problem.grid.cells(a) < problem.grid.cells(b);
  });
  const Profile profile = plane_average(problem.grid, problem.temperature, result, axis);
  terminal::print("\n  {:>10}  {:>10}  {:>12}  {:>12}\n", fmt::format("{} [m]", "xyz"[axis]),
                  "T [K]", "Q [W/m3]", "std. error");
  const std::size_t rows = profile.coordinate.size();
  const std::size_t stride = (rows + most_rows - 1) / most_rows;
  for (std::size_t i = (stride - 1) / 2; i < rows; i += stride) {
    terminal::print("  {:>10.5g}  {:>10.5g}  {:>12.5g}  {:>12.2g}\n", profile.coordinate[i],
                    profile.temperature[i], profile.flux_divergence[i], profile.standard_error[i]);
  }
}

/// Beside the noise of rays, so that nobody spends more of them than cells are worth.
void print_mesh_error(const Options& options, const Result& result) {
  const MeshError& mesh = result.accuracy.mesh;
  if (!options.estimate_mesh_error) return;
  if (!mesh.estimated) {
    terminal::print("  mesh    not estimated (it takes 8 cells along an axis)\n");
    return;
  }
  double squares = 0.0;
  for (const double q : result.flux_divergence) squares += q * q;
  const double rms = std::sqrt(squares / static_cast<double>(result.flux_divergence.size()));
  const double percent = rms > 0 ? 100 / rms : 0.0;
  terminal::print(
      "  mesh    about {:.2g} % (error from the size of cells, to a factor of a few; falls with "
      "their power {:.2g})\n",
      percent * mesh.error.value, mesh.order);
  const double noise = result.relative_standard_error() * rms;
  if (mesh.error.value > 2 * mesh.error.standard_error && mesh.error.value > 2 * noise) {
    terminal::print("          more rays do not help any more, a finer grid does\n");
  }
}

/// Whether more of the energy balance is unexplained than the target error, or 1 %.
bool out_of_balance(const Options& options, const Result& result) {
  const ErrorTarget& target = options.target;
  const double allowed = target.error > 0 && !target.absolute ? std::min(target.error, 0.01) : 0.01;
  return result.ledger.unexplained > allowed * result.ledger.exchanged;
}

/// What was asked for, and what became of it.
void print_accuracy(const Options& options, const Result& result) {
  const Accuracy& accuracy = result.accuracy;
  if (result.levels == 1) {
    terminal::print("  levels  one level of detail{}\n",
                    options.levels == automatic_levels ? " (chosen for this field)" : "");
  } else {
    terminal::print("  levels  {} levels of detail, {} steps on each{}; ", result.levels,
                    result.steps_per_level,
                    options.levels == automatic_levels ? " (chosen for this field)" : "");
    if (accuracy.corrected) {
      terminal::print("their bias was removed\n");
    } else if (accuracy.bias_estimated) {
      terminal::print("bias of Q {} W/m3\n", with_error(accuracy.bias));
    } else {
      terminal::print("their bias was NOT estimated and is not part of any error\n");
    }
  }
  if (options.target.error > 0) {
    constexpr std::array norms{"root mean square", "quantile", "maximum"};
    constexpr std::array ends{"all rays traced", "reached",
                              "NOT reached: the time limit came first",
                              "NOT reached: there are no more rays to number"};
    const bool reached = accuracy.stopped_by == StoppedBy::target;
    terminal::print("  target  {:.4g} W/m3 ({} over cells), {:.4g} found: {}\n", accuracy.target,
                    norms[static_cast<std::size_t>(options.target.norm)], accuracy.error,
                    reached && out_of_balance(options, result)
                        ? "reached in cells, but NOT by the energy balance, see below"
                        : ends[static_cast<std::size_t>(accuracy.stopped_by)]);
  }
  if (options.target.wall_error > 0) {
    terminal::print(
        "  target  {:.4g} W/m2 (root mean square over wall face cells), {:.4g} found: {}\n",
        accuracy.wall_target, accuracy.wall_error,
        accuracy.wall_error <= accuracy.wall_target ? "reached" : "NOT reached");
  }
}

/// Totals of all sides.
void print_walls(const Grid& grid, const Result& result) {
  terminal::print("\n  {:<8}  {:>24}  {:>24}  {:>24}\n", "wall", "heat lost [W]", "mean [W/m2]",
                  "largest [W/m2]");
  for (const Face face : all_faces) {
    const WallFlux& wall = result.wall_flux[static_cast<std::size_t>(face)];
    if (wall.net_flux.empty()) continue;
    terminal::print("  {:<8}  {:>24}  {:>24}  {:>24}\n", name_of(face), with_error(wall.heat),
                    with_error(mean_flux(grid, face, wall)), with_error(largest_flux(wall)));
  }
}

/// What brings averages over cells closer to balance.
std::string help_with_balance(const Options& options, const Result& result) {
  std::string help;
  const auto add = [&](const char* text) {
    help += (help.empty() ? "" : ", ") + std::string(text);
  };
  if (!options.mesh_correction) add("solver.mesh_correction = true");
  if (result.levels > 1) add("solver.levels = 1");
  if (result.thin_below > 0) add("solver.thin_starts = \"cells\"");
  if (options.start == StartPoint::average) {
    add("a finer grid");
    add("solver.start = \"uniform\" (more noise)");
  }
  return help;
}

void print_balance(const Case& problem, const Result& result) {
  const Ledger& ledger = result.ledger;
  terminal::print("\n  heat lost by the gas    {} W\n", with_error(ledger.gas));
  if (problem.options.rays_per_wall_face == 0) {
    terminal::print("    (the energy balance is not checked: solver.rays_per_wall_face is 0)\n");
    return;
  }
  terminal::print("  heat lost by the walls  {} W\n", with_error(ledger.walls));
  terminal::print("  sum (exact: 0)          {} W\n", with_error(ledger.total));
  if (!out_of_balance(problem.options, result)) return;
  if (result.levels > 1 && !result.accuracy.bias_estimated && !result.accuracy.corrected) {
    terminal::print(
        "    {:.2g} % of the heat exchanged is not in balance. The bias of the levels of detail "
        "was\n"
        "    not estimated and is the likely cause: solver.levels = 1 shows what it is; with the\n"
        "    method \"net\", solver.levels = \"auto\" chooses levels whose bias is small.\n",
        100 * ledger.unexplained / ledger.exchanged);
    return;
  }
  terminal::print(
      "    {:.2g} % of the heat exchanged is not in balance, and neither noise nor levels of\n"
      "    detail explain it. The error of the gas contains it.",
      100 * ledger.unexplained / ledger.exchanged);
  if (problem.options.start == StartPoint::point) {
    terminal::print(
        " Values at cell centres do not\n"
        "    balance where the temperature jumps: solver.start = \"average\" does.");
  } else if (const std::string help = help_with_balance(problem.options, result); !help.empty()) {
    terminal::print("\n    What helps: {}.", help);
  }
  terminal::print("\n");
}

void print_summary(const Case& problem, const Result& result,
                   const std::vector<std::filesystem::path>& files) {
  const Grid& grid = problem.grid;
  const double tracing = result.seconds.gas + result.seconds.walls;
  terminal::print("{}\n\n", problem.title);
  terminal::print("  grid    {} x {} x {} cells\n", grid.cells(0), grid.cells(1), grid.cells(2));
  terminal::print("  medium  {}\n", describe(problem.medium));
  for (const Particles& one : problem.particles) terminal::print("          {}\n", describe(one));
  terminal::print("  rays    {} ({:.0f} per cell), {} lost\n",
                  human_number(static_cast<double>(result.rays.traced)), result.rays_per_cell,
                  result.rays.lost);
  const int processes = Processes::communicator().size();
  terminal::print("  time    {} on {}{}, {} rays/s\n", human_time(result.seconds.total()),
                  processes > 1 ? fmt::format("{} processes with ", processes) : "",
                  hardware_of(result),
                  human_number(static_cast<double>(result.rays.traced) / tracing));
  terminal::print("  error   {:.2g} % (noise and bias of Q in a cell over Q, root mean squares)\n",
                  100 * result.relative_standard_error());
  print_mesh_error(problem.options, result);
  print_accuracy(problem.options, result);
  print_profile(problem, result);
  if (result.ledger.walls.standard_error > 0 || result.ledger.walls.value != 0) {
    print_walls(grid, result);
  }
  print_balance(problem, result);
  if (!files.empty()) terminal::print("\n  files\n");
  for (const auto& file : files) terminal::print("    {}\n", file.string());
}

void run(const RunOptions& options) {
  const Case problem = options.of_case.read();
  const Communicator& processes = Processes::communicator();
  if (processes.size() > 1) Processes::require_same("ermine run", fingerprint(problem));
  std::optional<FileLock> lock;  // two runs of one name would replace each other's files
  together(*processes.ranks(), [&] {
    if (Processes::first()) lock.emplace(prepare_output(problem));
  });
  if (const auto* gas = std::get_if<GasMedium>(&problem.medium);
      gas && gas->bytes() > 100'000'000 && !options.quiet && Processes::first()) {
    terminal::note("medium: {}\n", describe(problem.medium));
  }
  const Tracer tracer = problem.tracer(processes);
  Result result;
  {
    const bool quiet = options.quiet || !Processes::first();
    if (!quiet) warn_of_long_rays(tracer, problem.temperature);
    ProgressLine progress("tracing", quiet ? Verbosity::quiet : Verbosity::normal);
    result = tracer.solve(problem.temperature, 0, std::ref(progress));
  }
  give_memory_back();  // of the rays, for the files
  const auto files = write_output(problem, result, processes);
  terminal::files_written() = !files.empty();
  if (!Processes::first()) return;
  print_warnings(problem, result.thickest_cell);
  if (options.json) {
    terminal::print("{}\n", report_json(problem, result, files));
  } else if (!options.quiet) {
    print_summary(problem, result, files);
  }
}

}  // namespace

void add_run(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* verb = app.add_subcommand("run", "Solve a case and write its result files");
  options->of_case.add_to(*verb);
  verb->add_flag("--json", options->json, "Print the run report as one JSON object");
  verb->add_flag("-q,--quiet", options->quiet, "No progress, no table");
  verb->callback([options] { run(*options); });
}

}  // namespace ermine::cli
