#pragma once

#include <ermine/error.hpp>

#include "field.hpp"

#include <cuda_runtime.h>
#include <memory>
#include <string>
#include <type_traits>

namespace channel {

inline void check_cuda(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  throw ermine::Error(std::string("the GPU failed while ") + doing + " (" +
                      cudaGetErrorString(status) +
                      "), give fewer grid.cells or take --backend cpu");
}

template <class Act>
__global__ void each_cell(Box b, Act act) {
  const int j = b.j0 + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int k = b.k0 + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int i = b.i0 + static_cast<int>(blockIdx.z);
  if (j < b.j1 && k < b.k1) act(i, j, k);
}

template <class Act>
__global__ void each_number(int length, Act act) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (n < length) act(static_cast<int>(blockIdx.y), n, n + 1);
}

/// Memory and launches of the GPU that this thread uses, on a stream of its own, so that rays are
/// traced besides. The CPU's twin is Host.
class Cuda {
 public:
  static constexpr bool device = true;

  Cuda() {
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "opening a stream");
  }
  ~Cuda() {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
  }
  Cuda(const Cuda&) = delete;
  Cuda& operator=(const Cuda&) = delete;

  std::shared_ptr<double> allocate(std::ptrdiff_t count) const {
    void* memory = nullptr;
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(double);
    check_cuda(cudaMalloc(&memory, bytes), "getting memory");
    std::shared_ptr<double> array(static_cast<double*>(memory), cudaFree);
    check_cuda(cudaMemsetAsync(memory, 0, bytes, stream_), "clearing memory");
    return array;
  }
  void copy_in(double* to, const double* from, std::ptrdiff_t count) const {
    copy(to, from, count, cudaMemcpyHostToDevice);
    wait();
  }
  void copy_out(double* to, const double* from, std::ptrdiff_t count) const {
    copy(to, from, count, cudaMemcpyDeviceToHost);
    wait();
  }
  void copy_within(double* to, const double* from, std::ptrdiff_t count) const {
    copy(to, from, count, cudaMemcpyDeviceToDevice);
  }
  void wait() const { check_cuda(cudaStreamSynchronize(stream_), "computing the flow"); }

  template <class Act>
  void each(Box b, const Act& act) const {
    static_assert(std::is_trivially_copyable_v<Act>);
    // Rows of y are read side by side; boxes thin along y, as of halos, take their threads along z.
    const bool thin = b.j1 - b.j0 < 8;
    const dim3 block = thin ? dim3(1, 128) : dim3(64, 4);
    const dim3 grid(blocks(b.j1 - b.j0, block.x), blocks(b.k1 - b.k0, block.y),
                    static_cast<unsigned>(b.i1 - b.i0));
    each_cell<<<grid, block, 0, stream_>>>(b, act);
    check_cuda(cudaGetLastError(), "starting a kernel");
  }
  template <class Act>
  void each_strip(int lines, int length, const Act& act) const {
    static_assert(std::is_trivially_copyable_v<Act>);
    constexpr unsigned threads = 64;
    const dim3 grid(blocks(length, threads), static_cast<unsigned>(lines));
    each_number<<<grid, threads, 0, stream_>>>(length, act);
    check_cuda(cudaGetLastError(), "starting a kernel");
  }

  cudaStream_t stream() const { return stream_; }

 private:
  static unsigned blocks(int count, unsigned size) {
    return (static_cast<unsigned>(count) + size - 1) / size;
  }
  void copy(double* to, const double* from, std::ptrdiff_t count, cudaMemcpyKind kind) const {
    check_cuda(
        cudaMemcpyAsync(to, from, static_cast<std::size_t>(count) * sizeof(double), kind, stream_),
        "copying");
  }

  cudaStream_t stream_ = nullptr;
};

}  // namespace channel
