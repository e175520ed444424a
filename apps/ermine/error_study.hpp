#pragma once

#include <ermine/options.hpp>

#include "error_score.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// `ermine bench error`: time and rays that methods need to reach an error of Q.
namespace ermine::cli {

struct ErrorOptions {
  /// Of those in bench_problems.hpp.
  std::vector<std::string> problems{"case10", "cube", "channel"};
  std::vector<int> grids;  ///< cells of short axes; none: 32 on a CPU, 64, 128 and 192 on a GPU
  std::vector<std::string> methods{"net", "multigrid", "classic", "classic-levels"};
  std::vector<double> targets{0.03, 0.01, 0.003};  ///< of rms Q
  std::vector<std::string> backends{"auto"};
  std::vector<int> threads{0};  ///< of the CPU; 0: all
  bool calibration = false;
  int budget = 300;  ///< [s]
  bool quiet = false;

  bool wants(const std::string& method) const;
};

/// What a line of a table stands for.
struct ErrorSetting {
  std::string problem;
  int grid = 0;  ///< cells of the shortest axis
  Backend backend = Backend::cpu;
  int threads = 1;
  std::string method;

  bool operator==(const ErrorSetting&) const = default;
};

/// A run as measured.
struct ErrorRun {
  double rays = 0.0;           ///< per cell
  double seconds = 0.0;        ///< of the gas rays
  double setup_seconds = 0.0;  ///< of everything before them
  double rays_per_second = 0.0;
  int levels = 1;
  int steps_per_level = 5;
  bool unbiased = false;
  Score score;
};

/// A run that reached its target, or one scaled to do so: as if its statistical error fell as one
/// over the root of rays, and time were proportional to them.
struct ErrorRow {
  ErrorSetting setting;
  double target = 0.0;  ///< 0: there is none, only rays per second count
  bool scaled = false;  ///< then the target is one of the statistical error alone
  ErrorRun run;

  double factor() const;  ///< of rays and time
  double rays() const { return run.rays * factor(); }
  double seconds() const { return run.seconds * factor(); }
  double standard_error() const;
  double error() const;
  double figure_of_merit() const;  ///< 1 / (error^2 seconds) [1/s]
};

/// A row that was planned but is missing.
struct ErrorGap {
  ErrorSetting setting;
  double target;
  std::string why;
};

/// What the rows of a problem and grid were compared with.
struct ErrorReference {
  std::string problem;
  int grid = 0;
  std::int64_t cells = 0;  ///< it was computed on
  std::int64_t rays = 0;   ///< per cell
  double seconds = 0.0;
  double standard_error = 0.0;  ///< relative
  double smallest_error = 0.0;  ///< it can tell, relative
};

struct CalibrationRow {
  ErrorSetting setting;
  std::int64_t rays = 0;  ///< per cell
  int replicates = 0;
  std::size_t seeds = 0;
  double ratio = 0.0;
  double within_two = 0.0;
};

/// A ratio of two rows.
struct ErrorFinding {
  std::string key;
  ErrorSetting setting;
  double target = 0.0;  ///< 0: of no target
  double value = 0.0;
  bool scaled = false;  ///< rests on a time that was scaled
};

struct ErrorRecord {
  std::vector<ErrorReference> references;
  std::vector<ErrorRow> rows;
  std::vector<ErrorGap> gaps;
  std::vector<CalibrationRow> calibrations;
  std::string device;  ///< name of the GPU; empty if it did nothing

  /// The row that differs from another in its method only; null if there is none.
  const ErrorRow* beside(const ErrorRow& row, const std::string& method) const;
};

/// Runs everything within the budget.
ErrorRecord study_errors(const ErrorOptions& options);

/// Time of the other methods over that of the net, at each target; rays per second of the net over
/// those of classic on the same levels.
std::vector<ErrorFinding> findings(const ErrorRecord& record);

/// As tables for people to read.
void print_errors(const ErrorRecord& record, const ErrorOptions& options);

/// As one JSON object.
nlohmann::ordered_json errors_json(const ErrorRecord& record, const ErrorOptions& options);

}  // namespace ermine::cli
