#pragma once

#include "transport/gather.hpp"
#include "transport/replicates.hpp"

namespace ermine {

/// Queues the rays of cells or walls that the options ask for. `levels`: levels of detail there
/// are.
void trace_cells(ReplicateTracer& rays, const Options& options, int levels);
void trace_walls(ReplicateTracer& rays, const Options& options, int levels);

/// Adds rays until the target of the options is reached, or its time limit, which counts from the
/// start of `clock`. Time and what was reached stand in the result.
void trace_to_target(ReplicateTracer& rays, const Options& options, const Stopwatch& clock,
                     Result& result);

/// Estimates the bias of the levels of detail, in the norm of the target [W/m3].
Estimate estimate_bias(ReplicateTracer& rays, const Options& options, int levels);

/// Of a field in parts each rank knows what its own cells emit: tells all of them.
void share_emission(const Grid& grid, const TemperatureField& temperature, Ranks& ranks,
                    Result& result);

/// Puts all estimates and what is known of their errors into the result, whose emission is known.
/// Throws if too many rays were lost.
void gather(ReplicateTracer& rays, const Tracer& tracer, Result& result);

}  // namespace ermine
