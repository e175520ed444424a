#include "progress_line.hpp"

#include "terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <system_error>
#include <unistd.h>

namespace ermine::cli {

std::string human_number(double value) {
  if (value >= 1e9) return fmt::format("{:.3g} billion", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.3g} million", value / 1e6);
  if (value >= 1e4) return fmt::format("{:.3g} thousand", value / 1e3);
  return fmt::format("{:.4g}", value);
}

std::string human_bytes(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.3g} GB", bytes / 1e9);
  if (bytes >= 1e6) return fmt::format("{:.3g} MB", bytes / 1e6);
  return fmt::format("{:.3g} kB", bytes / 1e3);
}

std::string human_time(double seconds) {
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{:.2g} s", seconds);
}

ProgressLine::ProgressLine(std::string label, Verbosity verbosity)
    : label_(std::move(label)),
      shown_(verbosity != Verbosity::quiet),
      terminal_(::isatty(STDERR_FILENO) == 1) {
  if (!shown_) return;
  try {
    watcher_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
  } catch (const std::system_error&) {
    // No more threads are to be had: a run needs its progress line least of all.
  }
}

ProgressLine::~ProgressLine() {
  watcher_ = {};  // stops and waits
  if (drawn_ && terminal_) terminal::note("\r\x1b[K");
}

ProgressLine::Clock::duration ProgressLine::pause() const {
  return terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(5);
}

std::optional<double> ProgressLine::due(Clock::duration pause) {
  const auto now = Clock::now();
  if (!shown_ || now - last_ < pause) return std::nullopt;
  last_ = now;
  drawn_ = true;
  return std::chrono::duration<double>(now - start_).count();
}

void ProgressLine::watch(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  std::condition_variable_any never;
  const auto silence = 2 * std::max<Clock::duration>(pause(), std::chrono::seconds(1));
  while (!stop.stop_requested()) {
    never.wait_for(lock, stop, pause(), [] { return false; });
    if (stop.stop_requested()) return;
    if (const auto elapsed = due(silence)) {
      show(fmt::format("still at work after {}", human_time(*elapsed)));
    }
  }
}

void ProgressLine::operator()(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  const auto elapsed = due(pause());
  if (!elapsed) return;
  const double done = static_cast<double>(progress.rays_done);
  std::string detail = fmt::format("  {} rays/s", human_number(done / *elapsed));
  if (progress.relative_standard_error >= 0) {
    detail += fmt::format("  error {:.2g} %", 100 * progress.relative_standard_error);
  }
  if (progress.rays_total > 0) {
    draw(done / static_cast<double>(progress.rays_total), *elapsed, detail);
  } else {
    show(fmt::format("{} rays{}", human_number(done), detail));
  }
}

void ProgressLine::operator()(double share) {
  const std::lock_guard lock(mutex_);
  if (const auto elapsed = due(pause())) draw(share, *elapsed, "");
}

void ProgressLine::draw(double share, double elapsed, const std::string& detail) {
  share = std::clamp(share, 0.0, 1.0);
  std::string text = fmt::format("{:3.0f} %{}", 100 * share, detail);
  if (share > 0) text += fmt::format("  {} left", human_time(elapsed * (1 / share - 1)));
  constexpr int width = 24;
  const auto filled = static_cast<std::size_t>(std::lround(share * width));
  const std::string bar = std::string(filled, '=') + std::string(width - filled, ' ');
  show(terminal_ ? fmt::format("[{}] {}", bar, text) : text);
}

void ProgressLine::show(const std::string& text) {
  if (terminal_) {
    terminal::note("\r\x1b[K{} {}", label_, text);
  } else {
    terminal::note("{}: {}\n", label_, text);
  }
}

}  // namespace ermine::cli
