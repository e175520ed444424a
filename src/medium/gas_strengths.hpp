#pragma once

#include <ermine/gas_medium.hpp>

#include "medium/point_density.hpp"

#include <vector>

namespace ermine {

/// What the probability of a spectral point of a gas is built from (see PointDensity).
struct GasStrengths {
  /// Per component and row: the part with k times that with I [W/(m3 sr)].
  std::vector<std::vector<double>> emission;
  std::vector<double> intensity;  ///< per part of the spectrum: that with I [W/(m2 sr)]
  std::vector<double> softness;   ///< the same: I(Tmin) / I(Tmax)
  std::vector<double> wall;       ///< the same: for rays of walls [W/(m2 sr)]
};

GasStrengths gas_strengths(const GasMedium& medium, const PointDensity& density);

}  // namespace ermine
