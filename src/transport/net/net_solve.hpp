#pragma once

#include "geometry/levels.hpp"
#include "transport/net/replicates.hpp"
#include "transport/run/gather.hpp"
#include "transport/run/solving.hpp"

namespace ermine {

/// Chooses the levels of detail of all rays: those chosen before, if there are such, or by
/// choose_levels(). What is known of their bias stands in the result, whose emission is known.
void set_levels(ReplicateTracer& rays, const Tracer& tracer, const TemperatureField& temperature,
                const Levels& levels, const Solving& how, Result& result);

/// Queues the rays of cells or walls that the options ask for. `levels`: levels of detail there
/// are.
void trace_cells(ReplicateTracer& rays, const Options& options, int levels);
void trace_walls(ReplicateTracer& rays, const Options& options, int levels);

/// Adds rays until the target of the options is reached, or its time limit, which counts from the
/// start of `clock`. Time and what was reached stand in the result.
void trace_to_target(ReplicateTracer& rays, const Tracer& tracer, const Stopwatch& clock,
                     Result& result);

/// Rays of each net with which a run to a target begins.
std::uint32_t first_rays(const Options& options);

/// Factor by which nets grow next, where so much is missing and so much is affordable; errors fall
/// with the size n of a net as n^-exponent. 1: replicates are added to them.
double net_growth(double missing, double exponent, double affordable);

/// Of a field in parts each rank knows what its own cells emit and how their rays start: tells
/// all of them.
void share_kinds(const Grid& grid, const TemperatureField& temperature, Ranks& ranks,
                 std::vector<char>& starts, Result& result);

/// Bias of thin starts over the root mean square of Q, in the norm of a target.
double thin_bias(const Result& result, const ErrorTarget& target);

/// Puts all estimates and what is known of their errors, bias included, into the result, whose
/// emission is known. `starts`: see CellKinds. Throws if too many rays were lost.
void gather(ReplicateTracer& rays, const Tracer& tracer, const TemperatureField& temperature,
            std::span<const char> starts, Result& result);

}  // namespace ermine
