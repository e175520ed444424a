#include "progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
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
      terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (drawn_ && terminal_) std::fprintf(stderr, "\r\x1b[K");
}

std::optional<double> ProgressLine::due() {
  const auto now = Clock::now();
  const auto pause = terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(5);
  if (!shown_ || now - last_ < pause) return std::nullopt;
  last_ = now;
  drawn_ = true;
  return std::chrono::duration<double>(now - start_).count();
}

void ProgressLine::operator()(const Progress& progress) {
  const auto elapsed = due();
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
  if (const auto elapsed = due()) draw(share, *elapsed, "");
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
    std::fprintf(stderr, "\r\x1b[K%s %s", label_.c_str(), text.c_str());
  } else {
    std::fprintf(stderr, "%s: %s\n", label_.c_str(), text.c_str());
  }
  std::fflush(stderr);
}

}  // namespace ermine::cli
