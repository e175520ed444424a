#include "backend/cuda.hpp"

namespace ermine {
namespace {

__global__ void any_kernel() {}

}  // namespace

bool has_kernels() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, any_kernel) == cudaSuccess;
}

}  // namespace ermine
