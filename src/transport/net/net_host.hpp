#pragma once

#include "transport/run/tracer_host.hpp"

namespace ermine {

/// As solve_on_host(), for the net.
Result solve_net_on_host(const Tracer& tracer, const TemperatureField& temperature,
                         const Solving& how, Instructions instructions);

}  // namespace ermine
