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

/// The same on tiles drawn at random, so well that it can be told from a target.
Estimate probe_bias(ReplicateTracer& rays, const Options& options, int levels, double target);

/// Rays of each net with which a run to a target begins.
std::uint32_t first_rays(const Options& options);

/// Factor by which nets grow next, where so much is missing and so much is affordable; errors fall
/// with the size n of a net as n^-exponent. 1: replicates are added to them.
double net_growth(double missing, double exponent, double affordable);

/// Of a field in parts each rank knows what its own cells emit: tells all of them.
void share_emission(const Grid& grid, const TemperatureField& temperature, Ranks& ranks,
                    Result& result);

/// Puts all estimates and what is known of their errors into the result, whose emission is known.
/// Throws if too many rays were lost.
void gather(ReplicateTracer& rays, const Tracer& tracer, Result& result);

}  // namespace ermine
