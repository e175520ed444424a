#pragma once

#include "backend/kept_copies.hpp"
#include "backend/stream.hpp"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace ermine {

/// Memory of the device for the work of one stream: handed out piece by piece, given back all at
/// once behind that work. Throws if there is not enough, with the amounts.
class DeviceMemory {
 public:
  explicit DeviceMemory(const Stream& stream);
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
  template <class T, class Allocator>
  const T* copy(const std::vector<T, Allocator>& array) {
    if (array.empty()) return nullptr;
    return static_cast<const T*>(copy_bytes(array.data(), array.size() * sizeof(T)));
  }
  /// The same with one that outlasts this solution, made unless there is one.
  template <class T, class Allocator>
  const T* kept_copy(const std::vector<T, Allocator>& array, const KeptCopies& copies) {
    if (array.empty()) return nullptr;
    return static_cast<const T*>(kept_copy_bytes(array.data(), array.size() * sizeof(T), copies));
  }

  /// A copy made each time; the array may go at once.
  template <class T>
  const T* upload(std::span<const T> array) {
    return upload_for_change(array);
  }
  template <class T>
  T* upload_for_change(std::span<const T> array) {
    T* copy = allocate<T>(array.size());
    upload_bytes(copy, array.data(), array.size_bytes());
    return copy;
  }
  /// The stream's next work sees it; both wait for the stream.
  template <class T>
  void overwrite(T* array, std::span<const T> values) {
    upload_bytes(array, values.data(), values.size_bytes());
  }
  template <class T>
  void download(std::span<T> values, const T* array) {
    check_cuda(cudaMemcpyAsync(values.data(), array, values.size_bytes(), cudaMemcpyDeviceToHost,
                               stream_.get()),
               "copying from the GPU");
  }
  /// Sets all bytes to zero.
  void clear(void* array, std::size_t bytes);

  std::int64_t bytes() const { return bytes_; }

 private:
  /// From the pool; belongs to nobody yet.
  void* take_bytes(std::size_t bytes);
  void* allocate_bytes(std::size_t bytes);
  void upload_bytes(void* to, const void* from, std::size_t bytes);
  const void* copy_bytes(const void* array, std::size_t bytes);
  const void* kept_copy_bytes(const void* array, std::size_t bytes, const KeptCopies& copies);

  const Stream& stream_;
  cudaMemPool_t pool_;
  std::vector<void*> arrays_;
  std::vector<KeptCopies::Copy> kept_;
  std::map<const void*, const void*> copies_;
  std::int64_t bytes_ = 0;
};

/// The `place` (see InPlace) of a device.
struct OnDevice {
  DeviceMemory& memory;
  const KeptCopies* copies = nullptr;  ///< of the arrays to come; null: they stay for one solution

  OnDevice kept(const KeptCopies& of_owner) const { return {memory, &of_owner}; }
  template <class T, class Allocator>
  const T* operator()(const std::vector<T, Allocator>& array) const {
    return copies ? memory.kept_copy(array, *copies) : memory.copy(array);
  }
};

/// Memory of the host that the device can write to at any time. It takes long to get: what is given
/// back is kept for the next who asks for about as much.
class PinnedMemory {
 public:
  PinnedMemory() = default;
  explicit PinnedMemory(std::size_t bytes);
  ~PinnedMemory();
  PinnedMemory(PinnedMemory&& other) noexcept
      : bytes_(std::exchange(other.bytes_, 0)), start_(std::exchange(other.start_, nullptr)) {}
  PinnedMemory& operator=(PinnedMemory&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(start_, other.start_);
    return *this;
  }

  void* get() const { return start_; }

 private:
  std::size_t bytes_ = 0;
  void* start_ = nullptr;
};

/// An array there, which the device fills while the caller does other things.
template <class T>
class PinnedArray {
 public:
  PinnedArray() = default;
  explicit PinnedArray(std::size_t count) : count_(count), memory_(count * sizeof(T)) {}

  std::span<const T> values() const { return {static_cast<const T*>(memory_.get()), count_}; }
  void receive(const T* from, const Stream& stream) {
    if (count_ == 0) return;
    check_cuda(cudaMemcpyAsync(memory_.get(), from, count_ * sizeof(T), cudaMemcpyDeviceToHost,
                               stream.get()),
               "copying results from the GPU");
  }

 private:
  std::size_t count_ = 0;
  PinnedMemory memory_;
};

}  // namespace ermine
