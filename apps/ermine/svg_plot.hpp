#pragma once

#include <string>
#include <vector>

namespace ermine::cli {

/// Colours that colour-blind readers can tell apart, on white and on black.
enum class Ink { blue, orange, green, purple, grey, black };

/// A curve or points. Values that are not finite, or not positive on a logarithmic axis, are left
/// out.
struct PlotSeries {
  std::string name;  ///< in the legend; empty: not there
  std::vector<double> x;
  std::vector<double> y;
  Ink ink = Ink::blue;
  bool line = false;
  bool points = false;
  bool dashed = false;
  std::vector<double> error = {};  ///< error bars of y, half their length
  std::vector<bool> hollow = {};   ///< points drawn as rings
  std::string label = {};          ///< written at the last point
};

struct PlotAxis {
  std::string title;
  bool logarithmic = false;
};

struct PlotPanel {
  std::string title;
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotSeries> series;
  double height = 230;  ///< of the frame, where the whole is 520 wide
};

/// Panels below each other as one <svg> element: a part of a page, in whose text colour axes and
/// letters are, or the whole contents of a file. `name` is read out to those who do not see it.
std::string svg_figure(const std::string& name, const std::vector<PlotPanel>& panels);

}  // namespace ermine::cli
