#pragma once

#include "reference/slab.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace ermine::reference {

/// Formula for dI/dx at a node: the sum of weight[j] I(node first + j).
struct Difference {
  std::size_t node;
  std::size_t first;
  std::array<double, 5> weight;
};

/// Nodes of the sub-intervals, with the formulas for dI/dx at the low and the high end of each.
/// No formula reaches across a kink, so the two that meet there differ.
struct Mesh {
  std::vector<double> nodes;
  std::vector<Difference> low_slope;
  std::vector<Difference> high_slope;
  std::vector<std::size_t> asked;  ///< node of each position or face asked for
};

/// What the sweeps need of one spectral point.
struct Layers {
  std::vector<double> absorption;  ///< k at nodes
  std::vector<double> depth;       ///< tau at nodes
  std::vector<double> thickness;   ///< of each interval in tau
  std::vector<double> intensity;   ///< I at nodes
  std::vector<double> low_slope;   ///< dI/dtheta at the low end of each interval
  std::vector<double> high_slope;  ///< and at its high end
};

Mesh make_mesh(const Slab& slab, std::span<const double> asked, int intervals);

/// Evaluates the functions of one spectral point. theta runs from 0 to 1 with tau through an
/// interval, and I(theta) is the cubic given by its end values and end slopes.
Layers sample_layers(const Mesh& mesh, const SlabPoint& point);

}  // namespace ermine::reference
