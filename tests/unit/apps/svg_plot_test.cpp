#include "svg_plot.hpp"

#include "html_page.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ermine {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

cli::PlotPanel points_at(std::vector<double> x, std::vector<double> y, bool logarithmic) {
  return {
      "", {"x", logarithmic}, {"y", logarithmic}, {{.name = "", .x = x, .y = y, .points = true}}};
}

TEST(SvgPlot, DrawsEveryPointAndBar) {
  cli::PlotPanel panel = points_at({0, 1, 2}, {5, 7, 6}, false);
  panel.series[0].error = {0.5, 0.5, 0.0};  // the last has none
  const std::string svg = cli::svg_figure("three", {panel});
  EXPECT_EQ(count_of(svg, "<circle"), 3u);
  EXPECT_EQ(count_of(svg, "h5M"), 2u) << svg;
  EXPECT_EQ(count_of(svg, "<svg"), 1u);
  EXPECT_NE(svg.find("aria-label=\"three\""), std::string::npos);
}

TEST(SvgPlot, HigherValuesAreHigher) {
  const std::string svg = cli::svg_figure("", {points_at({1, 10}, {1, 100}, true)});
  const auto height_at = [&](std::size_t from) {
    return std::stod(svg.substr(svg.find("cy=\"", from) + 4));
  };
  const std::size_t first = svg.find("<circle");
  const std::size_t second = svg.find("<circle", first + 1);
  EXPECT_GT(height_at(first), height_at(second) + 100);
}

TEST(SvgPlot, LeavesOutWhatHasNoPlace) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const std::string svg = cli::svg_figure(
      "", {points_at({1, 2, 3, -1}, {1, 0, NAN, 2}, true), points_at({1, 2}, {infinite, 3}, false),
           points_at({}, {}, true), points_at({1}, {0}, false)});
  EXPECT_EQ(count_of(svg, "<circle"), 3u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(SvgPlot, TextIsNoMarkup) {
  EXPECT_EQ(cli::escaped("a < b & \"c\""), "a &lt; b &amp; &quot;c&quot;");
  const std::string svg = cli::svg_figure("<script>", {points_at({1}, {1}, false)});
  EXPECT_EQ(svg.find("<script"), std::string::npos);
}

}  // namespace
}  // namespace ermine
