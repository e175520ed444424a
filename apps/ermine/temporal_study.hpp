#pragma once

#include <ermine/options.hpp>

#include "progress_line.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ermine::cli {

/// Updates of a coupled run on the moving channel, against references of many rays.
struct TemporalOptions {
  int grid = 16;
  int updates = 128;
  int updates_per_cell = 4;  ///< while the field moves by one cell
  std::int64_t rays = 128;   ///< per cell and update; differences have half of them, in two fields
  std::int64_t reference_rays = 8192;
  /// Of detail. With 1 the problem is the same for each cell moved, and so are few references;
  /// otherwise each update needs its own.
  int levels = 1;
  double forgetting = 0.03;
  std::uint64_t seed = 1;
  std::string backend = "auto";
};

/// Errors of Q of a way to go from update to update: root mean square over cells, and over the
/// second half of the updates, as fractions of that of Q.
struct TemporalRow {
  Temporal temporal;
  std::int64_t rays = 0;        ///< per cell and update
  double crossings = 0.0;       ///< per cell and update
  double seconds = 0.0;         ///< for the rays of an update
  double error = 0.0;           ///< of an update
  double standard_error = 0.0;  ///< as it tells it itself
  double low_pass_10 = 0.0;     ///< seen through a first-order low-pass of so many updates
  double low_pass_40 = 0.0;
  double mean = 0.0;  ///< of the mean over all updates
  /// The same from differences between replicates; differences only, else 0.
  double mean_standard_error = 0.0;
  double after_jump = 0.0;    ///< of an update at which the field has jumped
  double extrapolated = 0.0;  ///< of Q two updates ahead, from the last two that are two apart
  double held = 0.0;          ///< of Q two updates ahead, as it is
};

struct TemporalRecord {
  double rms = 0.0;   ///< of Q [W/m3]
  double jump = 0.0;  ///< change of Q at it, over rms
  std::vector<TemporalRow> rows;
};

TemporalRecord study_updates(const TemporalOptions& options, Verbosity verbosity);

}  // namespace ermine::cli
