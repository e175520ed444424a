#include "ladder.hpp"
#include "machine.hpp"
#include "progress_line.hpp"
#include "published.hpp"
#include "terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace ermine::cli {
namespace {

using Rows = std::vector<LadderRow>;

Rows rows_of(const LadderRecord& record, const std::string& part, const std::string& problem) {
  Rows rows;
  std::copy_if(record.rows.begin(), record.rows.end(), std::back_inserter(rows),
               [&](const LadderRow& row) {
                 return row.setting.part == part && row.setting.problem == problem;
               });
  return rows;
}

const char* mark(bool scaled) { return scaled ? "*" : " "; }

/// How many times faster than another row, with a mark if either time is scaled.
std::string gain_text(const LadderRow& row, const LadderRow* slower) {
  if (!slower) return "-";
  return fmt::format("{:.2f}{}", slower->seconds_scaled() / row.seconds_scaled(),
                     mark(row.scaled() || slower->scaled()));
}

std::string time_text(const LadderRow& row) {
  return fmt::format("{:.4g}{}", row.seconds_scaled(), mark(row.scaled()));
}

/// A column that says what the rows of a table differ in.
struct Column {
  const char* title;
  std::function<std::string(const LadderRow&)> text;
};

void print_times(const Rows& rows, const Column& first, const Column& second,
                 const char* compared_with,
                 const std::function<const LadderRow*(const LadderRow&)>& slower) {
  terminal::print("  {:<14} {:<11} {:>9} {:>11} {:>11} {:>14} {:>10} {:>9} {:>9}\n", first.title,
                  second.title, "rays used", "time [s]", "scaled [s]", compared_with, "Mrays/s",
                  "cells/ray", "error [%]");
  for (const LadderRow& row : rows) {
    terminal::print("  {:<14} {:<11} {:>9} {:>11.4g} {:>11} {:>14} {:>10.4g} {:>9.1f} {:>9.3g}\n",
                    first.text(row), second.text(row), row.rays_used, row.seconds, time_text(row),
                    gain_text(row, slower(row)), row.rays_per_second / 1e6, row.crossings_per_ray,
                    100 * row.standard_error);
  }
}

std::string grid_text(const LadderRow& row) { return fmt::format("{}^3", row.setting.grid); }
std::string rays_text(const LadderRow& row) { return fmt::format("{}", row.setting.rays); }
std::string method_text(const LadderRow& row) { return row.setting.method; }

/// The table of methods over grids, or over numbers of rays.
void print_methods(const std::string& title, const LadderRecord& record, const std::string& part,
                   const Column& first) {
  const Rows rows = rows_of(record, part, "case 10");
  if (rows.empty()) return;
  terminal::print("\n{}\n\n", title);
  print_times(rows, first, {"method", method_text}, "over classic", [&](const LadderRow& row) {
    return record.find(part, "classic", row.setting.grid, row.setting.rays);
  });
}

void print_grids(const LadderRecord& record, const LadderOptions& options) {
  const Rows cpu = rows_of(record, "cpu", "case 10");
  print_methods(fmt::format("Grids: {} rays per cell", options.rays), record, "grids",
                {"grid", grid_text});
  if (cpu.empty()) return;
  terminal::print("\nCPU: {}^3 cells, the largest grid that fits the budget, {} rays per cell\n\n",
                  cpu.front().setting.grid, options.rays);
  print_times(cpu, {"on", [](const LadderRow& row) { return hardware_of(row); }},
              {"method", method_text}, "over the first",
              [&](const LadderRow&) { return &cpu.front(); });
}

/// The bias as a percentage: with its standard error, or below two of them.
std::string bias_text(const LadderBias& bias, double scale) {
  const auto& [value, error] = bias.squared;
  if (!(scale > 0)) return "-";
  if (value == 0 && error == 0) return "0";
  if (value > 2 * error) {
    const double root = std::sqrt(value);
    return fmt::format("{:.3g} +- {:.1g}", 100 * root / scale, 50 * error / root / scale);
  }
  return fmt::format("< {:.2g}", 100 * std::sqrt(std::max(0.0, value) + 2 * error) / scale);
}

void print_biases(const std::string& title, const LadderRecord& record, const std::string& part,
                  const std::string& problem, const Column& first, const Column& second) {
  const Rows rows = rows_of(record, part, problem);
  if (rows.empty()) return;
  terminal::print("\n{}: {} on {}^3 cells, {} rays per cell\n\n", title, problem,
                  rows.front().setting.grid, rows.front().setting.rays);
  terminal::print("  {:<18} {:>6} {:>9} {:>11} {:>11} {:>14}  {:>18}  {:>18}\n", first.title,
                  second.title, "rays used", "time [s]", "scaled [s]", "over one grid",
                  "bias [% of max|Q|]", "[% of rms Q]");
  const auto print = [&](const LadderRow& row, const std::string& most, const std::string& rms) {
    terminal::print("  {:<18} {:>6} {:>9} {:>11.4g} {:>11} {:>14}  {:>18}  {:>18}\n",
                    first.text(row), second.text(row), row.rays_used, row.seconds, time_text(row),
                    gain_text(row, &rows.front()), most, rms);
  };
  print(rows.front(), "", "");
  for (const LadderBias& bias : record.biases) {
    const LadderSetting& setting = bias.row.setting;
    if (setting.part != part || setting.problem != problem) continue;
    print(bias.row, bias_text(bias, bias.largest), bias_text(bias, bias.rms));
  }
}

std::string levels_text(const LadderRow& row) { return fmt::format("{}", row.levels); }

std::string steps_text(const LadderRow& row) {
  return row.setting.method == "multigrid" ? fmt::format("{}", row.steps_per_level) : "";
}

std::string coarse_text(const LadderRow& row) {
  if (row.setting.method != "multigrid") return "one grid";
  return row.coarse_temperature == CoarseTemperature::mean ? "mean of T" : "mean of T^4";
}

void print_findings(const LadderRecord& record) {
  const auto found = findings(record);
  if (found.empty()) return;
  std::size_t width = 0;
  for (const LadderFinding& finding : found) width = std::max(width, finding.text.size());
  terminal::print("\n  {:<{}}  {:>9}   {}\n", "", width, "here", "published");
  for (const LadderFinding& finding : found) {
    const auto figure = find_published(finding.key);
    const std::string beside =
        figure ? fmt::format("{}{}{}", figure->value, figure->conditions.empty() ? "" : ", ",
                             figure->conditions)
               : "";
    terminal::print("  {:<{}}  {:>9.3g}{}  {}\n", finding.text, width, finding.value,
                    mark(finding.scaled), beside);
  }
  terminal::print("\n  published: {}\n", published_in);
}

}  // namespace

void print_ladder(const LadderRecord& record, const LadderOptions& options) {
  const Machine machine = this_machine();
  terminal::print(
      "Case 10 (slab of water vapour, parabolic temperature) on n^3 cells, gas rays only\n");
  terminal::print("{}, {} threads{}{}\n", machine.processor, machine.threads,
                  machine.device.empty() ? "" : "; ", machine.device);
  print_grids(record, options);
  print_methods(fmt::format("Rays: {}^3 cells", options.rays_grid), record, "rays",
                {"rays per cell", rays_text});
  print_biases("Levels of detail", record, "levels", "case 10", {"levels", levels_text},
               {"steps", steps_text});
  for (const std::string problem : {"case 10", "eddies"}) {
    print_biases("Bias of all levels", record, "bias", problem, {"coarse temperature", coarse_text},
                 {"steps", steps_text});
  }
  print_findings(record);
  if (!record.gaps.empty()) terminal::print("\nLeft out\n");
  for (const auto& [setting, why] : record.gaps) {
    terminal::print("  {}: {}, {} on {}^3 cells: {}\n", setting.part, setting.problem,
                    setting.method, setting.grid, why);
  }
  terminal::print(
      "\n  time: of the gas rays, as measured with the rays used per cell\n"
      "  error: standard error of Q over Q, root mean squares, with the rays used\n");
  if (std::any_of(record.rows.begin(), record.rows.end(),
                  [](const LadderRow& row) { return row.scaled(); })) {
    terminal::print(
        "  *: not measured but scaled to the planned rays as if time were proportional to them, as "
        "the\n"
        "     budget of {} allowed only the rays used; --budget gives more\n",
        human_time(options.budget));
  }
  if (!record.biases.empty()) {
    terminal::print(
        "  bias: root mean square of Q - Q on one grid, noise removed, +- its standard error\n");
  }
}

}  // namespace ermine::cli
