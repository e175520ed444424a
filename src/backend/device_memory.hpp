#pragma once

#include "backend/stream.hpp"
#include "core/check.hpp"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace ermine {

/// Memory of the device for the work of one stream: handed out piece by piece, given back all at
/// once behind that work. Throws if there is not enough, with the amounts.
class DeviceMemory {
 public:
  explicit DeviceMemory(const Stream& stream) : stream_(stream) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Uninitialised.
  template <class T>
  T* allocate(std::size_t count) {
    return static_cast<T*>(allocate_bytes(count * sizeof(T)));
  }
  /// All bytes zero.
  template <class T>
  T* zeros(std::size_t count) {
    void* array = allocate_bytes(count * sizeof(T));
    clear(array, count * sizeof(T));
    return static_cast<T*>(array);
  }
  /// A copy of an array of the host, made once for each array. The array must stay until the stream
  /// has come so far.
  template <class T>
  const T* copy(const std::vector<T>& array) {
    if (array.empty()) return nullptr;
    return static_cast<const T*>(copy_bytes(array.data(), array.size() * sizeof(T)));
  }

  /// A copy made each time; the array may go at once.
  template <class T>
  const T* upload(std::span<const T> array) {
    T* copy = allocate<T>(array.size());
    upload_bytes(copy, array.data(), array.size_bytes());
    return copy;
  }
  /// Sets all bytes to zero.
  void clear(void* array, std::size_t bytes);

  std::int64_t bytes() const { return bytes_; }

 private:
  void* allocate_bytes(std::size_t bytes);
  void upload_bytes(void* to, const void* from, std::size_t bytes);
  const void* copy_bytes(const void* array, std::size_t bytes);

  const Stream& stream_;
  std::vector<void*> arrays_;
  std::map<const void*, const void*> copies_;
  std::int64_t bytes_ = 0;
};

/// The `place` (see InPlace) of a device.
struct OnDevice {
  DeviceMemory& memory;

  template <class T>
  const T* operator()(const std::vector<T>& array) const {
    return memory.copy(array);
  }
};

/// Memory of the host that the device writes to while the caller does other things.
template <class T>
class PinnedArray {
 public:
  PinnedArray() = default;
  explicit PinnedArray(std::size_t count) : count_(count) {
    void* array = nullptr;
    if (count > 0) {
      const cudaError_t status = cudaMallocHost(&array, count * sizeof(T));
      ERMINE_REQUIRE(
          status != cudaErrorMemoryAllocation,
          "this machine has too little memory for results of {:.3g} GB from the GPU, use "
          "a coarser grid",
          static_cast<double>(count * sizeof(T)) / 1e9);
      check_cuda(status, "taking memory of the host");
    }
    array_.reset(static_cast<T*>(array));
  }

  std::span<const T> values() const { return {array_.get(), count_}; }
  void receive(const T* from, const Stream& stream) {
    if (count_ == 0) return;
    check_cuda(cudaMemcpyAsync(array_.get(), from, count_ * sizeof(T), cudaMemcpyDeviceToHost,
                               stream.get()),
               "copying results from the GPU");
  }

 private:
  struct Free {
    void operator()(T* array) const { cudaFreeHost(array); }
  };
  std::size_t count_ = 0;
  std::unique_ptr<T, Free> array_;
};

}  // namespace ermine
