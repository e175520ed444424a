#include "error_study.hpp"
#include "machine.hpp"
#include "progress_line.hpp"
#include "terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ermine::cli {
namespace {

const char* star(bool scaled) { return scaled ? "*" : " "; }

std::string place_text(const ErrorSetting& setting, const std::string& device) {
  if (setting.backend == Backend::cuda) return device;
  return fmt::format("{} CPU thread{}", setting.threads, setting.threads == 1 ? "" : "s");
}

/// In per cent; where it drowns in noise, what it may be at most.
std::string bias_text(const Score& score) {
  if (score.bias_seen()) return fmt::format("{:.3g}", 100 * score.bias());
  const auto& [value, error] = score.squared_bias;
  return fmt::format("< {:.2g}", 100 * std::sqrt(std::max(0.0, value) + 3 * error));
}

std::string over_net_text(const ErrorRow& row, const ErrorRecord& record) {
  const ErrorRow* net = record.beside(row, "net");
  if (!net || row.target == 0) return "-";
  return fmt::format("{:.3g}{}", row.seconds() / net->seconds(), star(row.scaled || net->scaled));
}

/// How the net dealt with the bias of its levels, where it had to.
std::string remark(const ErrorRow& row) {
  if (row.run.unbiased) return "unbiased";
  if (row.setting.method == "net" && row.run.steps_per_level != 8) {
    return fmt::format("{} steps", row.run.steps_per_level);
  }
  return "";
}

void print_row(const ErrorRow& row, const ErrorRecord& record) {
  const bool aims = row.target > 0;
  const auto percent = [](double value) { return fmt::format("{:.3g}", 100 * value); };
  terminal::print(
      "  {:<14} {:>5} {:>6} {:>10} {:>11} {:>8} {:>8} {:>8} {:>10} {:>8} {:>9} {}\n",
      row.setting.method, row.setting.grid, aims ? fmt::format("{:g}", 100 * row.target) : "-",
      fmt::format("{:.0f}{}", row.rays(), star(row.scaled)),
      fmt::format("{:.4g}{}", row.seconds(), star(row.scaled)),
      percent(row.error()) + star(row.scaled), bias_text(row.run.score),
      percent(row.standard_error()) + star(row.scaled),
      fmt::format("{:.3g}{}", row.figure_of_merit(), star(row.scaled)), over_net_text(row, record),
      fmt::format("{:.4g}", row.run.rays_per_second / 1e6), remark(row));
}

void print_references(const ErrorRecord& record, const std::string& problem) {
  for (const ErrorReference& reference : record.references) {
    if (reference.problem != problem) continue;
    terminal::print(
        "  reference on grid {}: {} rays in each of {} cells, standard error {:.2g} %, {}; it "
        "tells "
        "errors from {:.2g} % on\n",
        reference.grid, reference.rays, reference.cells, 100 * reference.standard_error,
        human_time(reference.seconds), 100 * reference.smallest_error);
  }
}

/// One table for each problem and what traced its rays.
void print_problem(const ErrorRecord& record, const std::string& problem) {
  std::vector<ErrorRow> left;
  std::copy_if(record.rows.begin(), record.rows.end(), std::back_inserter(left),
               [&](const ErrorRow& row) { return row.setting.problem == problem; });
  while (!left.empty()) {
    const ErrorSetting first = left.front().setting;
    terminal::print("\n{}, {}\n\n", problem, place_text(first, record.device));
    terminal::print("  {:<14} {:>5} {:>6} {:>10} {:>11} {:>8} {:>8} {:>8} {:>10} {:>8} {:>9}\n",
                    "method", "grid", "target", "rays/cell ", "time [s] ", "error ", "bias",
                    "s.e. ", "1/(e^2 t) ", "x net ", "Mrays/s");
    std::erase_if(left, [&](const ErrorRow& row) {
      const bool here =
          row.setting.backend == first.backend && row.setting.threads == first.threads;
      if (here) print_row(row, record);
      return here;
    });
    terminal::print("\n");
    for (const ErrorFinding& finding : findings(record)) {
      const ErrorSetting& setting = finding.setting;
      if (finding.target > 0 || setting.problem != problem || setting.backend != first.backend ||
          setting.threads != first.threads) {
        continue;
      }
      terminal::print("  rays per second, net over classic on the same levels, grid {}: {:.2f}\n",
                      setting.grid, finding.value);
    }
    print_references(record, problem);
  }
}

void print_calibrations(const ErrorRecord& record) {
  if (record.calibrations.empty()) return;
  terminal::print("\nError bars of the net: reported over true standard error\n\n");
  terminal::print("  {:<22} {:>6} {:>10} {:>6} {:>11} {:>7} {:>11}\n", "problem", "grid",
                  "rays/cell", "seeds", "replicates", "ratio", "within two");
  for (const CalibrationRow& row : record.calibrations) {
    terminal::print("  {:<22} {:>6} {:>10} {:>6} {:>11} {:>7.3f} {:>9.1f} %\n", row.setting.problem,
                    row.setting.grid, row.rays, row.seeds, row.replicates, row.ratio,
                    100 * row.within_two);
  }
}

void print_gaps(const ErrorRecord& record) {
  if (!record.gaps.empty()) terminal::print("\nLeft out\n");
  for (const auto& [setting, target, why] : record.gaps) {
    terminal::print("  {} on grid {}, {}, {}{}: {}\n", setting.problem, setting.grid,
                    place_text(setting, record.device), setting.method,
                    target > 0 ? fmt::format(" at {:g} %", 100 * target) : "", why);
  }
}

}  // namespace

void print_errors(const ErrorRecord& record, const ErrorOptions& options) {
  const Machine machine = this_machine();
  terminal::print("Time to an error of Q, gas rays only\n{}, {} threads{}{}\n", machine.processor,
                  machine.threads, machine.device.empty() ? "" : "; ", machine.device);
  for (const std::string& problem : options.problems) print_problem(record, problem);
  print_calibrations(record);
  print_gaps(record);
  if (!record.rows.empty()) {
    terminal::print(
        "\n  error, bias, s.e. (standard error): root mean squares over cells in % of rms Q of a\n"
        "  converged reference without levels of detail; error holds the bias\n");
  }
  if (std::any_of(record.rows.begin(), record.rows.end(),
                  [](const ErrorRow& row) { return row.scaled; })) {
    terminal::print(
        "  *: not measured but scaled from one run until its standard error alone is at the "
        "target,\n"
        "     as if that fell as one over the root of rays and time were proportional to them\n");
  }
}

}  // namespace ermine::cli
