#pragma once

#include <ermine/tracer.hpp>

#include "transport/scene/temperature_field.hpp"

namespace ermine {

/// How far rays go before they end, from bounds: the largest absorption coefficients and
/// emissivities of a scene, and crossings per metre of isotropic directions on the coarsest level
/// that rays may see. Rays of a run go at least about so far. Rays of cells and, where they are
/// traced, rays of walls are looked at apart: walls emit where a gas is transparent, too.
struct RayLengths {
  /// Cells that a ray crosses, mean over the rays of cells or of walls, whichever go farther;
  /// max_crossings at most.
  double crossings = 0.0;
  double lost_share = 0.0;  ///< of the rays of either: those that max_crossings ends
};

/// Nothing is known of a gas whose temperature is not complete: no crossings.
RayLengths ray_lengths(const Tracer& tracer, const TemperatureField& temperature);

/// Refuses, before a ray is traced, a scene whose rays do not end: a nearly transparent medium
/// without walls that absorb. Throws Error. A tracer whose rays end is not looked at again: the
/// temperature of later updates changes how many rays a spectral point has, not how far they go.
void check_rays_end(const Tracer& tracer, const TemperatureField& temperature);

}  // namespace ermine
