#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ermine {

/// An NVIDIA GPU that this process can use.
struct Device {
  std::string name;
  int compute_capability = 0;  ///< major * 10 + minor
  int multiprocessors = 0;
  std::int64_t memory = 0;       ///< [bytes]
  std::int64_t free_memory = 0;  ///< [bytes]
};

/// Whether the library was built with its GPU kernels.
bool built_with_cuda();

/// Whether rays can be traced on the current GPU of this thread, the first one unless it was
/// changed.
bool device_available();

/// Why it cannot, and what to do about it; empty if it can.
std::string why_no_device();

/// All GPUs that rays could be traced on. Takes a moment: every one of them is opened.
std::vector<Device> devices();

}  // namespace ermine
