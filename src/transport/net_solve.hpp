#pragma once

#include "transport/gather.hpp"
#include "transport/replicates.hpp"

namespace ermine {

/// Rays of each replicate, where the options ask for so many in all.
std::uint32_t rays_per_replicate(std::int64_t rays, int replicates);

/// Queues the rays of cells or walls that the options ask for. `levels`: levels of detail there
/// are.
void trace_cells(ReplicateTracer& rays, const Options& options, int levels);
void trace_walls(ReplicateTracer& rays, const Options& options, int levels);

/// Adds rays until the target of the options is reached, or its time limit, which counts from the
/// start of `clock`. What was reached stands in the result.
void trace_to_target(ReplicateTracer& rays, const Options& options, const Stopwatch& clock,
                     Result& result);

/// Puts all estimates and what is known of their errors into the result, whose emission is known.
void gather(ReplicateTracer& rays, const Tracer& tracer, Result& result);

}  // namespace ermine
