#pragma once

#include "backend/cuda.hpp"

#include <utility>

namespace ermine {

/// Work of the GPU in the order in which it is queued.
class Stream {
 public:
  Stream() {
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "opening a stream");
  }
  /// Waits for the work: arrays that it uses are about to go.
  ~Stream() {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  cudaStream_t get() const { return stream_; }
  void wait() const { check_cuda(cudaStreamSynchronize(stream_), "copying to the GPU"); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A moment in the work of a stream.
class Event {
 public:
  explicit Event(const Stream& stream) {
    check_cuda(cudaEventCreate(&event_), "making an event");
    check_cuda(cudaEventRecord(event_, stream.get()), "recording an event");
  }
  ~Event() {
    if (event_) cudaEventDestroy(event_);
  }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }

  bool passed() const {
    const cudaError_t status = cudaEventQuery(event_);
    if (status != cudaErrorNotReady) check_cuda(status, "tracing rays");
    return status == cudaSuccess;
  }
  void wait() const { check_cuda(cudaEventSynchronize(event_), "tracing rays"); }
  double seconds_since(const Event& earlier) const {
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, earlier.event_, event_), "reading the time");
    return static_cast<double>(milliseconds) * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace ermine
