#include "bench_page.hpp"
#include "html_page.hpp"
#include "published.hpp"
#include "svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

namespace ermine::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array ladder_methods{"classic", "texture", "sorted", "multigrid"};
constexpr std::array ladder_inks{Ink::grey, Ink::blue, Ink::green, Ink::orange};

std::vector<Json> rows_of_part(const Json& study, const std::string& part,
                               const std::string& problem = "case 10") {
  std::vector<Json> rows;
  for (const Json& row : study.at("results")) {
    if (row.at("part") == part && row.value("problem", problem) == problem) rows.push_back(row);
  }
  return rows;
}

/// By method, of those with the same grid or the same number of rays.
using RungRow = std::map<std::string, Json>;

std::map<double, RungRow> rungs(const std::vector<Json>& rows, const char* key) {
  std::map<double, RungRow> found;
  for (const Json& row : rows) found[row.at(key).get<double>()][row.at("method")] = row;
  return found;
}

std::string findings_table(const Json& study) {
  if (!study.contains("findings") || study.at("findings").empty()) return "";
  HtmlTable table({"", "here", "in the paper (K40M)"});
  for (const Json& finding : study.at("findings")) {
    const Json theirs = finding.value("published", Json());
    const std::string conditions = finding.value("published_conditions", "");
    table.add({escaped(finding.at("text").get<std::string>()),
               digits(finding.at("value"), finding.at("scaled")),
               theirs.is_number() ? escaped(fmt::format("{:g}{}{}", theirs.get<double>(),
                                                        conditions.empty() ? "" : ", ", conditions))
                                  : ""},
              "finding " + finding.at("key").get<std::string>());
  }
  return fmt::format(
      "<h3>Beside the paper</h3>\n{}<p class=\"note\">Paper: {}. These figures of it are stored; "
      "its "
      "tables of times are not.</p>\n",
      table.text(), escaped(published_in));
}

PlotSeries method_series(const std::map<double, RungRow>& by_key, std::size_t method,
                         const std::function<double(const RungRow&, const Json&)>& value,
                         const std::function<double(double)>& abscissa) {
  PlotSeries series{.name = ladder_methods[method],
                    .x = {},
                    .y = {},
                    .ink = ladder_inks[method],
                    .line = true,
                    .points = true};
  for (const auto& [key, rung] : by_key) {
    const auto row = rung.find(ladder_methods[method]);
    if (row == rung.end()) continue;
    series.x.push_back(abscissa(key));
    series.y.push_back(value(rung, row->second));
    series.hollow.push_back(row->second.at("scaled"));
  }
  return series;
}

double time_of(const Json& row) { return row.at("seconds_scaled"); }

/// Seconds of all methods, and what they gain over classic.
std::string method_figures(const std::map<double, RungRow>& by_key, const std::string& title,
                           const std::function<double(double)>& abscissa) {
  PlotPanel times{"time [s]", {title, true}, {"time [s]", true}, {}};
  PlotPanel gains{"times faster than classic", {title, true}, {"gain", true}, {}};
  for (std::size_t method = 0; method < ladder_methods.size(); ++method) {
    times.series.push_back(method_series(
        by_key, method, [](const RungRow&, const Json& row) { return time_of(row); }, abscissa));
    if (method == 0) continue;
    gains.series.push_back(method_series(
        by_key, method,
        [](const RungRow& rung, const Json& row) {
          const auto classic = rung.find("classic");
          return classic == rung.end() ? NAN : time_of(classic->second) / time_of(row);
        },
        abscissa));
  }
  return "<div class=\"figures\">\n<figure>" + svg_figure("Time over " + title, {times}) +
         "</figure>\n<figure>" + svg_figure("Gain over classic, over " + title, {gains}) +
         "</figure>\n</div>\n";
}

std::string methods_table(const std::map<double, RungRow>& by_key, const std::string& part,
                          const std::string& key_title,
                          const std::function<std::string(double)>& key_text) {
  HtmlTable table({key_title, "classic [s]", "texture [s]", "sorted [s]", "multigrid [s]",
                   "multigrid over classic", "its Mrays/s", "its s.e.", "cells/ray",
                   "with levels"});
  for (const auto& entry : by_key) {
    const double key = entry.first;
    const RungRow& rung = entry.second;
    std::vector<std::string> cells{key_text(key)};
    for (const char* method : ladder_methods) {
      const auto row = rung.find(method);
      cells.push_back(row == rung.end() ? ""
                                        : digits(time_of(row->second), row->second.at("scaled")));
    }
    const auto classic = rung.find("classic");
    const auto levels = rung.find("multigrid");
    const bool both = classic != rung.end() && levels != rung.end();
    cells.push_back(both ? digits(time_of(classic->second) / time_of(levels->second),
                                  classic->second.at("scaled") || levels->second.at("scaled"))
                         : "");
    const auto number = [&](const auto& row, const char* name, double factor) {
      return row == rung.end() ? "" : digits(factor * row->second.at(name).template get<double>());
    };
    cells.push_back(number(levels, "rays_per_second", 1e-6));
    const std::string error = number(levels, "standard_error", 100);
    cells.push_back(error.empty() ? "" : error + " %");
    cells.push_back(number(classic, "crossings_per_ray", 1));
    cells.push_back(number(levels, "crossings_per_ray", 1));
    table.add(cells, fmt::format("{} {:g}", part, key));
  }
  return table.text();
}

std::string cpu_table(const Json& study) {
  const auto rows = rows_of_part(study, "cpu");
  if (rows.empty()) return "";
  HtmlTable table({"on", "method", "cells", "rays used", "time [s]", "million rays/s"});
  for (const Json& row : rows) {
    table.add({escaped(tracer_of(row, study)), row.at("method").get<std::string>(),
               fmt::format("{}³", row.at("grid").get<int>()),
               fmt::format("{} of {}", row.at("rays_used").get<std::int64_t>(),
                           row.at("rays").get<std::int64_t>()),
               digits(time_of(row), row.at("scaled")),
               digits(row.at("rays_per_second").get<double>() / 1e6)},
              fmt::format("cpu {} {}", row.at("method").get<std::string>(),
                          row.at("threads").get<int>()));
  }
  return "<h3>CPU</h3>\n" + table.text();
}

/// Squared bias with its error as a percentage of something.
std::string bias_percent(const Json& bias, const char* scale_key) {
  const double scale = bias.at(scale_key);
  const double value = bias.at("squared_bias");
  const double error = bias.at("squared_bias_standard_error");
  if (!(scale > 0)) return "";
  if (value > 2 * error) {
    const double root = std::sqrt(value);
    return fmt::format("{:.3g} ± {:.1g} %", 100 * root / scale, 50 * error / root / scale);
  }
  return fmt::format("&lt; {:.2g} %", 100 * std::sqrt(std::max(0.0, value) + 2 * error) / scale);
}

std::string bias_table(const Json& study, const std::string& part) {
  if (!study.contains("bias")) return "";
  HtmlTable table({"problem", "cells", "levels", "steps per level", "coarse temperature",
                   "bias, of max|Q|", "of rms Q"});
  for (const Json& bias : study.at("bias")) {
    if (bias.at("part") != part) continue;
    const bool mean = bias.at("coarse_temperature") == "mean";
    table.add(
        {bias.at("problem").get<std::string>(), fmt::format("{}³", bias.at("grid").get<int>()),
         fmt::format("{}", bias.at("levels").get<int>()),
         fmt::format("{}", bias.at("steps_per_level").get<int>()),
         mean ? "mean of T" : "mean of T⁴", bias_percent(bias, "largest_q"),
         bias_percent(bias, "rms_q")},
        fmt::format("bias {} {} {} {} {}", part, bias.at("problem").get<std::string>(),
                    bias.at("levels").get<int>(), bias.at("steps_per_level").get<int>(),
                    bias.at("coarse_temperature").get<std::string>()));
  }
  return table.empty() ? "" : table.text();
}

}  // namespace

std::string ladder_section(const Json& study) {
  const auto cubed = [](double grid) { return grid * grid * grid; };
  const auto cells_text = [](double grid) { return fmt::format("{:.0f}³", grid); };
  const auto rays_text = [](double rays) { return fmt::format("{:.0f}", rays); };
  std::string out =
      "<p>Case 10, a slab of water vapour with parabolic temperature, on n³ cells, by the four "
      "methods of the paper, each an acceleration on top of the one before.</p>\n" +
      findings_table(study);
  const auto grids = rows_of_part(study, "grids");
  if (!grids.empty()) {
    const auto by_grid = rungs(grids, "grid");
    out += fmt::format("<h3>Grids, {} rays per cell, {}</h3>\n",
                       grids.front().at("rays").get<std::int64_t>(),
                       escaped(tracer_of(grids.front(), study))) +
           method_figures(by_grid, "cells", cubed) +
           methods_table(by_grid, "grids", "cells", cells_text);
  }
  out += cpu_table(study);
  const auto rays = rows_of_part(study, "rays");
  if (!rays.empty()) {
    out += fmt::format("<h3>Rays, {}³ cells</h3>\n", rays.front().at("grid").get<int>()) +
           methods_table(rungs(rays, "rays"), "rays", "rays per cell", rays_text);
  }
  const std::string levels = bias_table(study, "levels");
  if (!levels.empty()) out += "<h3>Levels of detail: their bias</h3>\n" + levels;
  const std::string biases = bias_table(study, "bias");
  if (!biases.empty()) {
    out += "<h3>Bias of all levels</h3>\n" + biases +
           "<p class=\"note\">Root mean square of Q with levels minus Q on one grid, noise "
           "removed.</p>\n";
  }
  return out;
}

}  // namespace ermine::cli
