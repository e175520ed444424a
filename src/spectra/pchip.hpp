#pragma once

#include <span>
#include <vector>

namespace ermine {

/// Slopes at the nodes of the piecewise cubic through (x, y) that never leaves the range of the two
/// nodes around it (Fritsch & Butland, SIAM J. Sci. Stat. Comput. 5, 1984). At least two nodes.
std::vector<double> monotone_slopes(std::span<const double> x, std::span<const double> y);

/// The cubic with values y0, y1 and slopes d0, d1 at x0 and x1.
double hermite(double x0, double x1, double y0, double y1, double d0, double d1, double x);

}  // namespace ermine
