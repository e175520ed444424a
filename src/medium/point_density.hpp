#pragma once

namespace ermine {

/// What the probability of spectral points is built for: the temperatures of gas and walls, and
/// the reach of rays. length 0: the paper's p ~ k(Tmax) I(Tmax). Else
///   p ~ k / (1 + k length) (I(Tmax) - I(Tmin)),   k the largest from Tmin to Tmax:
/// what a ray can bring home is a difference of intensities, from no farther than the mean free
/// path, so points that see little but their own cell get fewer rays.
struct PointDensity {
  double coldest;  ///< [K]
  double hottest;  ///< [K]
  double length;   ///< [m]

  bool emission() const { return !(length > 0); }
};

/// What p_s, the chance of spectral point s, is built from (one entry per point).
struct PointStrength {
  double absorption;      ///< the factor with k
  double intensity;       ///< the factor with I
  double softness = 1.0;  ///< I(Tmin) / I(Tmax): falls with the wavenumber
};

}  // namespace ermine
