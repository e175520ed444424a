#include "trace_on_device.hpp"

#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

namespace ermine::test {
namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// An array copied to the device, freed at the end.
template <class T>
class DeviceArray {
 public:
  DeviceArray(const T* host, std::size_t count) {
    check(cudaMalloc(&data_, count * sizeof(T)));
    if (host) check(cudaMemcpy(data_, host, count * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* get() const { return data_; }

 private:
  T* data_ = nullptr;
};

__global__ void trace_cells(CellTracer<GreyView<double>> trace, int cells, int rays,
                            RayScore<double>* scores) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (thread < cells * rays) scores[thread] = trace(CellId{thread / rays}, thread % rays);
}

}  // namespace

bool device_available() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

std::vector<RayScore<double>> trace_on_device(const CellTracer<GreyView<double>>& host_tracer,
                                              int cells, int wall_cells, int rays) {
  CellTracer<GreyView<double>> trace = host_tracer;
  auto& march = trace.march;
  // Width arrays carry a ghost entry at both ends.
  const auto widths = [&](int a) {
    return DeviceArray<double>(march.grid.width[a] - 1,
                               static_cast<std::size_t>(march.grid.cells[a]) + 2);
  };
  const auto x = widths(0), y = widths(1), z = widths(2);
  march.grid.width = {{x.get() + 1, y.get() + 1, z.get() + 1}};
  const DeviceArray<double> coordinate(march.coordinate, static_cast<std::size_t>(cells));
  march.coordinate = coordinate.get();
  const DeviceArray<double> wall_coordinate(march.walls.coordinate,
                                            static_cast<std::size_t>(wall_cells));
  march.walls.coordinate = wall_coordinate.get();
  const DeviceArray<double> emissivity(march.walls.emissivity,
                                       static_cast<std::size_t>(wall_cells));
  march.walls.emissivity = emissivity.get();
  const DeviceArray<double> absorption(march.medium.absorption,
                                       march.medium.stride ? static_cast<std::size_t>(cells) : 1);
  march.medium.absorption = absorption.get();
  const DeviceArray<double> cumulative(trace.sample_point.cumulative, 1);
  trace.sample_point.cumulative = cumulative.get();
  const DeviceArray<double> inverse(trace.sample_point.inverse_probability, 1);
  trace.sample_point.inverse_probability = inverse.get();

  std::vector<RayScore<double>> scores(static_cast<std::size_t>(cells) *
                                       static_cast<std::size_t>(rays));
  const DeviceArray<RayScore<double>> device_scores(nullptr, scores.size());
  constexpr int block = 128;
  trace_cells<<<(cells * rays + block - 1) / block, block>>>(trace, cells, rays,
                                                             device_scores.get());
  check(cudaGetLastError());
  check(cudaMemcpy(scores.data(), device_scores.get(), scores.size() * sizeof(scores[0]),
                   cudaMemcpyDeviceToHost));
  return scores;
}

}  // namespace ermine::test
