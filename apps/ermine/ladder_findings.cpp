#include "ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ermine::cli {
namespace {

constexpr int smallest_fitted_grid = 32;  // on smaller ones a GPU is not busy
constexpr int compared_grid = 160;        // of the paper's comparison of methods

/// Slope of log(seconds) over log(cells), by least squares.
std::optional<LadderFinding> exponent(const LadderRecord& record, const std::string& method) {
  double n = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  int first = 0;
  int last = 0;
  bool scaled = false;
  for (const LadderRow& row : record.rows) {
    const LadderSetting& setting = row.setting;
    if (setting.part != "grids" || setting.method != method ||
        setting.grid < smallest_fitted_grid) {
      continue;
    }
    const double x = 3 * std::log(setting.grid);
    const double y = std::log(row.seconds_scaled());
    n += 1, sum_x += x, sum_y += y, sum_xx += x * x, sum_xy += x * y;
    first = first == 0 ? setting.grid : first;
    last = setting.grid;
    scaled = scaled || row.scaled();
  }
  if (n < 2) return std::nullopt;
  return LadderFinding{
      "exponent_" + method,
      fmt::format("exponent a of time ~ cells^a, {}, {}^3 to {}^3", method, first, last),
      (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x), scaled};
}

/// Multigrid over classic where the paper compares them, or else on the largest grid.
std::optional<LadderFinding> gain(const LadderRecord& record) {
  const LadderRow* classic = nullptr;
  const LadderRow* multigrid = nullptr;
  for (const LadderRow& row : record.rows) {
    if (row.setting.part != "grids" || row.setting.method != "multigrid") continue;
    const LadderRow* other = record.find("grids", "classic", row.setting.grid, row.setting.rays);
    if (!other || (classic && classic->setting.grid == compared_grid)) continue;
    classic = other;
    multigrid = &row;
  }
  if (!classic) return std::nullopt;
  return LadderFinding{"multigrid_over_classic",
                       fmt::format("multigrid over classic, both on {}, {}^3",
                                   hardware_of(*multigrid), classic->setting.grid),
                       classic->seconds_scaled() / multigrid->seconds_scaled(),
                       classic->scaled() || multigrid->scaled()};
}

std::optional<LadderFinding> gain_over_one_thread(const LadderRecord& record) {
  const auto one = std::find_if(record.rows.begin(), record.rows.end(), [](const LadderRow& row) {
    return row.setting.part == "cpu" && row.setting.method == "classic" && row.threads == 1;
  });
  if (one == record.rows.end()) return std::nullopt;
  const LadderRow* multigrid =
      record.find("grids", "multigrid", one->setting.grid, one->setting.rays);
  if (!multigrid) return std::nullopt;
  // The paper's figure is that of a GPU.
  const bool gpu = multigrid->backend == Backend::cuda;
  return LadderFinding{gpu ? "multigrid_over_one_cpu_thread" : "multigrid_over_one_thread_on_cpu",
                       fmt::format("multigrid on {} over classic on 1 CPU thread, {}^3",
                                   hardware_of(*multigrid), one->setting.grid),
                       one->seconds_scaled() / multigrid->seconds_scaled(),
                       one->scaled() || multigrid->scaled()};
}

}  // namespace

bool LadderOptions::wants(const std::string& part) const {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

const LadderRow* LadderRecord::find(const std::string& part, const std::string& method, int grid,
                                    std::int64_t rays) const {
  for (const LadderRow& row : rows) {
    const LadderSetting& setting = row.setting;
    if (setting.part == part && setting.method == method && setting.grid == grid &&
        setting.rays == rays) {
      return &row;
    }
  }
  return nullptr;
}

std::string hardware_of(const LadderRow& row) {
  if (row.backend == Backend::cuda) return row.device;
  return fmt::format("{} CPU thread{}", row.threads, row.threads == 1 ? "" : "s");
}

std::vector<LadderFinding> findings(const LadderRecord& record) {
  std::vector<LadderFinding> found;
  const auto add = [&](std::optional<LadderFinding> finding) {
    if (finding) found.push_back(std::move(*finding));
  };
  for (const char* method : {"classic", "texture", "sorted", "multigrid"}) {
    add(exponent(record, method));
  }
  add(gain(record));
  add(gain_over_one_thread(record));
  return found;
}

}  // namespace ermine::cli
