#include "bench_page.hpp"
#include "html_page.hpp"
#include "progress_line.hpp"
#include "svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace ermine::cli {
namespace {

using Json = nlohmann::ordered_json;

Ink ink_of_method(const std::string& method) {
  return method == "net" ? Ink::blue : method == "multigrid" ? Ink::orange : Ink::grey;
}

/// Error over time, a curve for each method and grid.
std::string error_figure(const std::string& problem, const std::vector<Json>& rows) {
  std::map<std::pair<std::string, int>, PlotSeries> curves;
  for (const Json& row : rows) {
    if (!row.at("target").is_number()) continue;
    const std::string method = row.at("method");
    const int grid = row.at("grid");
    PlotSeries& series = curves[{method, grid}];
    series.name = method;
    series.label = fmt::format("grid {}", grid);
    series.ink = ink_of_method(method);
    series.line = series.points = true;
    series.x.push_back(row.at("seconds"));
    series.y.push_back(100 * row.at("error").get<double>());
    series.hollow.push_back(row.at("scaled"));
  }
  if (curves.empty()) return "";
  PlotPanel panel{problem, {"time [s]", true}, {"error [% of rms Q]", true}, {}};
  std::string before;
  for (auto& [key, series] : curves) {
    if (std::exchange(before, key.first) == key.first) series.name.clear();  // once in the legend
    panel.series.push_back(std::move(series));
  }
  return "<figure>" + svg_figure("Error over time, " + problem, {panel}) + "</figure>\n";
}

std::string percent_of(const Json& row, const char* key) {
  return digits(100 * row.at(key).get<double>()) + (row.at("scaled").get<bool>() ? " %*" : " %");
}

/// The row of the net with everything else alike.
const Json* net_beside(const std::vector<Json>& rows, const Json& row) {
  for (const Json& other : rows) {
    const auto same = [&](const char* key) { return other.at(key) == row.at(key); };
    if (other.at("method") == "net" && same("grid") && same("backend") && same("threads") &&
        same("target")) {
      return &other;
    }
  }
  return nullptr;
}

std::string error_table(const Json& study, const std::string& problem,
                        const std::vector<Json>& rows) {
  HtmlTable table({"grid", "on", "method", "target", "rays per cell", "time [s]", "error",
                   "of it bias", "standard error", "time over net", "million rays/s"});
  for (const Json& row : rows) {
    const bool aims = row.at("target").is_number();
    const bool scaled = row.at("scaled");
    const Json* net = aims ? net_beside(rows, row) : nullptr;
    table.add({fmt::format("{}", row.at("grid").get<int>()), escaped(tracer_of(row, study)),
               row.at("method").get<std::string>(),
               aims ? fmt::format("{:g} %", 100 * row.at("target").get<double>()) : "",
               fmt::format("{:.0f}{}", row.at("rays_per_cell").get<double>(), scaled ? "*" : ""),
               digits(row.at("seconds"), scaled), percent_of(row, "error"),
               row.at("bias_seen").get<bool>() ? percent_of(row, "bias") : "not seen",
               percent_of(row, "standard_error"),
               net ? digits(row.at("seconds").get<double>() / net->at("seconds").get<double>(),
                            scaled || net->at("scaled").get<bool>())
                   : "",
               digits(row.at("rays_per_second").get<double>() / 1e6)},
              fmt::format("error {} {} {} {} {}", problem, row.at("grid").get<int>(),
                          tracer_of(row, study), row.at("method").get<std::string>(),
                          row.at("target").dump()));
  }
  return table.text();
}

std::string calibration_table(const Json& study) {
  const Json rows = study.value("calibration", Json::array());
  if (rows.empty()) return "";
  HtmlTable table({"problem", "grid", "rays per cell", "seeds", "reported over true standard error",
                   "cells within two"});
  for (const Json& row : rows) {
    table.add(
        {row.at("problem").get<std::string>(), fmt::format("{}", row.at("grid").get<int>()),
         digits(row.at("rays_per_cell"), false, 6), fmt::format("{}", row.at("seeds").get<int>()),
         fmt::format("{:.3f}", row.at("ratio").get<double>()),
         fmt::format("{:.1f} %", 100 * row.at("within_two").get<double>())},
        "calibration " + row.at("problem").get<std::string>());
  }
  return "<h3>Error bars of the net</h3>\n" + table.text();
}

std::string references_note(const Json& study) {
  std::string out;
  for (const Json& reference : study.value("references", Json::array())) {
    out += fmt::format("{}{}, grid {}: {} rays in each of {} cells, standard error {:.2g} %",
                       out.empty() ? "" : "; ", escaped(reference.at("problem").get<std::string>()),
                       reference.at("grid").get<int>(),
                       reference.at("rays_per_cell").get<std::int64_t>(),
                       reference.at("cells").get<std::int64_t>(),
                       100 * reference.at("standard_error").get<double>());
  }
  return out.empty() ? ""
                     : "<p class=\"note\">References, without levels of detail: " + out + ".</p>\n";
}

std::string scaling_table(const Json& rows, const std::string& name) {
  HtmlTable table({"processes", "cells", "time [s]", "efficiency", "sent by each", "field of each",
                   "distributed"});
  for (const Json& row : rows) {
    const auto bytes = [&](const char* key) {
      return row.contains(key) ? human_bytes(row.at(key).get<double>()) : "";
    };
    table.add({fmt::format("{}", row.at("processes").get<int>()),
               fmt::format("{:.0f}", row.at("cells").get<double>()), digits(row.at("seconds")),
               fmt::format("{:.0f} %", 100 * row.at("efficiency").get<double>()),
               bytes("bytes_sent_per_process"), bytes("field_bytes_per_process"),
               bytes("distributed_field_bytes_per_process")},
              fmt::format("{} {}", name, row.at("processes").get<int>()));
  }
  return table.text();
}

std::string threads_table(const Json& rows) {
  HtmlTable table({"threads", "cells", "time [s]", "efficiency"});
  for (const Json& row : rows) {
    table.add({fmt::format("{}", row.at("threads").get<int>()),
               fmt::format("{:.0f}", row.at("cells").get<double>()), digits(row.at("seconds")),
               fmt::format("{:.0f} %", 100 * row.at("efficiency").get<double>())},
              fmt::format("threads {}", row.at("threads").get<int>()));
  }
  return table.text();
}

PlotSeries times_over(const Json& rows, const char* counted, const std::string& name, Ink ink) {
  PlotSeries series{.name = name, .x = {}, .y = {}, .ink = ink, .line = true, .points = true};
  for (const Json& row : rows) {
    series.x.push_back(row.at(counted));
    series.y.push_back(row.at("seconds"));
  }
  return series;
}

/// As fast as p times one, from the first row on.
PlotSeries ideal_of(const PlotSeries& measured) {
  PlotSeries ideal{
      .name = "ideal", .x = measured.x, .y = {}, .ink = Ink::grey, .line = true, .dashed = true};
  for (const double x : measured.x) ideal.y.push_back(measured.y[0] * measured.x[0] / x);
  return ideal;
}

}  // namespace

std::string error_section(const Json& study) {
  std::vector<std::string> problems;
  std::map<std::string, std::vector<Json>> rows;
  for (const Json& row : study.at("results")) {
    const std::string problem = row.at("problem");
    if (rows.count(problem) == 0) problems.push_back(problem);
    rows[problem].push_back(row);
  }
  std::string out =
      "<p>Rays and time that methods need until Q has a given error, bias included. The net is "
      "measured; the others are scaled from shorter runs, until their standard error alone is at "
      "the "
      "target. The paper has no such study.</p>\n<div class=\"figures\">\n";
  for (const std::string& problem : problems) out += error_figure(problem, rows[problem]);
  out += "</div>\n";
  for (const std::string& problem : problems) {
    out += "<h3>" + escaped(problem) + "</h3>\n" + error_table(study, problem, rows[problem]);
  }
  return out + calibration_table(study) + references_note(study);
}

std::string scaling_section(const Json& study) {
  const Json& problem = study.at("problem");
  const Json threads = study.value("threads", Json::array());
  std::string figures;
  if (study.at("strong").size() > 1 || threads.empty()) {
    PlotPanel panel{"processes", {"processes", true}, {"time [s]", true}, {}};
    panel.series.push_back(times_over(study.at("strong"), "processes", "same problem", Ink::blue));
    panel.series.push_back(
        times_over(study.at("weak"), "processes", "as many cells for each", Ink::orange));
    panel.series.push_back(ideal_of(panel.series.front()));
    figures = "<figure>" + svg_figure("Time over processes", {panel}) + "</figure>\n";
  }
  std::string tables =
      "<h3>Same problem, more processes</h3>\n" + scaling_table(study.at("strong"), "strong") +
      "<h3>As many cells for each process</h3>\n" + scaling_table(study.at("weak"), "weak");
  if (!threads.empty()) {
    PlotPanel beside{"threads of one process", {"threads", true}, {"time [s]", true}, {}};
    beside.series.push_back(times_over(threads, "threads", "same problem", Ink::blue));
    beside.series.push_back(ideal_of(beside.series.front()));
    figures += "<figure>" + svg_figure("Time over threads", {beside}) + "</figure>\n";
    tables = "<h3>Same problem, more threads</h3>\n" + threads_table(threads) + tables;
  }
  if (study.contains("model")) {
    const Json& model = study.at("model");
    tables += "<h3>Same problem: a model for more processes, not measured</h3>\n" +
              scaling_table(model.at("strong"), "model strong") +
              "<h3>As many cells for each: a model, not measured</h3>\n" +
              scaling_table(model.at("weak"), "model weak");
  }
  return fmt::format(
             "<p>Channel on {}³ cells with {} rays per cell, {}; times of whole solutions, each "
             "process with all of the field.{}</p>\n",
             problem.at("grid").get<int>(), problem.at("rays_per_cell").get<int>(),
             study.value("backend", "") == "cuda" ? "on the GPU" : "on the CPU",
             study.at("strong").size() == 1
                 ? " One process ran: mpirun -n 4 ermine bench scaling --json measures more, and "
                   "ermine bench --from shows them here."
                 : "") +
         "<div class=\"figures\">\n" + figures + "</div>\n" + tables;
}

}  // namespace ermine::cli
