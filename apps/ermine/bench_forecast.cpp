#include <ermine/forecast.hpp>
#include <ermine/tracer.hpp>

#include "case_arguments.hpp"
#include "progress_line.hpp"
#include "terminal.hpp"
#include "time_budget.hpp"
#include "verbs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ctime>
#include <functional>
#include <memory>

namespace ermine::cli {
namespace {

struct ForecastCommand {
  CaseArguments of_case;
  bool json = false;
  bool quiet = false;
};

/// Something predicted by `ermine check`, and the same as the run had it.
struct Comparison {
  const char* key;
  const char* title;
  double predicted;
  double measured;
};

double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void compare_forecast(const ForecastCommand& command) {
  const Case problem = command.of_case.read();
  const Tracer tracer = problem.tracer();
  const Verbosity verbosity = command.quiet ? Verbosity::quiet : Verbosity::normal;
  const Forecast expected = forecast(tracer, problem.temperature);
  ProgressLine progress("tracing", verbosity);
  const double before = processor_time();
  const Stopwatch watch;
  const Result result = tracer.solve(problem.temperature, 0, std::ref(progress));
  const double seconds = watch.seconds();
  const Comparison rows[] = {
      {"seconds", "time [s]", expected.total_seconds(), seconds},
      {"processor_seconds", "of all threads [s]", expected.processor_seconds,
       processor_time() - before},
      {"rays", "rays", expected.rays, static_cast<double>(result.rays.traced)},
      {"relative_error", "error of Q over Q", expected.relative_error,
       result.relative_standard_error()}};
  if (command.json) {
    nlohmann::ordered_json out{{"title", problem.title}, {"threads", expected.threads}};
    for (const Comparison& row : rows) {
      out[row.key] = {{"predicted", row.predicted}, {"measured", row.measured}};
    }
    terminal::print("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    return;
  }
  terminal::print("{}\n\n  {:<20}  {:>12}  {:>12}  {:>8}\n", problem.title, "", "predicted",
                  "measured", "ratio");
  for (const auto& [key, title, predicted, measured] : rows) {
    terminal::print("  {:<20}  {:>12.4g}  {:>12.4g}  {:>8.3g}\n", title, predicted, measured,
                    measured > 0 ? predicted / measured : 0.0);
  }
}

}  // namespace

void add_bench_forecast(CLI::App& bench) {
  auto command = std::make_shared<ForecastCommand>();
  CLI::App* verb = bench.add_subcommand(
      "forecast", "Compare what ermine check predicts for a case with what its run takes");
  command->of_case.add_to(*verb);
  verb->add_flag("--json", command->json, "Print one JSON object");
  verb->add_flag("-q,--quiet", command->quiet, "No progress");
  verb->callback([command] { compare_forecast(*command); });
}

}  // namespace ermine::cli
