#pragma once

#include <ermine/tracer.hpp>

#include "medium/point_density.hpp"

#include <span>

namespace ermine {

/// Transmissivity below which rays play the roulette.
inline constexpr double roulette_threshold = 0.01;

/// How rays of a scene may end. Between walls that reflect, or particles that scatter, a ray that
/// is left alone crosses the box several times for less than a hundredth of its estimate: there the
/// roulette saves almost half of all crossings, of rays of cells that fade in the gas (see Fading).
/// Elsewhere the cutoff costs next to nothing, and leaves no noise. Two fields at once (differences
/// between updates) know the cutoff alone.
inline Termination termination_of(const Tracer& tracer) {
  const Options& options = tracer.options();
  if (options.termination != Termination::automatic) return options.termination;
  const bool turns = tracer.walls().reflecting() || !tracer.scattering().empty();
  const bool roulette =
      turns && options.sampler == RaySampler::net && options.temporal != Temporal::difference;
  return roulette ? Termination::roulette : Termination::cutoff;
}

/// Where rays of cells fade. In transparent gas all do at walls, after the same few reflections:
/// what the net finds there has so little noise that ten times a hundredth of a few rays, drawn at
/// random, would be most of it. Where spectral points differ, there is noise enough.
class Fading {
 public:
  /// Rays of a spectral point; `thickness`: optical, across the domain.
  void add(double rays, double thickness) {
    constexpr double transparent = 0.3;  // from here on the roulette pays
    all_ += rays;
    if (thickness < transparent) thin_ += rays;
  }
  /// Whether it is the gas that some of them fade in.
  bool in_gas() const {
    constexpr double most = 0.9;
    return thin_ <= most * all_;
  }

 private:
  double all_ = 0.0;
  double thin_ = 0.0;
};

/// Of points across a domain of this size [m].
inline bool fades_in_gas(std::span<const PointStrength> points, double size) {
  Fading rays;
  for (const PointStrength& point : points) {
    rays.add(point.absorption * point.intensity, point.usual_absorption * size);
  }
  return rays.in_gas();
}

}  // namespace ermine
