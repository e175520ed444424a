#pragma once

#include <ermine/tracer.hpp>

#include <cstdint>
#include <span>

namespace ermine {

/// Solves on the CPU with OpenMP. Inputs are checked by the caller.
Result solve_on_host(const Tracer& tracer, std::span<const double> temperature,
                     std::uint32_t update, const ProgressCallback& progress);

}  // namespace ermine
