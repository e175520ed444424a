#pragma once

#include <cuda_runtime_api.h>
#include <string>

namespace ermine {

/// Throws ermine::Error with what was being done and what to do about it, unless all went well.
void check_cuda(cudaError_t status, const char* doing);

/// Whether this build has kernels for the GPU that this thread uses.
bool has_kernels();

/// Name of the GPU that this thread uses.
std::string current_device_name();

}  // namespace ermine
