#pragma once

#include "progress_line.hpp"

#include <cstdint>
#include <map>

namespace ermine::cli {

/// Guesses how long rays take on the CPU, from a short run that it makes when first asked.
class CpuGuess {
 public:
  explicit CpuGuess(Verbosity verbosity) : verbosity_(verbosity) {}

  /// Time [s] of so many rays per cell on grid^3 cells, too long rather than too short.
  double seconds(int threads, int grid, std::int64_t rays);

 private:
  Verbosity verbosity_;
  std::map<int, double> seconds_per_ray_;  ///< on the grid of the short run, by threads
};

}  // namespace ermine::cli
