#pragma once

#include "transport/ray/trace_lanes.hpp"
#include "transport/run/solving.hpp"

namespace ermine {

/// Solves on the CPU with OpenMP. Inputs are checked by the caller. `instructions`: for the net in
/// single precision.
Result solve_on_host(const Tracer& tracer, const TemperatureField& temperature, const Solving& how,
                     Instructions instructions = usable_instructions().back());

}  // namespace ermine
