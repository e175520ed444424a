#pragma once

#include <ermine/gas_medium.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace ermine {

/// A spectral point that all species of a mixture share: one row of each.
struct JointPoint {
  double weight;                         ///< of the points of a band, adding up to 1
  std::array<int, most_components> row;  ///< of each component; -1: transparent
};

/// Points of one part of the spectrum. Lines of different species overlap at random, so that a
/// mixture has the product of its species' points; this is a short quadrature of that product
/// whose margins are exact: summed over the points with a given row of one species, the weights
/// are that row's own. Planck means of every species are therefore those of its table.
///
/// The cumulative weights g_i of the species span a unit cube. A straight line winds through it,
/// a few times along each axis (numbers without common divisors), and every stretch on which all
/// species keep their rows is a point. Lines of neighbouring bands are shifted against each other
/// by a Kronecker sequence, so that their errors cancel (docs/decisions/0023).
/// A single species has its own points, and few combinations are all taken. Soot has its only row
/// of a band at all of its points, and where it absorbs alone one point.
std::vector<JointPoint> joint_points(const GasMedium& gas, std::size_t part);

}  // namespace ermine
