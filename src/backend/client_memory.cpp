#include "backend/client_memory.hpp"

#include "backend/cuda.hpp"

namespace ermine {

bool on_device(const void* address) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, address) != cudaSuccess) {
    cudaGetLastError();  // no GPU here: it must not turn up in a later call
    return false;
  }
  return attributes.type == cudaMemoryTypeDevice;
}

void copy_from_device(void* host, const void* device, std::size_t bytes) {
  check_cuda(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), "reading a client's array");
}

void copy_to_device(void* device, const void* host, std::size_t bytes) {
  check_cuda(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "writing a client's array");
}

int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();
  return 0;
}

int current_device() {
  int device = 0;
  check_cuda(cudaGetDevice(&device), "asking for the current GPU");
  return device;
}

void use_device(int device) { check_cuda(cudaSetDevice(device), "choosing a GPU"); }

}  // namespace ermine
