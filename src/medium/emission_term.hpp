#pragma once

#include "core/constants.hpp"

namespace ermine {

/// Power emitted per volume [W/m3] between two temperature nodes: 4 pi sum k I, with k and I linear
/// between them.
struct EmissionTerm {
  double constant = 0, linear = 0, quadratic = 0;

  void add(double k, double k_rise, double intensity, double intensity_rise) {
    constant += 4 * constants::pi * k * intensity;
    linear += 4 * constants::pi * (k * intensity_rise + k_rise * intensity);
    quadratic += 4 * constants::pi * k_rise * intensity_rise;
  }

  /// `fraction` of the way from the one to the other.
  double at(double fraction) const { return constant + fraction * (linear + fraction * quadratic); }
};

}  // namespace ermine
