#pragma once

#include <cstddef>
#include <vector>

namespace ermine {

/// One class of particles that scatter, such as droplets, coal or ash: light changes its direction
/// there and keeps its wavelength. What such particles absorb and emit belongs to the medium, see
/// with_particles().
struct Scattering {
  /// Scattering coefficient at all wavelengths [1/m]: one for the whole domain, or one per cell.
  std::vector<double> coefficient;
  /// Mean cosine of the angle by which they turn light, above -1 and below 1: 0 scatters in all
  /// directions alike, more favours going on ahead. The phase function is that of Henyey and
  /// Greenstein (Astrophys. J. 93, 70, 1941).
  double asymmetry = 0.0;

  double at(std::size_t cell) const { return coefficient[coefficient.size() == 1 ? 0 : cell]; }
};

/// Classes of particles, at most.
inline constexpr std::size_t most_scattering = 8;

}  // namespace ermine
