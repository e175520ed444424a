#pragma once

#include "simulation.hpp"
#include "terminal.hpp"

#include <fmt/format.h>

#include <chrono>
#include <unistd.h>

namespace channel {

/// A line on stderr about twice a second on a terminal, every ten seconds elsewhere.
class Progress {
 public:
  explicit Progress(bool quiet) : quiet_(quiet), terminal_(::isatty(2) != 0) {}

  void show(Simulation& run, bool last = false) {
    if (quiet_) return;
    const auto now = std::chrono::steady_clock::now();
    const double since = std::chrono::duration<double>(now - shown_).count();
    if (!last && since < (terminal_ ? 0.5 : 10.0)) return;
    shown_ = now;
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    const double share = run.progress();
    const double left = share > 0 ? elapsed / share * (1 - share) : 0.0;
    ermine::terminal::note("{}step {}, time {:.4g}, dt {:.3g}, {:.0f} %, {} left{}",
                           terminal_ ? "\r\x1b[K" : "", run.step(), run.time(), run.time_step(),
                           100 * share, clock(left), terminal_ && !last ? "" : "\n");
  }

 private:
  static std::string clock(double seconds) {
    const auto s = static_cast<long>(seconds + 0.5);
    return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  }

  bool quiet_;
  bool terminal_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_ = start_;
};

}  // namespace channel
