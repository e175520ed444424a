#include <ermine/ermine.hpp>

#include "comparisons.hpp"
#include "embedded.hpp"
#include "files/pending_file.hpp"
#include "machine.hpp"
#include "output_folder.hpp"
#include "progress_line.hpp"
#include "python.hpp"
#include "validation_cases.hpp"
#include "verbs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

namespace ermine::cli {
namespace {

struct ValidateOptions {
  std::vector<int> cases;
  std::vector<std::string> overrides;
  std::string directory;
  std::string backend;
  std::string lines;
  bool json = false;
  bool quiet = false;
};

struct Verdict {
  const ValidationCase& problem;
  std::string title;
  double error;
  double standard_error;
  Estimate run_ledger;  ///< of the run itself: closes up to the error of the grid
  Estimate ledger;      ///< of a run with uniform starts: zero on average
  double seconds;
  std::string hardware;
  std::string medium;
  std::vector<Check> checks;

  bool pass() const {
    return error <= problem.bound && balanced() &&
           std::all_of(checks.begin(), checks.end(), [](const Check& c) { return c.pass(); });
  }
  bool balanced() const { return std::abs(ledger.value) <= 4 * ledger.standard_error; }
};

void write_comparison(const Comparison& comparison, const std::string& name,
                      const std::string& directory) {
  const bool plane = !comparison.second_coordinate.empty();
  const bool random = !comparison.reference_error.empty();
  std::string text =
      fmt::format("x [m],{}computed Q [W/m3],standard error [W/m3],reference Q [W/m3]{}\n",
                  plane ? "y [m]," : "", random ? ",standard error of the reference [W/m3]" : "");
  for (std::size_t i = 0; i < comparison.coordinate.size(); ++i) {
    text += fmt::format("{:.10g},", comparison.coordinate[i]);
    if (plane) text += fmt::format("{:.10g},", comparison.second_coordinate[i]);
    text += fmt::format("{:.10g},{:.4g},{:.10g}", comparison.computed[i],
                        comparison.standard_error[i], comparison.reference[i]);
    text += random ? fmt::format(",{:.4g}\n", comparison.reference_error[i]) : "\n";
  }
  PendingFile file(std::filesystem::path(directory) / ("case" + name + ".csv"));
  file.write(text);
  file.commit();
}

/// The same case with starts all over each cell and one grid, for which energy balances exactly on
/// average, and a quarter of the rays.
Result solve_balanced(const Case& problem, const ValidateOptions& options) {
  Options balanced = problem.options;
  balanced.start = StartPoint::uniform;
  balanced.levels = 1;
  balanced.rays_per_cell = std::max<std::int64_t>(2, balanced.rays_per_cell / 4);
  ProgressLine progress("  energy balance", options.quiet ? Verbosity::quiet : Verbosity::normal);
  return Tracer(problem.grid, problem.walls, problem.medium, balanced)
      .solve(problem.temperature, 0, std::ref(progress));
}

/// The references are those of the paper's problems: only how they are solved may be changed.
void check_overrides(const std::vector<std::string>& overrides) {
  for (const std::string& text : overrides) {
    const std::string key = text.substr(0, text.find('='));
    const bool cells = key == "grid.x.cells" || key == "grid.y.cells" || key == "grid.z.cells";
    if (cells || (key.starts_with("solver.") && key != "solver.rays_per_wall_face")) continue;
    throw Error("--set " + text + ": " + key +
                " would change the problem or its balance, set solver keys (but not "
                "rays_per_wall_face) and "
                "grid cells only");
  }
}

Verdict judge(const ValidationCase& problem, const ValidateOptions& options,
              const GasMedium* lines) {
  Case parsed =
      parse_case(problem.text, fmt::format("case{:02}.toml", problem.number), options.overrides);
  if (*problem.variant) {
    parsed.medium = line_table_medium(problem.number);
    parsed.title.replace(parsed.title.find(':'), 1, ", lines:");
  }
  Result result;
  {
    ProgressLine progress("case " + problem.name(),
                          options.quiet ? Verbosity::quiet : Verbosity::normal);
    result = parsed.tracer().solve(parsed.temperature, 0, std::ref(progress));
  }
  const Comparison comparison = problem.compare(parsed, result, lines);
  const Result audit = solve_balanced(parsed, options);
  if (!options.directory.empty()) {
    write_comparison(comparison, problem.name(), options.directory);
  }
  return {problem,
          parsed.title,
          comparison.error(),
          comparison.relative_standard_error(),
          result.ledger.total,
          audit.ledger.total,
          result.seconds.total(),
          hardware_of(result),
          describe(parsed.medium),
          comparison.checks};
}

nlohmann::ordered_json to_json(const Verdict& verdict) {
  auto checks = nlohmann::ordered_json::array();
  for (const Check& check : verdict.checks) {
    checks.push_back({{"name", check.name},
                      {"value", check.computed.value},
                      {"standard_error", check.computed.standard_error},
                      {"expected", check.expected},
                      {"bound", check.bound},
                      {"pass", check.pass()}});
  }
  return {{"case", verdict.problem.number},
          {"variant", verdict.problem.variant},
          {"name", verdict.problem.name()},
          {"title", verdict.title},
          {"medium", verdict.medium},
          {"reference", verdict.problem.reference},
          {"error", verdict.error},
          {"bound", verdict.problem.bound},
          {"standard_error", verdict.standard_error},
          {"ledger",
           {{"value", verdict.ledger.value}, {"standard_error", verdict.ledger.standard_error}}},
          {"run_ledger",
           {{"value", verdict.run_ledger.value},
            {"standard_error", verdict.run_ledger.standard_error}}},
          {"checks", std::move(checks)},
          {"seconds", verdict.seconds},
          {"hardware", verdict.hardware},
          {"pass", verdict.pass()}};
}

void print_row(const Verdict& verdict) {
  fmt::print("  {:<58}  {:>8.3f} %  {:>8.3f} %  {:>8.3f} %  {:>8.2f}  {}\n", verdict.title,
             100 * verdict.error, 100 * verdict.standard_error, 100 * verdict.problem.bound,
             verdict.ledger.value / verdict.ledger.standard_error,
             verdict.pass() ? "pass" : "FAIL");
  for (const Check& check : verdict.checks) {
    fmt::print("    {}: {:.5g} +- {:.2g}, expected {:.5g} within {:.3g} %\n", check.name,
               check.computed.value, check.computed.standard_error, check.expected,
               100 * check.bound);
  }
  std::fflush(stdout);
}

/// A line-by-line table serves the cases of its gas only.
GasMedium read_line_by_line(const ValidateOptions& options) {
  SpectralTable table = read_table(options.lines);
  if (table.kind != TableKind::line_by_line) {
    throw Error(options.lines +
                " is not a line-by-line table, build one with ermine spectra "
                "from-lines --line-by-line");
  }
  for (const int number : options.cases) {
    const bool fits = table.gas == "CO2" ? number == 11 : number == 10 || number == 12;
    if (!fits || (table.gas != "CO2" && table.gas != "H2O")) {
      throw Error(
          fmt::format("{} holds {}, which is not the gas of case {}, name the cases it is "
                      "for (H2O: 10 and 12, CO2: 11)",
                      options.lines, table.gas, number));
    }
  }
  if (options.cases.empty()) {
    throw Error(
        "--line-by-line needs the cases it is for, such as ermine validate 10 "
        "--line-by-line FILE.h5");
  }
  return GasMedium(std::move(table));
}

/// Curves are the answer, pictures a help: without Python or matplotlib there are none.
void draw(const nlohmann::ordered_json& cases, const std::string& directory) {
  const nlohmann::ordered_json job{{"directory", directory}, {"cases", cases}};
  try {
    run_python(embedded::plot_validation_script, {}, {"matplotlib"}, job.dump());
  } catch (const Error& error) {
    fmt::print(stderr, "no figures: {}\n", error.what());
  }
}

void validate(const ValidateOptions& options) {
  nlohmann::ordered_json out;
  out["cases"] = nlohmann::ordered_json::array();
  bool all_pass = true;
  check_overrides(options.overrides);
  if (!options.directory.empty()) create_folder(options.directory);
  std::optional<GasMedium> lines;
  if (!options.lines.empty()) lines.emplace(read_line_by_line(options));
  if (!options.json) {
    fmt::print("  {:<58}  {:>10}  {:>10}  {:>10}  {:>8}\n", "", "error", "std. error", "bound",
               "ledger/s");
  }
  for (const ValidationCase& problem : validation_cases()) {
    const bool wanted = options.cases.empty() ||
                        std::find(options.cases.begin(), options.cases.end(), problem.number) !=
                            options.cases.end();
    if (!wanted) continue;
    const Verdict verdict = judge(problem, options, lines ? &*lines : nullptr);
    all_pass = all_pass && verdict.pass();
    out["cases"].push_back(to_json(verdict));
    if (!options.json) print_row(verdict);
  }
  if (!options.directory.empty()) draw(out["cases"], options.directory);
  if (options.json) {
    fmt::print("{}\n", out.dump(2));
  } else {
    fmt::print(
        "\n  error: root mean square of (computed - reference) / max|reference|\n"
        "  ledger/s: energy balance of gas and walls over its standard error (uniform starts)\n");
  }
  if (!all_pass) throw Failure{1};
}

}  // namespace

void add_validate(CLI::App& app) {
  auto options = std::make_shared<ValidateOptions>();
  CLI::App* verb = app.add_subcommand("validate", "Check the solver against reference solutions");
  verb->add_option("cases", options->cases, "Cases to run (default: all)")
      ->type_name("N...")
      ->check(CLI::Range(1, validation_cases().back().number));
  verb->add_option("--set", options->overrides,
                   "Override a solver key or grid cells of every case; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_backend(*verb, options->backend);
  verb->add_option("-o,--output", options->directory,
                   "Write computed and reference curves and figures here")
      ->type_name("DIR")
      ->check(not_empty());
  verb->add_option("--line-by-line", options->lines,
                   "Compute the references of cases 10 to 12 with this table (default: stored)")
      ->type_name("FILE.h5")
      ->check(not_empty());
  verb->add_flag("--json", options->json, "Print one JSON object");
  verb->add_flag("-q,--quiet", options->quiet, "No progress");
  verb->callback([options] {
    if (!options->backend.empty()) {
      options->overrides.push_back("solver.backend=" + options->backend);
    }
    validate(*options);
  });
}

}  // namespace ermine::cli
