#include <ermine/ermine.hpp>

#include "bench_problems.hpp"
#include "bench_report.hpp"
#include "core/ranks.hpp"
#include "embedded.hpp"
#include "machine.hpp"
#include "output_folder.hpp"
#include "processes.hpp"
#include "progress_line.hpp"
#include "scaling_model.hpp"
#include "verbs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <memory>

namespace ermine::cli {
namespace {

struct ScalingCommand {
  int grid = 32;
  int rays = 128;
  int repeats = 3;
  std::string backend = "auto";
  std::string directory;
  bool json = false;
};

/// 1, 2, 4, ... and all that there are.
std::vector<int> process_counts(int most) {
  std::vector<int> counts;
  for (int count = 1; count < most; count *= 2) counts.push_back(count);
  counts.push_back(most);
  return counts;
}

/// The channel, so many times as long, with as many cells.
Case long_channel(int grid, int times, const std::string& backend, int rays) {
  Case problem = channel_problem(grid, backend);
  problem.options.rays_per_cell = rays;
  const std::vector<double> once = problem.temperature;
  for (int i = 1; i < times; ++i) {
    problem.temperature.insert(problem.temperature.end(), once.begin(), once.end());
  }
  const Grid& grid_once = problem.grid;
  const double length = times * grid_once.length(2);
  const Grid grid_all({grid_once.axis(0), grid_once.axis(1),
                       Axis::uniform(times * grid, 0.0, length, Boundary::periodic)});
  problem.walls = Walls(grid_all, problem.walls.sides());
  problem.grid = grid_all;
  return problem;
}

/// The best of some solutions by some processes.
ScalingRow measure(const Case& problem, const Communicator& some, int repeats) {
  using Clock = std::chrono::steady_clock;
  const Tracer tracer = problem.tracer(some);
  ScalingRow row;
  row.processes = some.size();
  row.cells = static_cast<double>(problem.grid.cell_count());
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const std::int64_t before = some.ranks()->bytes_sent();
    const auto start = Clock::now();
    const Result result = tracer.solve(problem.temperature, static_cast<std::uint32_t>(repeat));
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (repeat > 0 && seconds >= row.seconds) continue;
    row.seconds = seconds;
    row.setup_seconds = result.seconds.setup;
    row.bytes_sent = static_cast<double>(some.ranks()->bytes_sent() - before);
    row.backend = name_of(result.backend);
  }
  set_field_bytes(tracer, row);
  return row;
}

nlohmann::ordered_json rows_json(const std::vector<ScalingRow>& rows) {
  auto out = nlohmann::ordered_json::array();
  for (const ScalingRow& row : rows) {
    out.push_back({{"processes", row.processes},
                   {"cells", row.cells},
                   {"seconds", row.seconds},
                   {"setup_seconds", row.setup_seconds},
                   {"efficiency", row.efficiency},
                   {"bytes_sent_per_process", row.bytes_sent},
                   {"field_bytes_per_process", row.field_bytes},
                   {"distributed_field_bytes_per_process", row.distributed_bytes}});
  }
  return out;
}

void print_rows(const char* title, const std::vector<ScalingRow>& rows) {
  fmt::print("\n  {}\n  {:>9}  {:>12}  {:>9}  {:>10}  {:>14}  {:>14}  {:>14}\n", title, "processes",
             "cells", "time [s]", "efficiency", "sent by each", "field of each", "distributed");
  for (const ScalingRow& row : rows) {
    fmt::print("  {:>9}  {:>12.0f}  {:>9.4f}  {:>9.0f}%  {:>14}  {:>14}  {:>14}\n", row.processes,
               row.cells, row.seconds, 100 * row.efficiency, human_bytes(row.bytes_sent),
               human_bytes(row.field_bytes), human_bytes(row.distributed_bytes));
  }
}

void bench_scaling(const ScalingCommand& command) {
  const Communicator& world = Processes::communicator();
  if (!command.directory.empty() && Processes::first()) create_folder(command.directory);
  std::vector<ScalingRow> strong, weak;
  for (const int count : process_counts(world.size())) {
    const auto some = world.first(count);
    for (const bool grows : {false, true}) {
      if (!some) continue;  // waits for the others at the next split
      const Case problem =
          long_channel(command.grid, grows ? count : 1, command.backend, command.rays);
      (grows ? weak : strong).push_back(measure(problem, *some, command.repeats));
    }
  }
  if (!Processes::first()) return;
  set_efficiencies(strong, weak);
  const ScalingModel model(strong);
  std::vector<ScalingRow> strong_model, weak_model;
  for (const int processes : {64, 1024}) {
    strong_model.push_back(model.strong(processes));
    weak_model.push_back(model.weak(processes));
  }
  const Case problem = long_channel(command.grid, 1, command.backend, command.rays);
  for (ScalingRow& row : strong_model) set_field_bytes(problem.tracer(), row);
  for (ScalingRow& row : weak_model) {
    if (row.cells > 1e9) continue;  // more than can be numbered, with those of coarser levels
    // As long as that of all processes; the field itself is not needed.
    const Grid grid({problem.grid.axis(0), problem.grid.axis(1),
                     Axis::uniform(row.processes * command.grid, 0.0,
                                   row.processes * problem.grid.length(2), Boundary::periodic)});
    set_field_bytes(
        Tracer(grid, Walls(grid, problem.walls.sides()), problem.medium, problem.options), row);
  }
  nlohmann::ordered_json out;
  out["machine"] = machine_json(this_machine());
  out["problem"] = {{"name", "channel"}, {"grid", command.grid}, {"rays_per_cell", command.rays}};
  out["backend"] = strong.front().backend;
  out["field"] = "replicated";
  out["strong"] = rows_json(strong);
  out["weak"] = rows_json(weak);
  out["model"] = {{"what", "extrapolation, not measured"},
                  {"setup_seconds_per_cell", model.setup_per_cell()},
                  {"tracing_seconds_per_cell", model.tracing_per_cell()},
                  {"seconds_per_byte", model.seconds_per_byte()},
                  {"strong", rows_json(strong_model)},
                  {"weak", rows_json(weak_model)}};
  if (!command.directory.empty()) {
    write_report(out.dump(2), command.directory, "scaling.json", embedded::plot_scaling_script);
  }
  if (command.json) {
    fmt::print("{}\n", out.dump(2));
    return;
  }
  fmt::print("channel, {}^3 cells, {} rays per cell, {}, best of {}; times of replicated fields\n",
             command.grid, command.rays, strong.front().backend, command.repeats);
  if (world.size() == 1) {
    fmt::print("one process: start it as mpirun -n 4 ermine bench scaling to see more\n");
  }
  print_rows("same problem, more processes", strong);
  print_rows("as many cells for each process", weak);
  print_rows("same problem: model, not measured", strong_model);
  print_rows("as many cells for each: model, not measured", weak_model);
}

}  // namespace

void add_bench_scaling(CLI::App& bench) {
  auto command = std::make_shared<ScalingCommand>();
  CLI::App* verb = bench.add_subcommand(
      "scaling",
      "Time of 1, 2, 4, ... processes, and a model for more: mpirun -n P ermine bench "
      "scaling");
  verb->add_option("--grid", command->grid, "Cells per axis, for one process")
      ->capture_default_str()
      ->check(CLI::Range(4, 1024));
  verb->add_option("--rays", command->rays, "Rays per cell")
      ->capture_default_str()
      ->check(CLI::Range(2, 1000000));
  verb->add_option("--repeats", command->repeats, "Runs of which the best counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  add_backend(*verb, command->backend);
  verb->add_option("-o,--output", command->directory, "Folder for scaling.json and its plot")
      ->type_name("DIR")
      ->check(not_empty());
  verb->add_flag("--json", command->json, "Print one JSON object");
  verb->callback([command] { bench_scaling(*command); });
}

}  // namespace ermine::cli
