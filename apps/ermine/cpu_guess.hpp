#pragma once

#include "progress_line.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace ermine::cli {

/// Predicts how long rays take on the CPU, from a short run of the problem when first asked.
class CpuGuess {
 public:
  explicit CpuGuess(Verbosity verbosity) : verbosity_(verbosity) {}

  /// Time [s] of so many rays per cell of a bench_problem(), too long rather than too short.
  double seconds(const std::string& problem, int threads, int grid, std::int64_t rays);

 private:
  Verbosity verbosity_;
  /// On the grid of the short run, by problem and threads.
  std::map<std::pair<std::string, int>, double> seconds_per_ray_;
};

}  // namespace ermine::cli
