#pragma once

#include "transport/solving.hpp"
#include "transport/trace_lanes.hpp"

namespace ermine {

/// Solves on the CPU with OpenMP. Inputs are checked by the caller. `instructions`: for the net in
/// single precision.
Result solve_on_host(const Tracer& tracer, const TemperatureField& temperature, const Solving& how,
                     Instructions instructions = usable_instructions().back());

}  // namespace ermine
