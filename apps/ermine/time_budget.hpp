#pragma once

#include <chrono>
#include <cstdint>

/// How the studies of `ermine bench` keep within their time.
namespace ermine::cli {

/// Rays per cell of the shortest run whose time is worth the name.
inline constexpr std::int64_t least_rays = 8;

class Stopwatch {
 public:
  /// Since it was made [s].
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// Wall-clock time shared out among the runs still to come: what one does not need, the later ones
/// have more of.
class TimeBudget {
 public:
  TimeBudget(double seconds, double shares) : seconds_(seconds), shares_left_(shares) {}

  /// Takes so many shares; returns the seconds they are worth now.
  double take(double shares);

 private:
  double seconds_;
  double shares_left_;
  Stopwatch watch_;
};

/// How long a run took.
struct RunTime {
  std::int64_t rays = 0;       ///< per cell
  double seconds = 0.0;        ///< of the rays
  double total_seconds = 0.0;  ///< set-up included
};

/// Rays per cell of a longer run for which `seconds` are enough, going by a shorter one: at most
/// `planned`. 0 if there is no time for a run much longer.
std::int64_t more_rays(const RunTime& last, std::int64_t planned, double seconds);

}  // namespace ermine::cli
