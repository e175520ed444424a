#include "svg_plot.hpp"

#include "html_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

namespace ermine::cli {
namespace {

constexpr double figure_width = 520;
constexpr double frame_left = 66;
constexpr double frame_right = figure_width - 18;
constexpr double line_height = 16;
constexpr double letter_width = 7;  // mean, of 12 px letters

// After Okabe and Ito, between light and dark.
constexpr std::array ink_names{"#1f83c4", "#dd6a1f", "#139a74",
                               "#b8609f", "#8a8a8a", "currentColor"};

const char* colour_of(Ink ink) { return ink_names[static_cast<std::size_t>(ink)]; }

struct Tick {
  double value;
  std::string text;
};

/// "10⁻⁵", "2·10⁷".
std::string power_text(double times, int decade) {
  static constexpr std::array high{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string power = decade < 0 ? "⁻" : "";
  for (const char digit : fmt::format("{}", std::abs(decade))) {
    power += high[static_cast<std::size_t>(digit - '0')];
  }
  return (times > 1 ? fmt::format("{:g}·10", times) : "10") + power;
}

/// Where values of an axis lie, and its ticks.
class PlotScale {
 public:
  PlotScale(bool logarithmic, double low, double high) : logarithmic_(logarithmic) {
    if (!(low <= high)) low = high = 1.0;  // nothing to draw
    logarithmic ? set_decades(low, high) : set_steps(low, high);
  }

  bool shows(double value) const { return std::isfinite(value) && (!logarithmic_ || value > 0); }
  /// From 0 to 1.
  double operator()(double value) const {
    const double at = logarithmic_ ? std::log10(value) : value;
    return std::clamp((at - low_) / (high_ - low_), -0.01, 1.01);
  }
  const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  void set_steps(double low, double high) {
    if (!(high - low > 1e-12 * std::max(std::abs(low), std::abs(high)))) {
      const double room = high == 0 ? 1.0 : std::abs(high);
      low -= room;
      high += room;
    }
    const double rough = (high - low) / 5;
    const double decade = std::pow(10.0, std::floor(std::log10(rough)));
    double step = decade;
    for (const double times : {2.0, 5.0, 10.0}) {
      if (step < 0.999 * rough) step = times * decade;
    }
    const double margin = 0.04 * (high - low);
    low_ = low - margin;
    high_ = high + margin;
    for (auto n = static_cast<std::int64_t>(std::ceil(low_ / step));
         static_cast<double>(n) * step <= high_; ++n) {
      const double value = static_cast<double>(n) * step;
      ticks_.push_back({value, fmt::format("{:.6g}", value)});
    }
  }

  void set_decades(double low, double high) {
    // Half a decade at least, so that there are ticks.
    const double room = std::max(0.06, 0.25 - 0.5 * std::log10(high / low));
    low_ = std::log10(low) - room;
    high_ = std::log10(high) + room;
    const double decades = high_ - low_;
    const std::vector<double> steps = decades < 0.9   ? std::vector{1.0, 1.5, 2.0, 3.0, 5.0, 7.0}
                                      : decades < 2.2 ? std::vector{1.0, 2.0, 5.0}
                                                      : std::vector{1.0};
    for (int decade = static_cast<int>(std::floor(low_)); decade <= high_; ++decade) {
      for (const double times : steps) {
        const double value = times * std::pow(10.0, decade);
        const double at = std::log10(value);
        if (at < low_ || at > high_) continue;
        const bool plain = decade >= -3 && decade <= 4;
        ticks_.push_back({value, plain ? fmt::format("{:g}", value) : power_text(times, decade)});
      }
    }
  }

  bool logarithmic_;
  double low_ = 0.0;
  double high_ = 1.0;
  std::vector<Tick> ticks_;
};

bool all_hollow(const PlotSeries& series) {
  return !series.hollow.empty() &&
         std::find(series.hollow.begin(), series.hollow.end(), false) == series.hollow.end();
}

/// Of all that a panel shows along one axis.
PlotScale scale_of(const PlotPanel& panel, bool vertical) {
  const bool logarithmic = vertical ? panel.y.logarithmic : panel.x.logarithmic;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const PlotSeries& series : panel.series) {
    const auto& values = vertical ? series.y : series.x;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double bar = vertical && i < series.error.size() ? series.error[i] : 0.0;
      for (const double value : {values[i] - bar, values[i] + bar}) {
        if (!std::isfinite(value) || (logarithmic && !(value > 0))) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
  }
  return {logarithmic, low, high};
}

class PanelDrawing {
 public:
  PanelDrawing(const PlotPanel& panel, double top)
      : panel_(panel), x_(scale_of(panel, false)), y_(scale_of(panel, true)) {
    double y = top;
    if (!panel.title.empty()) {
      y += line_height;
      write(0, y - 4, "", "font-weight=\"600\"", panel.title);
    }
    frame_top_ = draw_legend(y) + 6;
    frame_bottom_ = frame_top_ + panel.height;
    draw_axes();
    for (const PlotSeries& series : panel.series) draw(series);
  }

  const std::string& text() const { return text_; }
  double bottom() const {
    return frame_bottom_ + line_height + (panel_.x.title.empty() ? 6 : line_height + 8);
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  void write(double x, double y, const char* anchor, const char* more, const std::string& words) {
    add("<text x=\"{:.1f}\" y=\"{:.1f}\"{}{} {}>{}</text>", x, y, *anchor ? " text-anchor=" : "",
        anchor, more, escaped(words));
  }

  double across(double value) const { return frame_left + x_(value) * (frame_right - frame_left); }
  double down(double value) const {
    return frame_bottom_ - y_(value) * (frame_bottom_ - frame_top_);
  }

  /// Names side by side, in as many lines as they need; returns where they end.
  double draw_legend(double y) {
    double x = frame_left;
    bool any = false;
    for (const PlotSeries& series : panel_.series) {
      if (series.name.empty()) continue;
      const double width = 34 + letter_width * static_cast<double>(series.name.size());
      if (any && x + width > figure_width) {
        x = frame_left;
        y += line_height;
      }
      any = true;
      if (series.line) draw_stroke(series, fmt::format("M{:.1f} {:.1f}h20", x, y + 8));
      if (series.points) draw_point(series, x + 10, y + 8, all_hollow(series));
      write(x + 25, y + 12, "", "", series.name);
      x += width;
    }
    return any ? y + line_height : y;
  }

  void draw_axes() {
    const auto grid_line = [&](double x1, double y1, double x2, double y2) {
      add("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"currentColor\" opacity=\"0.13\"/>", x1,
          y1, x2, y2);
    };
    for (const Tick& tick : x_.ticks()) {
      grid_line(across(tick.value), frame_top_, across(tick.value), frame_bottom_);
      write(across(tick.value), frame_bottom_ + line_height, "\"middle\"", "", tick.text);
    }
    for (const Tick& tick : y_.ticks()) {
      grid_line(frame_left, down(tick.value), frame_right, down(tick.value));
      write(frame_left - 6, down(tick.value) + 4, "\"end\"", "", tick.text);
    }
    add("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\" stroke=\"currentColor\" fill=\"none\"/>",
        frame_left, frame_top_, frame_bottom_, frame_right);
    if (!panel_.x.title.empty()) {
      write((frame_left + frame_right) / 2, frame_bottom_ + 2 * line_height + 2, "\"middle\"", "",
            panel_.x.title);
    }
    const double middle = (frame_top_ + frame_bottom_) / 2;
    write(12, middle, "\"middle\"",
          fmt::format("transform=\"rotate(-90 12 {:.1f})\"", middle).c_str(), panel_.y.title);
  }

  void draw_stroke(const PlotSeries& series, const std::string& path) {
    add("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{}/>", path,
        colour_of(series.ink), series.dashed ? " stroke-dasharray=\"5 4\"" : "");
  }

  void draw_point(const PlotSeries& series, double x, double y, bool hollow) {
    const double radius = series.x.size() > 80 ? 1.8 : 2.6;
    add("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" stroke=\"{}\" style=\"fill:{}\"/>", x, y,
        radius, colour_of(series.ink), hollow ? "var(--page,#fff)" : colour_of(series.ink));
  }

  void draw(const PlotSeries& series) {
    std::string path;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!x_.shows(series.x[i]) || !y_.shows(series.y[i])) continue;
      path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? "M" : "L", across(series.x[i]),
                          down(series.y[i]));
    }
    if (series.line && !path.empty()) draw_stroke(series, path);
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!x_.shows(series.x[i]) || !y_.shows(series.y[i])) continue;
      const double x = across(series.x[i]);
      if (i < series.error.size() && series.error[i] > 0) draw_bar(series, i, x);
      const bool hollow = i < series.hollow.size() && series.hollow[i];
      if (series.points) draw_point(series, x, down(series.y[i]), hollow);
    }
    if (!series.label.empty() && !series.x.empty()) draw_label(series);
  }

  /// Above the last point, within the frame.
  void draw_label(const PlotSeries& series) {
    if (!x_.shows(series.x.back()) || !y_.shows(series.y.back())) return;
    const double width = 0.9 * letter_width * static_cast<double>(series.label.size());
    const double x = std::min(across(series.x.back()) + 4, frame_right - width);
    write(x, down(series.y.back()) - 5, "", "font-size=\"10\" opacity=\"0.75\"", series.label);
  }

  void draw_bar(const PlotSeries& series, std::size_t i, double x) {
    const double low = series.y[i] - series.error[i];
    const double foot = y_.shows(low) ? down(low) : frame_bottom_;
    add("<path d=\"M{0:.2f} {1:.2f}V{2:.2f}M{3:.2f} {1:.2f}h5M{3:.2f} {2:.2f}h5\" stroke=\"{4}\"/>",
        x, foot, down(series.y[i] + series.error[i]), x - 2.5, colour_of(series.ink));
  }

  const PlotPanel& panel_;
  PlotScale x_;
  PlotScale y_;
  double frame_top_ = 0.0;
  double frame_bottom_ = 0.0;
  std::string text_;
};

}  // namespace

std::string svg_figure(const std::string& name, const std::vector<PlotPanel>& panels) {
  std::string body;
  double height = 4;
  for (const PlotPanel& panel : panels) {
    const PanelDrawing drawing(panel, height);
    body += drawing.text();
    height = drawing.bottom();
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
      "aria-label=\"{}\" font-family=\"system-ui, sans-serif\" font-size=\"12\" "
      "fill=\"currentColor\">\n{}</svg>\n",
      figure_width, height, escaped(name), body);
}

}  // namespace ermine::cli
