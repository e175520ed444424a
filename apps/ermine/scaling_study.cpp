#include "scaling_study.hpp"

#include <ermine/ermine.hpp>

#include "bench_problems.hpp"
#include "core/ranks.hpp"
#include "machine.hpp"
#include "processes.hpp"
#include "progress_line.hpp"
#include "scaling_model.hpp"
#include "terminal.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <omp.h>

#include <algorithm>
#include <chrono>

namespace ermine::cli {
namespace {

using Json = nlohmann::ordered_json;

/// 1, 2, 4, ... and all that there are.
std::vector<int> doubled_up_to(int most) {
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

Json rows_json(const std::vector<ScalingRow>& rows) {
  Json out = Json::array();
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

/// One process with 1, 2, 4, ... threads.
Json threads_json(const ScalingOptions& options) {
  Json out = Json::array();
  for (const int count : doubled_up_to(omp_get_max_threads())) {
    Case problem = long_channel(options.grid, 1, options.backend, options.rays);
    problem.options.threads = count;
    const ScalingRow row = measure(problem, Processes::communicator(), options.repeats);
    const double one = out.empty() ? row.seconds : out.front().at("seconds").get<double>();
    out.push_back({{"threads", count},
                   {"cells", row.cells},
                   {"seconds", row.seconds},
                   {"setup_seconds", row.setup_seconds},
                   {"efficiency", one / (count * row.seconds)}});
  }
  return out;
}

void print_scaling_rows(const char* title, const Json& rows) {
  terminal::print("\n  {}\n  {:>9}  {:>12}  {:>9}  {:>10}  {:>14}  {:>14}  {:>14}\n", title,
                  "processes", "cells", "time [s]", "efficiency", "sent by each", "field of each",
                  "distributed");
  for (const Json& row : rows) {
    const auto number = [&](const char* key) { return row.at(key).get<double>(); };
    terminal::print("  {:>9}  {:>12.0f}  {:>9.4f}  {:>9.0f}%  {:>14}  {:>14}  {:>14}\n",
                    row.at("processes").get<int>(), number("cells"), number("seconds"),
                    100 * number("efficiency"), human_bytes(number("bytes_sent_per_process")),
                    human_bytes(number("field_bytes_per_process")),
                    human_bytes(number("distributed_field_bytes_per_process")));
  }
}

}  // namespace

Json study_scaling(const ScalingOptions& options) {
  const Communicator& world = Processes::communicator();
  std::vector<ScalingRow> strong, weak;
  for (const int count : doubled_up_to(world.size())) {
    const auto some = world.first(count);
    for (const bool grows : {false, true}) {
      if (!some) continue;  // waits for the others at the next split
      const Case problem =
          long_channel(options.grid, grows ? count : 1, options.backend, options.rays);
      (grows ? weak : strong).push_back(measure(problem, *some, options.repeats));
    }
  }
  if (!Processes::first()) return {};
  set_efficiencies(strong, weak);
  const ScalingModel model(strong);
  std::vector<ScalingRow> strong_model, weak_model;
  for (const int processes : {64, 1024}) {
    strong_model.push_back(model.strong(processes));
    weak_model.push_back(model.weak(processes));
  }
  const Case problem = long_channel(options.grid, 1, options.backend, options.rays);
  for (ScalingRow& row : strong_model) set_field_bytes(problem.tracer(), row);
  for (ScalingRow& row : weak_model) {
    if (row.cells > 1e9) continue;  // more than can be numbered, with those of coarser levels
    // As long as that of all processes; the field itself is not needed.
    const Grid grid({problem.grid.axis(0), problem.grid.axis(1),
                     Axis::uniform(row.processes * options.grid, 0.0,
                                   row.processes * problem.grid.length(2), Boundary::periodic)});
    set_field_bytes(Tracer(grid, Walls(grid, problem.walls.sides()), problem.medium,
                           scattering_of(problem.particles), problem.options),
                    row);
  }
  Json out;
  out["study"] = "scaling";
  out["machine"] = machine_json(this_machine());
  out["problem"] = {{"name", "channel"}, {"grid", options.grid}, {"rays_per_cell", options.rays}};
  out["backend"] = strong.front().backend;
  out["field"] = "replicated";
  out["strong"] = rows_json(strong);
  out["weak"] = rows_json(weak);
  if (world.size() == 1 && strong.front().backend == name_of(Backend::cpu)) {
    out["threads"] = threads_json(options);
  }
  out["model"] = {{"what", "extrapolation, not measured"},
                  {"setup_seconds_per_cell", model.setup_per_cell()},
                  {"tracing_seconds_per_cell", model.tracing_per_cell()},
                  {"seconds_per_byte", model.seconds_per_byte()},
                  {"strong", rows_json(strong_model)},
                  {"weak", rows_json(weak_model)}};
  return out;
}

void print_scaling(const Json& study, const ScalingOptions& options) {
  terminal::print(
      "channel, {}^3 cells, {} rays per cell, {}, best of {}; times of replicated fields\n",
      options.grid, options.rays, study.at("backend").get<std::string>(), options.repeats);
  if (study.at("strong").size() == 1) {
    terminal::print("one process: start it as mpirun -n 4 ermine bench scaling to see more\n");
  }
  print_scaling_rows("same problem, more processes", study.at("strong"));
  print_scaling_rows("as many cells for each process", study.at("weak"));
  if (study.contains("threads")) {
    terminal::print("\n  same problem, more threads\n  {:>9}  {:>12}  {:>9}  {:>10}\n", "threads",
                    "cells", "time [s]", "efficiency");
    for (const Json& row : study.at("threads")) {
      terminal::print("  {:>9}  {:>12.0f}  {:>9.4f}  {:>9.0f}%\n", row.at("threads").get<int>(),
                      row.at("cells").get<double>(), row.at("seconds").get<double>(),
                      100 * row.at("efficiency").get<double>());
    }
  }
  print_scaling_rows("same problem: model, not measured", study.at("model").at("strong"));
  print_scaling_rows("as many cells for each: model, not measured", study.at("model").at("weak"));
}

}  // namespace ermine::cli
