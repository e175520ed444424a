#pragma once

#include <cstddef>

namespace ermine {

/// Whether an address lies in the memory of a GPU that the CPU cannot read.
bool on_device(const void* address);

void copy_from_device(void* host, const void* device, std::size_t bytes);
void copy_to_device(void* device, const void* host, std::size_t bytes);

/// GPUs that this process sees.
int device_count();

/// The GPU that this thread uses, and to make another thread use it.
int current_device();
void use_device(int device);

}  // namespace ermine
