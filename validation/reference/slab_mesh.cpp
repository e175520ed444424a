#include "reference/slab_mesh.hpp"

#include <algorithm>
#include <cmath>

namespace ermine::reference {
namespace {

/// Walls and positions asked for, with equal steps of at most `step` between them. Positions that
/// differ by rounding only share a node: difference formulas need distinct nodes.
std::vector<double> place_nodes(const Slab& slab, std::span<const double> asked, double step) {
  std::vector<double> breaks(asked.begin(), asked.end());
  breaks.push_back(slab.from);
  breaks.push_back(slab.to);
  std::sort(breaks.begin(), breaks.end());
  std::vector<double> nodes{slab.from};
  for (const double end : breaks) {
    const double start = nodes.back();
    if (end - start < 1e-9 * step) continue;
    const double count = std::max(1.0, std::ceil((end - start) / step - 1e-6));
    for (double i = 1; i <= count; ++i) nodes.push_back(start + (end - start) * (i / count));
  }
  nodes.back() = slab.to;
  return nodes;
}

/// Weight of node j for the derivative at node i of the polynomial through `count` nodes.
double slope_weight(const double* x, std::size_t count, std::size_t i, std::size_t j) {
  double weight = 0.0;
  for (std::size_t left_out = 0; left_out < count; ++left_out) {
    if (left_out == j) continue;
    double product = 1.0 / (x[j] - x[left_out]);
    for (std::size_t m = 0; m < count; ++m) {
      if (m != j && m != left_out) product *= (x[i] - x[m]) / (x[j] - x[m]);
    }
    weight += product;
  }
  return weight;
}

/// Absorption integrated over [a, b] by the four-point Lobatto rule (Abramowitz & Stegun 25.4.32).
double optical_depth(const SlabPoint& point, double a, double b, double at_a, double at_b) {
  const double offset = 0.5 * (b - a) / std::sqrt(5.0);
  const double middle = 0.5 * (a + b);
  const double inner = point.absorption(middle - offset) + point.absorption(middle + offset);
  return (b - a) / 12.0 * (at_a + at_b + 5.0 * inner);
}

/// dI/dx. Differences to the node itself make the slope of a uniform intensity exactly zero.
double intensity_slope(const Mesh& mesh, const std::vector<double>& intensity, std::size_t node) {
  double slope = 0.0;
  for (std::size_t j = 0; j < mesh.stencil; ++j) {
    slope += mesh.slope_weight[node * mesh.stencil + j] *
             (intensity[mesh.first[node] + j] - intensity[node]);
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
  Mesh mesh{.nodes = place_nodes(slab, asked, step),
            .stencil = 5,
            .first = {},
            .slope_weight = {},
            .asked = {}};
  const std::size_t last_first = mesh.nodes.size() - mesh.stencil;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    const std::size_t first = std::min(i < 2 ? 0 : i - 2, last_first);
    mesh.first.push_back(first);
    for (std::size_t j = 0; j < mesh.stencil; ++j) {
      mesh.slope_weight.push_back(slope_weight(&mesh.nodes[first], mesh.stencil, i - first, j));
    }
  }
  for (const double x : asked) {
    const auto above = std::lower_bound(mesh.nodes.begin(), mesh.nodes.end(), x - 1e-8 * step);
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
  double low_gradient = intensity_slope(mesh, layers.intensity, 0);
  for (std::size_t i = 0; i + 1 < mesh.nodes.size(); ++i) {
    const double dx = mesh.nodes[i + 1] - mesh.nodes[i];
    const double dtau = optical_depth(point, mesh.nodes[i], mesh.nodes[i + 1], layers.absorption[i],
                                      layers.absorption[i + 1]);
    const double high_gradient = intensity_slope(mesh, layers.intensity, i + 1);
    layers.depth.push_back(layers.depth[i] + dtau);
    layers.thickness.push_back(dtau);
    layers.low_slope.push_back(low_gradient * theta_slope(dx, dtau, layers.absorption[i]));
    layers.high_slope.push_back(high_gradient * theta_slope(dx, dtau, layers.absorption[i + 1]));
    low_gradient = high_gradient;
  }
  return layers;
}

}  // namespace ermine::reference
