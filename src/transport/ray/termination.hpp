#pragma once

#include <ermine/options.hpp>
#include <ermine/walls.hpp>

namespace ermine {

/// Transmissivity below which rays play the roulette.
inline constexpr double roulette_threshold = 0.01;

/// How rays of a scene end. Between walls that reflect, a ray that is left alone crosses the box
/// several times for less than a hundredth of its estimate: there the roulette saves almost half of
/// all crossings. Elsewhere the cutoff costs next to nothing, and leaves no noise. Two fields at
/// once (differences between updates) know the cutoff alone.
inline Termination termination_of(const Options& options, const Walls& walls) {
  if (options.termination != Termination::automatic) return options.termination;
  const bool roulette = walls.reflecting() && options.sampler == RaySampler::net &&
                        options.temporal != Temporal::difference;
  return roulette ? Termination::roulette : Termination::cutoff;
}

}  // namespace ermine
