#include "reference/slab_mesh.hpp"

#include <algorithm>
#include <cmath>

namespace ermine::reference {
namespace {

/// Sorted values on [low, high], including both. Values that differ by rounding only are merged:
/// difference formulas need distinct nodes.
std::vector<double> sorted_breaks(std::span<const double> values, double low, double high,
                                  double tolerance) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> breaks{low};
  for (const double x : sorted) {
    if (x - breaks.back() > tolerance && high - x > tolerance) breaks.push_back(x);
  }
  breaks.push_back(high);
  return breaks;
}

/// Derivative at x[i] of the polynomial through five nodes from x[first].
Difference difference(const std::vector<double>& x, std::size_t i, std::size_t first) {
  Difference formula{i, first, {}};
  const std::size_t end = first + formula.weight.size();
  for (std::size_t j = first; j < end; ++j) {
    for (std::size_t left_out = first; left_out < end; ++left_out) {
      if (left_out == j) continue;
      double product = 1.0 / (x[j] - x[left_out]);
      for (std::size_t m = first; m < end; ++m) {
        if (m != j && m != left_out) product *= (x[i] - x[m]) / (x[j] - x[m]);
      }
      formula.weight[j - first] += product;
    }
  }
  return formula;
}

/// Adds the nodes of one smooth piece, the first of which is there already: equal steps between
/// breaks, at most `step`, and at least four in all, enough for a difference formula.
void add_piece(std::span<const double> breaks, double step, Mesh& mesh) {
  const std::size_t begin = mesh.nodes.size() - 1;
  step = std::min(step, 0.25 * (breaks.back() - breaks.front()));
  for (std::size_t b = 0; b + 1 < breaks.size(); ++b) {
    const double gap = breaks[b + 1] - breaks[b];
    const double count = std::ceil(gap / step - 1e-6);
    for (double i = 1; i < count; ++i) mesh.nodes.push_back(breaks[b] + gap * (i / count));
    mesh.nodes.push_back(breaks[b + 1]);
  }
  const std::size_t last = mesh.nodes.size() - 1;
  const auto formula = [&](std::size_t i) {
    return difference(mesh.nodes, i, std::clamp(i, begin + 2, last - 2) - 2);
  };
  for (std::size_t i = begin; i < last; ++i) {
    mesh.low_slope.push_back(formula(i));
    mesh.high_slope.push_back(formula(i + 1));
  }
}

/// Absorption integrated over [a, b] by the four-point Lobatto rule (Abramowitz & Stegun 25.4.32).
double optical_depth(const SlabPoint& point, double a, double b, double at_a, double at_b) {
  const double offset = 0.5 * (b - a) / std::sqrt(5.0);
  const double middle = 0.5 * (a + b);
  const double inner = point.absorption(middle - offset) + point.absorption(middle + offset);
  return (b - a) / 12.0 * (at_a + at_b + 5.0 * inner);
}

/// dI/dx. Differences to the node itself make the slope of a uniform intensity exactly zero.
double intensity_slope(const Difference& formula, const std::vector<double>& intensity) {
  double slope = 0.0;
  for (std::size_t j = 0; j < formula.weight.size(); ++j) {
    slope += formula.weight[j] * (intensity[formula.first + j] - intensity[formula.node]);
  }
  return slope;
}

/// dx/dtheta = dtau / k at one end of an interval. Where k falls to zero it is unbounded, although
/// such gas hardly matters; three times its mean keeps the cubic monotonic.
double theta_slope(double dx, double dtau, double absorption) {
  return 3.0 * absorption * dx > dtau ? dtau / absorption : 3.0 * dx;
}

}  // namespace

Mesh make_mesh(const Slab& slab, std::span<const double> asked, int intervals) {
  const double step = (slab.to - slab.from) / intervals;
  const double tolerance = 1e-9 * step;
  const std::vector<double> pieces = sorted_breaks(slab.kinks, slab.from, slab.to, tolerance);
  Mesh mesh;
  mesh.nodes.push_back(slab.from);
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    add_piece(sorted_breaks(asked, pieces[i], pieces[i + 1], tolerance), step, mesh);
  }
  for (const double x : asked) {
    const auto above = std::lower_bound(mesh.nodes.begin(), mesh.nodes.end(), x - 2.0 * tolerance);
    mesh.asked.push_back(static_cast<std::size_t>(above - mesh.nodes.begin()));
  }
  return mesh;
}

Layers sample_layers(const Mesh& mesh, const SlabPoint& point) {
  Layers layers;
  for (const double x : mesh.nodes) {
    layers.absorption.push_back(point.absorption(x));
    layers.intensity.push_back(point.intensity(x));
  }
  layers.depth.push_back(0.0);
  for (std::size_t i = 0; i + 1 < mesh.nodes.size(); ++i) {
    const double dx = mesh.nodes[i + 1] - mesh.nodes[i];
    const double dtau = optical_depth(point, mesh.nodes[i], mesh.nodes[i + 1], layers.absorption[i],
                                      layers.absorption[i + 1]);
    const double low_gradient = intensity_slope(mesh.low_slope[i], layers.intensity);
    const double high_gradient = intensity_slope(mesh.high_slope[i], layers.intensity);
    layers.depth.push_back(layers.depth[i] + dtau);
    layers.thickness.push_back(dtau);
    layers.low_slope.push_back(low_gradient * theta_slope(dx, dtau, layers.absorption[i]));
    layers.high_slope.push_back(high_gradient * theta_slope(dx, dtau, layers.absorption[i + 1]));
  }
  return layers;
}

}  // namespace ermine::reference
