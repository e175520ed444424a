#pragma once

#include <ermine/options.hpp>
#include <ermine/walls.hpp>

#include "medium/point_density.hpp"

#include <span>

namespace ermine {

/// Transmissivity below which rays play the roulette.
inline constexpr double roulette_threshold = 0.01;

/// How rays of a scene may end. Between walls that reflect, a ray that is left alone crosses the
/// box several times for less than a hundredth of its estimate: there the roulette saves almost
/// half of all crossings, of cells' rays in a gas that is fades_in(). Elsewhere the cutoff costs
/// next to nothing, and leaves no noise. Two fields at once (differences between updates) know the
/// cutoff alone.
inline Termination termination_of(const Options& options, const Walls& walls) {
  if (options.termination != Termination::automatic) return options.termination;
  const bool roulette = walls.reflecting() && options.sampler == RaySampler::net &&
                        options.temporal != Temporal::difference;
  return roulette ? Termination::roulette : Termination::cutoff;
}

/// Whether it is the gas that most rays fade in, across a domain of this size [m]. In transparent
/// gas they fade at walls, all after the same few reflections: what the net finds there has so
/// little noise that ten times a hundredth of a few rays, drawn at random, would be most of it.
inline bool fades_in(std::span<const PointStrength> points, double size) {
  constexpr double transparent = 0.3;  // optical thickness, below which there is noise
  constexpr double few = 0.05;         // share of rays
  double all = 0.0;
  double thin = 0.0;
  for (const PointStrength& point : points) {
    const double share = point.absorption * point.intensity;
    all += share;
    if (point.usual_absorption * size < transparent) thin += share;
  }
  return thin <= few * all;
}

}  // namespace ermine
