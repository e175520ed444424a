#pragma once

#include "transport/cuda/tracer_device.hpp"

namespace ermine {

/// As submit_on_device(), for the net. With a target rays are traced by wait() only.
std::unique_ptr<Submission::State> submit_net_on_device(const Tracer& tracer,
                                                        const TemperatureField& temperature,
                                                        const Solving& how,
                                                        const DeviceLayout& layout);

}  // namespace ermine
