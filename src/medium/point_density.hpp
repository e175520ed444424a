#pragma once

#include <algorithm>

namespace ermine {

/// What the probability of spectral points is built for: the temperatures of gas and walls, and
/// the reach of rays. length 0: the paper's p ~ k(Tmax) I(Tmax). Else
///   p ~ k / (1 + k length) (I(Tmax) - I(Tmin)),   k the largest from Tmin to Tmax:
/// what a ray can bring home is a difference of intensities, from no farther than the mean free
/// path, so points that see little but their own cell get fewer rays. Rays of walls, whose estimate
/// has no factor k, have
///   p ~ k reach / (1 + k reach) (I(Tmax) - I(Tmin)) + I(hottest wall) - I(coldest wall):
/// through a transparent gas a wall sees nothing but other walls.
struct PointDensity {
  double coldest;             ///< [K]
  double hottest;             ///< [K]
  double length;              ///< [m]
  double wall_coldest = 0.0;  ///< [K]
  double wall_hottest = 0.0;  ///< [K]

  bool operator==(const PointDensity&) const = default;
  bool emission() const { return !(length > 0); }
  double reach() const { return 5 * length; }  ///< of rays of walls: the domain
  /// Share of what rays of walls see in a gas of this k.
  double seen(double k) const { return k * reach() / (1 + k * reach()); }
};

/// What p_s, the chance of spectral point s, is built from (one entry per point).
struct PointStrength {
  double absorption;              ///< the factor with k
  double intensity;               ///< the factor with I
  double softness = 1.0;          ///< I(Tmin) / I(Tmax): falls with the wavenumber
  double wall = 0.0;              ///< in place of both factors for rays of walls
  double usual_absorption = 0.0;  ///< k in most of the gas, roughly [1/m]
};

/// What a spectral point emits in a scene: k [1/m] and I [W/(m2 sr)] at its hottest temperature,
/// the largest at any of its temperatures, I at the coldest, and what hot walls emit more than cold
/// ones.
struct PointRange {
  double hottest_absorption;
  double largest_absorption;
  double hottest_intensity;
  double largest_intensity;
  double coldest_intensity;
  double between_walls;
};

inline PointStrength point_strength(const PointDensity& density, const PointRange& point) {
  const auto or_else = [](double value, double otherwise) { return value > 0 ? value : otherwise; };
  const double softness =
      point.hottest_intensity > 0 ? point.coldest_intensity / point.hottest_intensity : 0.0;
  if (density.emission()) {
    // A point that is dark at Tmax may shine elsewhere and must keep a chance of being drawn.
    const double intensity = or_else(point.hottest_intensity, point.largest_intensity);
    return {or_else(point.hottest_absorption, point.largest_absorption), intensity, softness,
            intensity, point.largest_absorption};
  }
  const double k = point.largest_absorption;
  const double difference = point.hottest_intensity - point.coldest_intensity;
  const double floor = 1e-3 * point.largest_intensity;
  return {k / (1 + k * density.length), std::max(difference, floor), softness,
          std::max(density.seen(k) * difference + point.between_walls, floor), k};
}

}  // namespace ermine
