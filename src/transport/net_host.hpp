#pragma once

#include "transport/tracer_host.hpp"

namespace ermine {

/// As solve_on_host(), for the net.
Result solve_net_on_host(const Tracer& tracer, std::span<const double> temperature,
                         std::uint32_t update, const ProgressCallback& progress,
                         Instructions instructions);

}  // namespace ermine
