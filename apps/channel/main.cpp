#include <ermine/error.hpp>
#include <ermine/version.hpp>

#include "bench.hpp"
#include "case.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "simulation.hpp"
#include "terminal.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <new>
#include <optional>

namespace channel {
namespace {

struct Arguments {
  std::string file;
  std::vector<std::string> overrides;
  std::string restart;
  std::string backend = "auto";
  bool json = false, quiet = false, bench = false;
};

volatile std::sig_atomic_t signal_seen = 0;

/// Signals after which a run ends with its files written: batch systems send them before they kill,
/// a closed session sends SIGHUP, a limit of processor time SIGXCPU. Those that are ignored, as
/// nohup does with SIGHUP, stay ignored.
void catch_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
    const auto before = std::signal(number, [](int seen) { signal_seen = seen; });
    if (before == SIG_IGN) std::signal(number, SIG_IGN);
  }
}

/// On all processes alike, which look at it now and then.
int signal_to_end(const Ranks& ranks, int step) {
  if (ranks.size() == 1) return signal_seen;
  if (step % 16 != 0) return 0;
  return static_cast<int>(ranks.largest(signal_seen));
}

/// Exit code.
int run_case(const Arguments& given, const ChannelCase& problem, const Ranks& ranks) {
  const auto start = std::chrono::steady_clock::now();
  Simulation run(problem, ranks, given.backend);
  Progress progress(given.quiet || !ranks.first());
  if (given.restart.empty()) {
    run.start();
  } else {
    run.restart(given.restart);
  }
  if (run.done()) {
    throw ermine::Error(
        fmt::format("{}: is at step {}, time {:.6g}, the end of the case; give a later time.until "
                    "or time.steps",
                    given.restart, run.step(), run.time()));
  }
  catch_signals();
  int signal = 0;
  while (!run.done() && signal == 0) {
    run.advance();
    progress.show(run);
    signal = signal_to_end(ranks, run.step());
  }
  progress.show(run, true);
  run.finish();
  ermine::terminal::files_written() = true;
  if (signal != 0) {
    if (ranks.first()) {
      ermine::terminal::note("ermine-channel: stopped by signal {} at step {}, time {:.6g}{}\n",
                             signal, run.step(), run.time(),
                             problem.output.restart ? "; the restart file is written" : "");
    }
    return 128 + signal;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const nlohmann::json result = report(run, seconds);
  if (!ranks.first()) return 0;
  if (given.json) {
    ermine::terminal::print("{}\n", result.dump(2));
  } else if (!given.quiet) {
    ermine::terminal::print("{}", summary(result));
  }
  return 0;
}

int act(const Arguments& given) {
  const ChannelCase problem = read_channel_case(given.file, given.overrides);
  Settings settings = problem.settings;
  settings.insert(settings.end(), {{"--restart", given.restart},
                                   {"--backend", given.backend},
                                   {"--bench", given.bench ? "given" : "not given"}});
  Ranks::of_world().require_same(settings);
  if (given.bench) {
    const nlohmann::json result = bench(problem, given.backend);
    if (Ranks::of_world().first()) {
      ermine::terminal::print("{}", given.json ? result.dump(2) + "\n" : table(result));
    }
    return 0;
  }
  return run_case(given, problem, Ranks::of_world());
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
  constexpr const char* name = "ermine-channel";
  ermine::terminal::guard();
  channel::keep_memory();
  channel::Arguments given;
  CLI::App app("Turbulent channel flow with radiation, by direct numerical simulation.");
  app.set_version_flag("--version", "ermine-channel " ERMINE_VERSION);
  app.add_option("CASE", given.file, "case file (TOML)")->required();
  app.add_option("--set", given.overrides, "KEY=VALUE in place of what the case says")
      ->allow_extra_args(false);
  app.add_option("--restart", given.restart, "goes on from a restart file");
  app.add_option("--backend", given.backend, "what computes: auto, cpu or cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  app.add_flag("--json", given.json, "results as one JSON object on stdout");
  app.add_flag("--quiet", given.quiet, "neither progress nor summary");
  app.add_flag("--bench", given.bench, "times steps of the flow in place of running the case");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? ermine::terminal::finish(name) : 2;
  }
  std::optional<channel::Processes> processes;
  std::string error;
  try {
    processes.emplace();
    const int code = channel::act(given);
    const int output = ermine::terminal::finish(name);
    return code != 0 ? code : output;
  } catch (const std::bad_alloc&) {
    error = "not enough memory, give fewer grid.cells or more processes";
  } catch (const std::exception& failure) {
    error = failure.what();
  }
  channel::Processes::fail(error, [](const std::string& message) {
    ermine::terminal::note("ermine-channel: error: {}\n", message);
  });
  // Without the ends of HDF5, which would try once more to write what it could not.
  std::_Exit(1);
}
