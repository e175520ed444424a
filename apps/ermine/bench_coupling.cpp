#include <ermine/ermine.hpp>

#include "bench_problems.hpp"
#include "machine.hpp"
#include "progress_line.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <memory>

namespace ermine::cli {
namespace {

struct CouplingCommand {
  int grid = 64;
  int rays = 32;
  int steps = 12;
  int interval = 4;
  int sweeps = 0;
  std::string backend = "auto";
  int threads = 0;
  bool json = false;
};

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// One step of a flow that keeps one thread busy: smooths the temperature by a hair, so many times.
void flow_step(std::vector<double>& t, std::size_t n, int sweeps) {
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t i = n * n; i + n * n < t.size(); ++i) {
      const double around = t[i - 1] + t[i + 1] + t[i - n] + t[i + n] + t[i - n * n] + t[i + n * n];
      t[i] += 1e-6 * (around / 6 - t[i]);
    }
  }
}

/// A flow with and without radiation behind it, and how long submit() takes.
void bench_coupling(CouplingCommand command) {
  Case problem = channel_problem(command.grid, command.backend);
  problem.options.rays_per_cell = command.rays;
  problem.options.threads = command.threads;
  const auto n = static_cast<std::size_t>(command.grid);
  CoupledCase coupled{problem.title,  problem.text,    problem.grid,     problem.walls.sides(),
                      problem.medium, problem.options, problem.coupling, {}};
  coupled.coupling.interval = command.interval;
  coupled.coupling.lag = command.interval;

  Radiation once(coupled);
  std::vector<double> t = problem.temperature;
  std::vector<double> q(t.size());
  once.submit(t.data());  // gets everything ready
  once.wait();
  const double submit = seconds_of([&] { once.submit(t.data()); });
  const bool ready = once.poll();
  const double solve = submit + seconds_of([&] { once.wait(); });

  if (command.sweeps == 0) {
    // As much flow in an interval as hides the radiation, with a quarter to spare.
    const double sweep = seconds_of([&] { flow_step(t, n, 4); }) / 4;
    command.sweeps =
        static_cast<int>(std::clamp(1.25 * solve / command.interval / sweep, 1.0, 1000.0)) + 1;
  }
  const auto flow = [&](Radiation* radiation) {
    for (int step = 0; step < command.steps; ++step) {
      if (radiation) {
        radiation->advance(t.data());
        radiation->get(Quantity::source, q.data());
      }
      flow_step(t, n, command.sweeps);
    }
  };
  const double alone = seconds_of([&] { flow(nullptr); });
  Radiation radiation(coupled);
  radiation.advance(t.data());  // the first one is waited for
  const CouplingStatistics first = radiation.statistics();
  const double together = seconds_of([&] { flow(&radiation); });
  const CouplingStatistics& all = radiation.statistics();
  const double solving = all.seconds_solving - first.seconds_solving;
  const double waited = all.seconds_waiting - first.seconds_waiting + all.seconds_submitting -
                        first.seconds_submitting;
  const double hidden = solving > 0 ? std::clamp(1 - waited / solving, 0.0, 1.0) : 0.0;
  if (command.json) {
    nlohmann::ordered_json out;
    out["machine"] = machine_json(this_machine());
    out["problem"] = {
        {"name", "channel"},      {"grid", command.grid},         {"rays_per_cell", command.rays},
        {"steps", command.steps}, {"interval", command.interval}, {"lag", command.interval}};
    out["backend"] = name_of(problem.tracer().backend());
    out["submit_seconds"] = submit;
    out["ready_after_submit"] = ready;
    out["update_seconds"] = solve;
    out["flow_seconds"] = alone;
    out["flow_with_radiation_seconds"] = together;
    out["hidden_fraction"] = hidden;
    terminal::print("{}\n", out.dump(2));
    return;
  }
  terminal::print("channel, {}^3 cells, {} rays per cell, an update every {} steps, {}\n\n",
                  command.grid, command.rays, command.interval,
                  name_of(problem.tracer().backend()));
  terminal::print("  submit() returns after        {:>9.2f} ms{}\n", 1e3 * submit,
                  ready ? "" : ", the solution goes on");
  terminal::print("  one update                    {:>9.1f} ms\n", 1e3 * solve);
  terminal::print("  {} flow steps                 {:>9.2f} s\n", command.steps, alone);
  terminal::print("  the same with radiation       {:>9.2f} s\n", together);
  terminal::print("  hidden part of the radiation  {:>9.0f} %\n", 100 * hidden);
}

}  // namespace

void add_bench_coupling(CLI::App& bench) {
  auto command = std::make_shared<CouplingCommand>();
  CLI::App* verb = bench.add_subcommand(
      "coupling", "A flow with and without radiation behind it: how much of its time is hidden");
  verb->add_option("--grid", command->grid, "Cells per axis")
      ->capture_default_str()
      ->check(CLI::Range(4, 1024));
  verb->add_option("--rays", command->rays, "Rays per cell")
      ->capture_default_str()
      ->check(CLI::Range(2, 1000000));
  verb->add_option("--steps", command->steps, "Steps of the flow")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  verb->add_option("--interval", command->interval, "Steps between updates, and their lag")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  verb->add_option("--sweeps", command->sweeps,
                   "Work of a step of the flow (default: a quarter more than hides the radiation)")
      ->check(CLI::Range(1, 100000));
  verb->add_option("--threads", command->threads, "CPU threads of the radiation (default: all)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  add_backend(*verb, command->backend);
  verb->add_flag("--json", command->json, "Print one JSON object");
  verb->callback([command] { bench_coupling(*command); });
}

}  // namespace ermine::cli
