#pragma once

#include <CLI/CLI.hpp>

namespace ermine::cli {

/// Each verb adds its subcommand; what it does runs when the command line has been parsed. Errors
/// are thrown.
void add_run(CLI::App& app);
void add_validate(CLI::App& app);
void add_bench(CLI::App& app);
void add_bench_ladder(CLI::App& bench);
void add_bench_error(CLI::App& bench);
void add_bench_coupling(CLI::App& bench);
void add_bench_forecast(CLI::App& bench);
void add_bench_scaling(CLI::App& bench);
void add_bench_seeds(CLI::App& bench);
void add_bench_temporal(CLI::App& bench);
void add_channel(CLI::App& app);
void add_check(CLI::App& app);
void add_completion(CLI::App& app);
void add_new(CLI::App& app);
void add_plot(CLI::App& app);
void add_spectra(CLI::App& app);
void add_info(CLI::App& app);

/// Where the verb is channel: becomes that program, before MPI or anything else has begun.
void become_channel(int argc, char** argv);

/// An empty name, perhaps from an unset shell variable, must not stand for some default.
inline CLI::Validator not_empty() {
  return {
      [](std::string& name) { return std::string(name.empty() ? "is empty, give a name" : ""); },
      ""};
}

/// What traces the rays: short for --set solver.backend=NAME.
inline void add_backend(CLI::App& verb, std::string& backend) {
  verb.add_option("--backend", backend, "What traces the rays (default: as the case says)")
      ->type_name("auto|cpu|cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
}

/// Where a page of results goes.
inline CLI::Option* add_report(CLI::App& verb, std::string& directory) {
  return verb
      .add_option("--report", directory,
                  "Write a page of results here: DIR/index.html, self-contained, for any browser")
      ->type_name("DIR")
      ->check(not_empty());
}

/// Exit code of a program run or check that did not throw but did not succeed either.
struct Failure {
  int exit_code;
};

}  // namespace ermine::cli
