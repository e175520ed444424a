#include <ermine/device.hpp>

#include "backend/cuda.hpp"
#include "core/check.hpp"

#include <fmt/format.h>

namespace ermine {

void check_cuda(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  // An error in a kernel, or a device that fell off its bus, stays: CUDA answers every later call
  // of this process with it.
  cudaGetLastError();
  const bool lost = cudaDeviceSynchronize() != cudaSuccess;
  fail("the GPU failed while {} ({}: {}), {}", doing, cudaGetErrorName(status),
       cudaGetErrorString(status),
       lost ? "this program cannot use it any more: start it again, or choose backend = \"cpu\""
            : "try again, or choose backend = \"cpu\"");
}

std::string current_device_name() {
  int device = 0;
  cudaDeviceProp properties{};
  check_cuda(cudaGetDevice(&device), "choosing a GPU");
  check_cuda(cudaGetDeviceProperties(&properties, device), "asking the GPU for its name");
  return properties.name;
}

bool built_with_cuda() { return true; }

bool device_available() {
  int count = 0;
  const bool there = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  const bool usable = there && has_kernels();
  if (!usable) cudaGetLastError();  // must not turn up in a later call
  return usable;
}

std::vector<Device> devices() {
  std::vector<Device> found;
  int count = 0, current = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return found;
  }
  cudaGetDevice(&current);
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    std::size_t free = 0, total = 0;
    const bool usable = cudaGetDeviceProperties(&properties, i) == cudaSuccess &&
                        cudaSetDevice(i) == cudaSuccess &&
                        cudaMemGetInfo(&free, &total) == cudaSuccess && has_kernels();
    if (!usable) {
      cudaGetLastError();
      continue;
    }
    found.push_back({properties.name, properties.major * 10 + properties.minor,
                     properties.multiProcessorCount, static_cast<std::int64_t>(total),
                     static_cast<std::int64_t>(free)});
  }
  cudaSetDevice(current);
  return found;
}

std::string why_no_device() {
  if (device_available()) return "";
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (status == cudaErrorInsufficientDriver) {
    return "the NVIDIA driver is missing or older than this build of ermine needs, install a newer "
           "one";
  }
  if (status != cudaSuccess && status != cudaErrorNoDevice) {
    return fmt::format("the NVIDIA driver answers \"{}\", check it with nvidia-smi",
                       cudaGetErrorString(status));
  }
  if (count == 0) return "this machine has no NVIDIA GPU, or CUDA_VISIBLE_DEVICES hides it";
  return "the GPU does not answer, or ermine was built for other GPUs, check it with nvidia-smi, "
         "or "
         "build ermine on this machine";
}

}  // namespace ermine
