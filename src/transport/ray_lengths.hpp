#pragma once

#include <ermine/tracer.hpp>

#include "transport/temperature_field.hpp"

namespace ermine {

/// How far rays of cells go before they end, from bounds: the largest absorption coefficients and
/// emissivities of a scene, and crossings per metre of isotropic directions on the coarsest level
/// that rays may see. Rays of a run go at least about so far.
struct RayLengths {
  double crossings = 0.0;   ///< cells that a ray crosses, mean over rays; max_crossings at most
  double lost_share = 0.0;  ///< of the rays: those that max_crossings ends
};

/// Nothing is known of a gas whose temperature is not complete: no crossings.
RayLengths ray_lengths(const Tracer& tracer, const TemperatureField& temperature);

/// Refuses, before a ray is traced, a scene whose rays do not end: a nearly transparent medium
/// without walls that absorb. Throws Error.
void check_rays_end(const Tracer& tracer, const TemperatureField& temperature);

}  // namespace ermine
