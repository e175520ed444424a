#pragma once

#include <ermine/tracer.hpp>

#include "geometry/levels.hpp"

namespace ermine {

/// Levels that are built of a field of which each rank has the whole, or its windows.
enum class FieldKnown { whole, windows };

/// The grid of a tracer and the coarser levels that its rays may need: those they may see, and with
/// one level that of the nodes at which thin points start.
inline Levels levels_of(const Tracer& tracer, FieldKnown known = FieldKnown::whole) {
  const Options& options = tracer.options();
  const bool net = options.sampler == RaySampler::net;
  int count = options.levels;
  if (count == automatic_levels) count = net ? 0 : 1;
  if (count == 1 && net && options.thin_starts == ThinStarts::blocks &&
      known == FieldKnown::whole) {
    count = 2;
  }
  return {tracer.grid(), count, options.steps_per_level, options.threads};
}

}  // namespace ermine
