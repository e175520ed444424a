#pragma once

#include <cuda_runtime_api.h>

namespace ermine {

/// Throws ermine::Error with what was being done and what to do about it, unless all went well.
void check_cuda(cudaError_t status, const char* doing);

}  // namespace ermine
