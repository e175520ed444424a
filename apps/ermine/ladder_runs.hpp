#pragma once

#include <ermine/case.hpp>

#include "ladder.hpp"
#include "progress_line.hpp"

#include <chrono>
#include <map>

namespace ermine::cli {

/// Rays per cell of the shortest run whose time is worth the name.
inline constexpr std::int64_t least_rays = 8;

/// Wall-clock time shared out among the runs still to come: what one does not need, the later ones
/// have more of.
class LadderBudget {
 public:
  LadderBudget(double seconds, double shares) : seconds_(seconds), shares_left_(shares) {}

  /// Takes so many shares; returns the seconds they are worth now.
  double take(double shares);

 private:
  using Clock = std::chrono::steady_clock;

  double seconds_;
  double shares_left_;
  Clock::time_point start_ = Clock::now();
};

struct MeasuredRun {
  LadderRow row;
  Result result;
};

class LadderRunner {
 public:
  explicit LadderRunner(Verbosity verbosity) : verbosity_(verbosity) {}

  /// One run with so many rays per cell.
  MeasuredRun once(const Case& problem, const Options& options, const LadderSetting& setting,
                   std::int64_t rays) const;

  /// As many rays as planned or, if they take longer than `seconds`, as many as fit.
  MeasuredRun fit(const Case& problem, const Options& options, const LadderSetting& setting,
                  double seconds) const;

  /// A guess at the time [s] of so many rays per cell on the CPU, too long rather than too short.
  double cpu_seconds(int threads, int grid, std::int64_t rays);

 private:
  Verbosity verbosity_;
  std::map<int, double> cpu_seconds_per_ray_;  ///< on the grid of the probe, by threads
};

}  // namespace ermine::cli
