#include "backend/device_memory.hpp"

#include "core/check.hpp"

namespace ermine {

DeviceMemory::~DeviceMemory() {
  for (void* array : arrays_) cudaFreeAsync(array, stream_.get());
}

void* DeviceMemory::allocate_bytes(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* array = nullptr;
  const cudaError_t status = cudaMallocAsync(&array, bytes, stream_.get());
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // it is reported here and must not turn up in a later call
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    fail(
        "the GPU has too little memory: {:.3g} GB are needed on top of {:.3g} GB, {:.3g} of its "
        "{:.3g} GB are free; use a coarser grid, close other programs on the GPU, or choose "
        "backend = \"cpu\"",
        static_cast<double>(bytes) / 1e9, static_cast<double>(bytes_) / 1e9,
        static_cast<double>(free) / 1e9, static_cast<double>(total) / 1e9);
  }
  check_cuda(status, "taking memory of the GPU");
  arrays_.push_back(array);
  bytes_ += static_cast<std::int64_t>(bytes);
  return array;
}

void DeviceMemory::clear(void* array, std::size_t bytes) {
  if (bytes > 0) {
    check_cuda(cudaMemsetAsync(array, 0, bytes, stream_.get()), "clearing memory of the GPU");
  }
}

void DeviceMemory::upload_bytes(void* to, const void* from, std::size_t bytes) {
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_.get()),
             "copying to the GPU");
  stream_.wait();
}

const void* DeviceMemory::copy_bytes(const void* array, std::size_t bytes) {
  const auto known = copies_.find(array);
  if (known != copies_.end()) return known->second;
  void* copy = allocate_bytes(bytes);
  check_cuda(cudaMemcpyAsync(copy, array, bytes, cudaMemcpyHostToDevice, stream_.get()),
             "copying to the GPU");
  copies_.emplace(array, copy);
  return copy;
}

}  // namespace ermine
