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

/// Usable GPUs: none without a driver, a device, or kernels in the build.
std::vector<Device> devices();

/// Why devices() is empty, and what to do about it; empty if it is not.
std::string why_no_device();

}  // namespace ermine
