#pragma once

#include "reference/slab.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace ermine::reference {

/// Nodes of the sub-intervals, with finite-difference weights for dI/dx at each.
struct Mesh {
  std::vector<double> nodes;
  std::size_t stencil;               ///< nodes per difference formula
  std::vector<std::size_t> first;    ///< first node of the formula of each node
  std::vector<double> slope_weight;  ///< `stencil` per node
  std::vector<std::size_t> asked;    ///< node of each position or face asked for
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
