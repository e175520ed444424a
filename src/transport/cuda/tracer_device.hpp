#pragma once

#include "transport/run/gather.hpp"
#include "transport/run/solving.hpp"
#include "transport/run/submission.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace ermine {

/// How the work is laid out on the GPU. The answer does not depend on it.
struct DeviceLayout {
  int block = 128;  ///< threads per block, up to 128
  /// Wanted per launch: batches are traced side by side to reach it.
  std::int64_t threads = enough_threads;
};

/// Queues a solution on a stream of its own and returns. Inputs are checked by the caller, and
/// there is a device. The tracer and the temperature must outlive the submission.
std::unique_ptr<Submission::State> submit_on_device(const Tracer& tracer,
                                                    const TemperatureField& temperature,
                                                    const Solving& how, const DeviceLayout& layout);

}  // namespace ermine
