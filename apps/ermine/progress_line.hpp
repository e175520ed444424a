#pragma once

#include <ermine/tracer.hpp>

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace ermine::cli {

enum class Verbosity { quiet, normal };

/// Shows how far a run is, on standard error: a bar on a terminal, a line every few seconds
/// elsewhere, nothing when quiet. A run that reports nothing for long is said to be still at work.
class ProgressLine {
 public:
  ProgressLine(std::string label, Verbosity verbosity);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Rays traced: adds their rate and the error so far.
  void operator()(const Progress& progress);
  /// Any other work: the share done, from 0 to 1.
  void operator()(double share);

 private:
  using Clock = std::chrono::steady_clock;

  /// Seconds since the start, if it is time to draw again after this pause.
  std::optional<double> due(Clock::duration pause);
  Clock::duration pause() const;
  /// Runs on a thread of its own until it is stopped.
  void watch(const std::stop_token& stop);
  void draw(double share, double elapsed, const std::string& detail);
  void show(const std::string& text);

  std::string label_;
  bool shown_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  std::mutex mutex_;  ///< of what is drawn
  std::jthread watcher_;
};

/// "12.3 million", "4.56 thousand", "7".
std::string human_number(double value);
/// "12.3 MB".
std::string human_bytes(double bytes);
/// "1 h 02 min", "3 min 05 s", "4.2 s".
std::string human_time(double seconds);

}  // namespace ermine::cli
