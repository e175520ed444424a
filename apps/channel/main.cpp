#include <ermine/error.hpp>

#include "bench.hpp"
#include "case.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "simulation.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <new>

namespace channel {
namespace {

struct Arguments {
  std::string file;
  std::vector<std::string> overrides;
  std::string restart;
  std::string backend = "auto";
  bool json = false, quiet = false, bench = false;
};

void run_case(const Arguments& given, const ChannelCase& problem, const Ranks& ranks) {
  const auto start = std::chrono::steady_clock::now();
  Simulation run(problem, ranks, given.backend);
  Progress progress(given.quiet || !ranks.first());
  if (given.restart.empty()) {
    run.start();
  } else {
    run.restart(given.restart);
  }
  while (!run.done()) {
    run.advance();
    progress.show(run);
  }
  progress.show(run, true);
  run.finish();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const nlohmann::json result = report(run, seconds);
  if (!ranks.first()) return;
  if (given.json) {
    fmt::print("{}\n", result.dump(2));
  } else if (!given.quiet) {
    fmt::print("{}", summary(result));
  }
}

void act(const Arguments& given) {
  const ChannelCase problem = read_channel_case(given.file, given.overrides);
  if (given.bench) {
    const nlohmann::json result = bench(problem, given.backend);
    fmt::print("{}", given.json ? result.dump(2) + "\n" : table(result));
    return;
  }
  run_case(given, problem, Ranks::of_world());
}

/// Fields come and go with every update of the radiation. What is freed stays with the process:
/// memory that is new to it takes longer to get than to fill.
void keep_memory() {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
#endif
}

}  // namespace
}  // namespace channel

int main(int argc, char** argv) {
  channel::keep_memory();
  channel::Arguments given;
  CLI::App app("Turbulent channel flow with radiation, by direct numerical simulation.");
  app.set_version_flag("--version", "ermine-channel");
  app.add_option("CASE", given.file, "case file (TOML)")->required();
  app.add_option("--set", given.overrides, "KEY=VALUE in place of what the case says")
      ->allow_extra_args(false);
  app.add_option("--restart", given.restart, "goes on from a restart file");
  app.add_option("--backend", given.backend, "what computes: auto, cpu or cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  app.add_flag("--json", given.json, "results as one JSON object on stdout");
  app.add_flag("--quiet", given.quiet, "neither progress nor summary");
  app.add_flag("--bench", given.bench, "times steps of the flow in place of running the case");
  CLI11_PARSE(app, argc, argv);
  channel::Processes processes;
  std::string error;
  try {
    channel::act(given);
    return 0;
  } catch (const std::bad_alloc&) {
    error = "not enough memory, give fewer grid.cells or more processes";
  } catch (const std::exception& failure) {
    error = failure.what();
  }
  channel::Processes::fail(error, [](const std::string& message) {
    fmt::print(stderr, "ermine-channel: error: {}\n", message);
    std::fflush(nullptr);
  });
  // Without the ends of HDF5, which would try once more to write what it could not.
  std::_Exit(1);
}
