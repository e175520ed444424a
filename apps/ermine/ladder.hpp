#pragma once

#include <ermine/options.hpp>
#include <ermine/result.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// `ermine bench ladder`: the paper's study of what each acceleration is worth, and of its bias.
namespace ermine::cli {

struct LadderOptions {
  std::vector<std::string> parts{"grids", "rays", "levels", "bias"};
  std::vector<int> grids{16, 32, 64, 96, 128, 160, 192, 256};  ///< cells per axis
  std::int64_t rays = 15'000;                                  ///< per cell
  std::vector<std::int64_t> ray_counts{600, 1500, 6000, 15'000, 60'000, 150'000};
  int rays_grid = 64;
  int levels_grid = 192;
  int bias_grid = 64;
  int budget = 300;  ///< [s]
  std::string backend = "auto";
  bool quiet = false;

  bool wants(const std::string& part) const;
};

/// What a line of a table stands for.
struct LadderSetting {
  std::string part;
  std::string problem;
  std::string method;
  int grid = 0;           ///< cells per axis
  std::int64_t rays = 0;  ///< per cell, as planned
};

/// A measured run. Where the budget allowed fewer rays than planned, times scale with rays.
struct LadderRow {
  LadderSetting setting;
  std::int64_t rays_used = 0;  ///< per cell
  Backend backend = Backend::cpu;
  std::string device;
  int threads = 1;
  int levels = 1;
  int steps_per_level = 5;
  CoarseTemperature coarse_temperature = CoarseTemperature::mean;
  double seconds = 0.0;        ///< of the gas rays, with rays_used
  double total_seconds = 0.0;  ///< set-up included, with rays_used
  double rays_per_second = 0.0;
  double crossings_per_ray = 0.0;
  double standard_error = 0.0;  ///< of Q, relative, with rays_used
  std::int64_t device_memory = 0;

  bool scaled() const { return rays_used != setting.rays; }
  double seconds_scaled() const {
    return seconds * static_cast<double>(setting.rays) / static_cast<double>(rays_used);
  }
};

/// A run that was planned but did not happen.
struct LadderGap {
  LadderSetting setting;
  std::string why;
};

/// How far Q with levels of detail is from Q on one grid.
struct LadderBias {
  LadderRow row;
  Estimate squared;      ///< mean over the domain of the squared bias [(W/m3)2]
  double largest = 0.0;  ///< |Q| on one grid [W/m3]
  double rms = 0.0;      ///< of Q on one grid [W/m3]
};

/// Something to tell from the rows: an exponent, a speed-up.
struct LadderFinding {
  std::string key;
  std::string text;
  double value;
  bool scaled;  ///< rests on times that were scaled
};

struct LadderRecord {
  std::vector<LadderRow> rows;
  std::vector<LadderGap> gaps;
  std::vector<LadderBias> biases;

  /// The first row of a part with this method, grid and number of rays; null if there is none.
  const LadderRow* find(const std::string& part, const std::string& method, int grid,
                        std::int64_t rays) const;
};

/// Runs all parts within the budget.
LadderRecord climb(const LadderOptions& options);

std::vector<LadderFinding> findings(const LadderRecord& record);

/// As tables for people to read.
void print_ladder(const LadderRecord& record, const LadderOptions& options);

/// As one JSON object.
nlohmann::ordered_json ladder_json(const LadderRecord& record, const LadderOptions& options);

/// What a row ran on: "NVIDIA H200", "8 CPU threads".
std::string hardware_of(const LadderRow& row);

}  // namespace ermine::cli
