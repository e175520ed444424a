#pragma once

#include <ermine/tracer.hpp>

#include "transport/trace_lanes.hpp"

#include <cstdint>
#include <span>

namespace ermine {

/// Solves on the CPU with OpenMP. Inputs are checked by the caller. `instructions`: for the net in
/// single precision.
Result solve_on_host(const Tracer& tracer, std::span<const double> temperature,
                     std::uint32_t update, const ProgressCallback& progress,
                     Instructions instructions = usable_instructions().back());

}  // namespace ermine
