#include "bench_problems.hpp"
#include "bench_report.hpp"
#include "embedded.hpp"
#include "error_study.hpp"
#include "output_folder.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace ermine::cli {
namespace {

struct ErrorCommand {
  ErrorOptions options;
  std::string directory;
  std::string report;
  bool json = false;
};

void bench_error(ErrorCommand command) {
  ErrorOptions& options = command.options;
  drop_repeats(options.problems);
  drop_repeats(options.methods);
  tidy(options.grids);
  tidy(options.threads);
  tidy(options.targets);
  std::reverse(options.targets.begin(), options.targets.end());
  create_folders({command.directory, command.report});
  const ErrorRecord record = study_errors(options);
  nlohmann::ordered_json study = errors_json(record, options);
  if (!command.directory.empty()) {
    write_report(json_text(study), command.directory, "error.json", embedded::plot_error_script);
  }
  add_bench_page(study, command.report);
  if (command.json) {
    terminal::print("{}\n", json_text(study));
  } else {
    print_errors(record, options);
    print_page(study);
  }
}

/// Values that may be given in a row with commas between them, or one after the other.
template <class Values>
CLI::Option* add_list(CLI::App& verb, const char* name, Values& values, const char* help) {
  return verb.add_option(name, values, help)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

/// A fraction; CLI::Range would let "nan" pass.
CLI::Validator is_target() {
  return {[](std::string& text) {
            double value = 0.0;
            const bool fits =
                CLI::detail::lexical_cast(text, value) && value >= 1e-5 && value <= 1.0;
            return std::string(fits ? "" : "Value " + text + " not in range 1e-5 to 1");
          },
          ""};
}

}  // namespace

void add_bench_error(CLI::App& bench) {
  auto command = std::make_shared<ErrorCommand>();
  ErrorOptions& options = command->options;
  CLI::App* verb = bench.add_subcommand(
      "error", "Time and rays to an error of Q: net, multigrid and classic on several problems");
  std::vector<std::string> names;
  for (const BenchProblem& problem : bench_problems()) names.push_back(problem.name);
  add_list(*verb, "--problem", options.problems, "Problem; repeatable")
      ->capture_default_str()
      ->type_name("NAME...")
      ->check(CLI::IsMember(names));
  add_list(
      *verb, "--grid", options.grids,
      "Cells per axis, twice as many along the long axis of flames and furnace (default: 32 on a "
      "CPU; 64,128,192 on a GPU)")
      ->type_name("N...")
      ->check(CLI::Range(3, 1024));
  add_list(*verb, "--method", options.methods, "Method (default: all); repeatable")
      ->type_name("net|multigrid|classic|classic-levels")
      ->check(CLI::IsMember({"net", "multigrid", "classic", "classic-levels"}));
  add_list(*verb, "--target", options.targets, "Errors to reach, as fractions of rms Q")
      ->capture_default_str()
      ->type_name("E...")
      ->check(is_target());
  add_list(*verb, "--backend", options.backends, "What traces the rays; repeatable")
      ->capture_default_str()
      ->type_name("auto|cpu|cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  add_list(*verb, "--threads", options.threads, "Threads of the CPU; 0: all")
      ->capture_default_str()
      ->type_name("N...")
      ->check(CLI::Range(0, 1024));
  verb->add_option("--budget", options.budget,
                   "Time for all runs [s]; what it is too short for is scaled or left out")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  verb->add_flag("--calibration", options.calibration,
                 "Also compare the net's error bars with its true errors, with many seeds");
  verb->add_option("-o,--output", command->directory, "Write error.json and error.svg here")
      ->type_name("DIR")
      ->check(not_empty());
  add_report(*verb, command->report);
  verb->add_flag("--json", command->json, "Print one JSON object");
  verb->add_flag("-q,--quiet", options.quiet, "No progress");
  verb->callback([command] { bench_error(*command); });
}

}  // namespace ermine::cli
