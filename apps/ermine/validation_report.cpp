#include "validation_report.hpp"

#include <ermine/version.hpp>

#include "html_page.hpp"
#include "machine.hpp"
#include "progress_line.hpp"
#include "svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace ermine::cli {
namespace {

std::string in_percent(double share) { return fmt::format("{:.3f} %", 100 * share); }

std::string bound_text(double bound) {
  return bound > 0 ? fmt::format("{:g} %", 100 * bound) : "exact";
}

/// A part of a comparison with one y, or all of it where there is but one.
struct ComparisonRow {
  std::string label;
  std::vector<std::size_t> entries;
};

std::vector<ComparisonRow> rows_to_draw(const Comparison& comparison) {
  const auto& y = comparison.second_coordinate;
  ComparisonRow whole;
  for (std::size_t i = 0; i < comparison.coordinate.size(); ++i) whole.entries.push_back(i);
  if (y.empty()) return {whole};
  const std::set<double> different(y.begin(), y.end());
  const std::vector<double> values(different.begin(), different.end());
  constexpr std::size_t drawn = 5;
  std::vector<ComparisonRow> rows;
  for (std::size_t row = 0; row < std::min(drawn, values.size()); ++row) {
    const double value = values[row * (values.size() - 1) / (drawn - 1)];
    rows.push_back({fmt::format("y = {:.3g} m", value), {}});
    for (const std::size_t i : whole.entries) {
      if (y[i] == value) rows.back().entries.push_back(i);
    }
  }
  return rows;
}

std::vector<double> chosen(const std::vector<double>& values,
                           const std::vector<std::size_t>& entries, double factor) {
  std::vector<double> out;
  for (const std::size_t i : entries) out.push_back(factor * values[i]);
  return out;
}

std::string summary_table(const std::vector<Verdict>& verdicts) {
  HtmlTable table({"case", "verdict", "error", "bound", "standard error", "ledger / s.e.", "time",
                   "problem", "reference"});
  for (const Verdict& verdict : verdicts) {
    const std::string name = verdict.problem.name();
    table.add({fmt::format("<a href=\"#{0}\">{0}</a>", name), html_badge(verdict.pass()),
               in_percent(verdict.error()), bound_text(verdict.problem.bound),
               in_percent(verdict.comparison.relative_standard_error()), verdict.balance_text(),
               human_time(verdict.seconds), html_words(verdict.title),
               html_words(verdict.problem.reference)},
              name);
  }
  return table.text();
}

std::string check_text(const Check& check) {
  const std::string error = check.computed.standard_error > 0
                                ? fmt::format(" ± {:.2g}", check.computed.standard_error)
                                : "";
  const std::string wanted =
      check.expected != 0 ? fmt::format("{:.5g} within {:.3g} %", check.expected, 100 * check.bound)
      : check.bound > 0   ? fmt::format("at most {:.3g}", check.bound)
                          : "0";
  return fmt::format("{:.5g}{}, expected: {} {}", check.computed.value, error, wanted,
                     html_badge(check.pass()));
}

std::string case_section(const Verdict& verdict, const Machine& machine) {
  const Comparison& comparison = verdict.comparison;
  const std::string name = verdict.problem.name();
  std::vector<std::pair<std::string, std::string>> numbers{
      {"error", fmt::format("{} of {} {}", in_percent(verdict.error()),
                            comparison.scale > 0 ? comparison.scale_name : "the largest value",
                            html_badge(verdict.error() <= verdict.problem.bound))},
      {"bound", bound_text(verdict.problem.bound)},
      {"standard error", in_percent(comparison.relative_standard_error())},
      {"points compared", fmt::format("{}", comparison.coordinate.size())},
      {"ledger", fmt::format("{:.4g} ± {:.2g} W, {} standard errors {}", verdict.ledger.value,
                             verdict.ledger.standard_error, verdict.balance_text(),
                             html_badge(verdict.balanced()))}};
  for (const Check& check : comparison.checks) numbers.emplace_back(check.name, check_text(check));
  numbers.emplace_back("reference", escaped(verdict.problem.reference));
  numbers.emplace_back("medium", escaped(verdict.medium));
  for (const auto& [key, value] : verdict.settings) numbers.emplace_back(key, escaped(value));
  numbers.emplace_back("time of the rays", human_time(verdict.seconds));
  numbers.emplace_back("traced by", escaped(verdict.hardware));
  numbers.emplace_back("machine", escaped(machine.processor));
  numbers.emplace_back("version", "ermine " ERMINE_VERSION);
  return fmt::format(
      "<section id=\"{0}\">\n<h2>{1} {2}</h2>\n<div class=\"case\">\n<figure>\n{3}</figure>\n"
      "<div>\n{4}<details><summary>Case file as it was run</summary><pre>{5}</pre></details>\n"
      "<p class=\"note\">Repeat it: <code>ermine validate {0}</code></p>\n</div>\n</div>\n"
      "</section>\n",
      name, escaped(verdict.title), html_badge(verdict.pass()), comparison_figure(verdict),
      html_list(numbers), escaped(verdict.text));
}

}  // namespace

bool Verdict::pass() const {
  return error() <= problem.bound && balanced() &&
         std::all_of(comparison.checks.begin(), comparison.checks.end(),
                     [](const Check& check) { return check.pass(); });
}

std::string Verdict::balance_text() const {
  if (ledger.value == 0 && ledger.standard_error == 0) return "0";
  return fmt::format("{:.2f}", ledger.value / ledger.standard_error);
}

std::vector<std::pair<std::string, std::string>> settings_of(const Case& problem,
                                                             const Result& result) {
  const Options& options = problem.options;
  const auto method = method_of(options);
  return {{"cells", fmt::format("{} x {} x {}", problem.grid.cells(0), problem.grid.cells(1),
                                problem.grid.cells(2))},
          {"method", fmt::format("{}, {} level{} of detail", method ? name_of(*method) : "custom",
                                 result.levels, result.levels == 1 ? "" : "s")},
          {"rays per cell",
           fmt::format("{} ({:.0f} traced, mean)", options.rays_per_cell, result.rays_per_cell)},
          {"rays per wall face", fmt::format("{}", options.rays_per_wall_face)},
          {"rays traced", human_number(static_cast<double>(result.rays.traced))},
          {"start", name_of(options.start)},
          {"mesh correction", options.mesh_correction ? "yes" : "no"},
          {"thin points start in", name_of(options.thin_starts)},
          {"precision", options.precision == Precision::single_precision ? "single" : "double"},
          {"seed", fmt::format("{}", options.seed)}};
}

std::string comparison_figure(const Verdict& verdict) {
  const Comparison& comparison = verdict.comparison;
  const double reach = comparison.reach();
  const bool heat = comparison.ordinate == "Q [W/m3]";
  const double unit = heat && reach >= 1e3 && comparison.scale == 0 ? 1e-3 : 1.0;
  PlotPanel curves{"", {"", false}, {comparison.ordinate, false}, {}};
  if (heat) curves.y.title = unit < 1 ? "heat loss Q [kW/m3]" : "heat loss Q [W/m3]";
  PlotPanel differences{"", {comparison.abscissa, false}, {"difference [%]", false}, {}, 90};
  bool first = true;
  for (const auto& [label, entries] : rows_to_draw(comparison)) {
    const auto x = chosen(comparison.coordinate, entries, 1.0);
    const auto y = chosen(comparison.computed, entries, unit);
    const auto exact = chosen(comparison.reference, entries, unit);
    curves.series.push_back({.name = first ? "reference" : "",
                             .x = x,
                             .y = exact,
                             .ink = Ink::orange,
                             .line = true,
                             .label = label});
    curves.series.push_back({.name = first ? "Monte Carlo, standard error" : "",
                             .x = x,
                             .y = y,
                             .points = true,
                             .error = chosen(comparison.standard_error, entries, unit)});
    PlotSeries& below = differences.series.emplace_back(curves.series.back());
    below.name.clear();
    below.error = chosen(comparison.standard_error, entries, 100 / reach);
    for (std::size_t i = 0; i < x.size(); ++i) {
      below.y[i] = 100 * (y[i] - exact[i]) / (unit * reach);
    }
    first = false;
  }
  if (!comparison.published.x.empty()) {
    const PublishedCurve& theirs = comparison.published;
    curves.series.push_back({.name = theirs.name,
                             .x = theirs.x,
                             .y = theirs.y,
                             .ink = Ink::grey,
                             .points = true,
                             .hollow = std::vector<bool>(theirs.x.size(), true)});
  }
  const auto& x = comparison.coordinate;
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  differences.series.push_back(
      {.name = "", .x = {*low, *high}, .y = {0.0, 0.0}, .ink = Ink::orange, .line = true});
  return svg_figure(verdict.title + ": computed points over the reference", {curves, differences});
}

std::string validation_page(const std::vector<Verdict>& verdicts, double seconds) {
  const Machine machine = this_machine();
  const auto passed = std::count_if(verdicts.begin(), verdicts.end(),
                                    [](const Verdict& verdict) { return verdict.pass(); });
  const auto all = static_cast<std::ptrdiff_t>(verdicts.size());
  std::string head =
      passed == all ? fmt::format("<p class=\"status pass\" id=\"status\">All {} passed</p>\n", all)
                    : fmt::format("<p class=\"status fail\" id=\"status\">{} of {} FAILED</p>\n",
                                  all - passed, all);
  head += html_list(
      {{"version", "ermine " ERMINE_VERSION},
       {"machine", escaped(fmt::format("{}, {} threads{}{}", machine.processor, machine.threads,
                                       machine.device.empty() ? "" : ", ", machine.device))},
       {"compiler", escaped(machine.compiler + " " ERMINE_BUILD_FLAGS)},
       {"made", fmt::format("{}, in {}", time_stamp(), human_time(seconds))}});
  std::string body =
      "<section>\n<h2>Summary</h2>\n" + summary_table(verdicts) +
      "<p class=\"note\">Error: root mean square of (computed - reference) over the largest "
      "reference value; standard error: the same norm of the error bars. Ledger: energy balance "
      "of gas and walls in a second run with uniform starts, zero on average. A case passes if "
      "its error is within the bound, its ledger within four standard errors and every further "
      "check within its own. Differences in the figures are in percent of the same largest value. "
      "References are exact and deterministic solutions, that of case 12 line-by-line Monte Carlo; "
      "validation/README.md says which.</p>\n</section>\n";
  for (const Verdict& verdict : verdicts) body += case_section(verdict, machine);
  return html_page("ermine: validation", head, body);
}

}  // namespace ermine::cli
