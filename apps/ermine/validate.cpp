#include <ermine/ermine.hpp>

#include "bench_report.hpp"
#include "comparisons.hpp"
#include "html_page.hpp"
#include "machine.hpp"
#include "output_folder.hpp"
#include "progress_line.hpp"
#include "terminal.hpp"
#include "time_budget.hpp"
#include "validation_report.hpp"
#include "verbs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

namespace ermine::cli {
namespace {

struct ValidateOptions {
  std::vector<std::string> cases;
  std::vector<std::string> overrides;
  std::string directory;
  std::string backend;
  std::string lines;
  std::string published;
  std::string report;
  bool json = false;
  bool quiet = false;
};

void write_text(const std::filesystem::path& name, const std::string& text) {
  PendingFile file(name);
  file.write(text);
  file.commit();
}

/// The curve as numbers and as a picture.
void write_comparison(const Verdict& verdict, const std::string& directory) {
  const Comparison& comparison = verdict.comparison;
  const bool plane = !comparison.second_coordinate.empty();
  const bool random = !comparison.reference_error.empty();
  std::string text = fmt::format("{},{}computed {},standard error,reference{}\n",
                                 comparison.abscissa, plane ? "y [m]," : "", comparison.ordinate,
                                 random ? ",standard error of the reference" : "");
  for (std::size_t i = 0; i < comparison.coordinate.size(); ++i) {
    text += fmt::format("{:.10g},", comparison.coordinate[i]);
    if (plane) text += fmt::format("{:.10g},", comparison.second_coordinate[i]);
    text += fmt::format("{:.10g},{:.4g},{:.10g}", comparison.computed[i],
                        comparison.standard_error[i], comparison.reference[i]);
    text += random ? fmt::format(",{:.4g}\n", comparison.reference_error[i]) : "\n";
  }
  const std::string stem = (std::filesystem::path(directory) / verdict.problem.stem()).string();
  write_text(stem + ".csv", text);
  write_text(stem + ".svg", comparison_figure(verdict));
}

/// The same case with starts all over each cell, on one level and without thin starts in blocks,
/// for which energy balances exactly but for noise, and with a quarter of the rays.
Result solve_balanced(const Case& problem, const ValidateOptions& options) {
  Options balanced = problem.options;
  balanced.start = StartPoint::uniform;
  balanced.levels = 1;
  balanced.thin_starts = ThinStarts::cells;
  balanced.rays_per_cell = std::max<std::int64_t>(2, balanced.rays_per_cell / 4);
  ProgressLine progress("  energy balance", options.quiet ? Verbosity::quiet : Verbosity::normal);
  return problem.tracer(balanced).solve(problem.temperature, 0, std::ref(progress));
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
              const ReferenceData& data) {
  Case parsed = parse_case(
      problem.text,
      problem.number > 0 ? fmt::format("case{:02}.toml", problem.number) : problem.name() + ".toml",
      options.overrides);
  if (problem.from_lines()) {
    parsed.medium = line_table_medium(problem.number);
    parsed.title.replace(parsed.title.find(':'), 1, ", lines:");
  }
  Result result;
  {
    ProgressLine progress((problem.number > 0 ? "case " : "") + problem.name(),
                          options.quiet ? Verbosity::quiet : Verbosity::normal);
    result = parsed.tracer().solve(parsed.temperature, 0, std::ref(progress));
  }
  Comparison comparison = problem.compare(parsed, result, data);
  const Result audit = solve_balanced(parsed, options);
  const double seconds = result.seconds.total() + comparison.seconds;
  Verdict verdict{problem,
                  parsed.title,
                  std::move(comparison),
                  result.ledger.total,
                  audit.ledger.total,
                  seconds,
                  hardware_of(result),
                  describe(parsed.medium),
                  settings_of(parsed, result),
                  parsed.text};
  if (!options.directory.empty()) write_comparison(verdict, options.directory);
  return verdict;
}

nlohmann::ordered_json to_json(const Verdict& verdict) {
  auto checks = nlohmann::ordered_json::array();
  for (const Check& check : verdict.comparison.checks) {
    checks.push_back({{"name", check.name},
                      {"value", check.computed.value},
                      {"standard_error", check.computed.standard_error},
                      {"expected", check.expected},
                      {"bound", check.bound},
                      {"pass", check.pass()}});
  }
  const ValidationCase& problem = verdict.problem;
  return {{"case", problem.number > 0 ? nlohmann::ordered_json(problem.number) : nullptr},
          {"variant", problem.number > 0 ? problem.variant : ""},
          {"name", verdict.problem.name()},
          {"title", verdict.title},
          {"medium", verdict.medium},
          {"reference", verdict.problem.reference},
          {"error", verdict.error()},
          {"bound", verdict.problem.bound},
          {"standard_error", verdict.comparison.relative_standard_error()},
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
  terminal::print("  {:<64}  {:>8.3f} %  {:>8.3f} %  {:>8.3f} %  {:>8}  {}\n", verdict.title,
                  100 * verdict.error(), 100 * verdict.comparison.relative_standard_error(),
                  100 * verdict.problem.bound, verdict.balance_text(),
                  verdict.pass() ? "pass" : "FAIL");
  for (const Check& check : verdict.comparison.checks) {
    const bool share = check.expected != 0;
    terminal::print("    {}: {:.5g} +- {:.2g}, expected {:.5g} within {:.3g}{}\n", check.name,
                    check.computed.value, check.computed.standard_error, check.expected,
                    (share ? 100 : 1) * check.bound, share ? " %" : "");
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
  const std::set<int> fitting = table.gas == "CO2"   ? std::set{11}
                                : table.gas == "H2O" ? std::set{10, 12}
                                                     : std::set<int>{};
  for (const std::string& word : options.cases) {
    const auto& all = validation_cases();
    const bool fits = std::all_of(all.begin(), all.end(), [&](const ValidationCase& problem) {
      return !problem.called(word) || fitting.count(problem.number) > 0;
    });
    if (!fits) {
      throw Error(
          fmt::format("{} holds {}, which is not the gas of case {}, name the cases it is "
                      "for (H2O: 10 and 12, CO2: 11)",
                      options.lines, table.gas, word));
    }
  }
  if (options.cases.empty()) {
    throw Error(
        "--line-by-line needs the cases it is for, such as ermine validate 10 "
        "--line-by-line FILE.h5");
  }
  return GasMedium(std::move(table));
}

void validate(const ValidateOptions& options) {
  nlohmann::ordered_json out;
  out["cases"] = nlohmann::ordered_json::array();
  std::vector<Verdict> verdicts;
  const Stopwatch watch;
  check_overrides(options.overrides);
  create_folders({options.directory, options.report});
  std::optional<GasMedium> lines;
  if (!options.lines.empty()) lines.emplace(read_line_by_line(options));
  const ReferenceData data{lines ? &*lines : nullptr, options.published};
  if (!options.json) {
    terminal::print("  {:<64}  {:>10}  {:>10}  {:>10}  {:>8}\n", "", "error", "std. error", "bound",
                    "ledger/s");
  }
  for (const ValidationCase& problem : validation_cases()) {
    const bool wanted = options.cases.empty() ||
                        std::any_of(options.cases.begin(), options.cases.end(),
                                    [&](const std::string& word) { return problem.called(word); });
    if (!wanted) continue;
    verdicts.push_back(judge(problem, options, data));
    out["cases"].push_back(to_json(verdicts.back()));
    if (!options.json) print_row(verdicts.back());
  }
  std::string page;
  if (!options.report.empty()) {
    page = write_page(options.report, validation_page(verdicts, watch.seconds())).string();
    out["report"] = page;
  }
  if (options.json) {
    terminal::print("{}\n", json_text(out));
  } else {
    terminal::print(
        "\n  error: root mean square of (computed - reference) / max|reference|\n"
        "  ledger/s: energy balance of gas and walls over its standard error (uniform starts)\n");
    if (!page.empty()) terminal::print("  report: {}\n", page);
  }
  const bool all_pass = std::all_of(verdicts.begin(), verdicts.end(),
                                    [](const Verdict& verdict) { return verdict.pass(); });
  if (!all_pass) throw Failure{1};
}

/// A case by number or name.
CLI::Validator names_a_case() {
  return {[](std::string& word) {
            std::string names;
            for (const ValidationCase& problem : validation_cases()) {
              if (problem.called(word)) return std::string();
              if (problem.number == 0) names += ", " + problem.name();
            }
            return "there is no case " + word + ", give numbers from 1 to 12 or names: 10-lines" +
                   names;
          },
          ""};
}

}  // namespace

void add_validate(CLI::App& app) {
  auto options = std::make_shared<ValidateOptions>();
  CLI::App* verb = app.add_subcommand("validate", "Check the solver against reference solutions");
  verb->add_option("cases", options->cases,
                   "Cases to run, by number or name such as burns-christon (default: all)")
      ->type_name("CASE...")
      ->check(names_a_case());
  verb->add_option("--set", options->overrides,
                   "Override a solver key or grid cells of every case; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_backend(*verb, options->backend);
  verb->add_option("-o,--output", options->directory,
                   "Write computed and reference curves and figures here")
      ->type_name("DIR")
      ->check(not_empty());
  add_report(*verb, options->report);
  verb->add_option("--published", options->published,
                   "Folder with ex_S1_LBL.dat and ex_S2_LBL.dat, published curves to compare s1 "
                   "and s2 with, too")
      ->type_name("DIR")
      ->envname("ERMINE_REFERENCE_CURVES")
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
