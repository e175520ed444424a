#pragma once

#include "core/check.hpp"

#include <algorithm>
#include <span>

namespace ermine {

/// Position of a value among increasing nodes, as a fractional number; the caller checks the ends.
inline double position_among(std::span<const double> nodes, double value) {
  const auto above = std::upper_bound(nodes.begin() + 1, nodes.end() - 1, value);
  const auto i = static_cast<std::size_t>(above - nodes.begin()) - 1;
  return static_cast<double>(i) + (value - nodes[i]) / (nodes[i + 1] - nodes[i]);
}

/// Temperatures of the gas that spectral data cover [K].
struct CoveredTemperatures {
  double coldest;
  double hottest;

  void check_gas(double temperature) const {
    ERMINE_REQUIRE(temperature >= coldest && temperature <= hottest,
                   "temperature {} K is outside the spectral table ({} to {} K), use a table that "
                   "covers it",
                   temperature, coldest, hottest);
  }

  /// Walls only emit, so they may be colder than any gas.
  void check_wall(double temperature) const {
    ERMINE_REQUIRE(temperature <= hottest,
                   "wall temperature {} K is above the spectral table (up to {} K), use a table "
                   "that covers it",
                   temperature, hottest);
  }
};

}  // namespace ermine
