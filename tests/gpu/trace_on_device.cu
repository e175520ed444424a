#include "trace_on_device.hpp"

#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

namespace ermine::test {
namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// Arrays on the device, freed at the end.
class DeviceArrays {
 public:
  DeviceArrays() = default;
  ~DeviceArrays() {
    for (void* array : arrays_) cudaFree(array);
  }
  DeviceArrays(const DeviceArrays&) = delete;
  DeviceArrays& operator=(const DeviceArrays&) = delete;

  template <class T>
  T* allocate(std::size_t count) {
    void* array = nullptr;
    check(cudaMalloc(&array, count * sizeof(T)));
    arrays_.push_back(array);
    return static_cast<T*>(array);
  }

  /// Copies an array of the host and lets the pointer point to the copy.
  template <class T>
  void move(const T*& pointer, std::size_t count) {
    if (count == 0) return;
    T* copy = allocate<T>(count);
    check(cudaMemcpy(copy, pointer, count * sizeof(T), cudaMemcpyHostToDevice));
    pointer = copy;
  }

 private:
  std::vector<void*> arrays_;
};

void move(GridView<double>& grid, const ArraySizes&, DeviceArrays& device) {
  for (int a = 0; a < 3; ++a) {
    // Width arrays carry a ghost entry at both ends.
    const double* width = grid.width[a] - 1;
    device.move(width, static_cast<std::size_t>(grid.cells[a]) + 2);
    grid.width[a] = width + 1;
  }
}

void move(WallsView<double>& walls, const ArraySizes& sizes, DeviceArrays& device) {
  device.move(walls.coordinate, sizes.wall_cells);
  device.move(walls.emissivity, sizes.wall_cells);
}

void move(GreyView<double>& medium, const ArraySizes& sizes, DeviceArrays& device) {
  device.move(medium.absorption, medium.stride ? sizes.cells : 1);
}

template <int most>
void move(GasView<double, most>& medium, const ArraySizes& sizes, DeviceArrays& device) {
  const auto nodes = static_cast<std::size_t>(medium.nodes);
  const auto steps = static_cast<std::size_t>(medium.intensity_steps);
  const auto gas_nodes = static_cast<std::size_t>(medium.nodes - medium.first_gas_node);
  device.move(medium.intensity, sizes.bands * ((nodes - 1) * steps + 1));
  for (int c = 0; c < medium.components; ++c) {
    auto& gas = medium.component[c];
    const std::size_t rows = sizes.component_bands[static_cast<std::size_t>(c)] * sizes.points;
    device.move(gas.rows, rows * static_cast<std::size_t>(gas.layers) * gas_nodes);
    device.move(gas.amount, gas.amount_stride ? sizes.cells : 1);
    device.move(gas.layer, gas.layers > 1 ? sizes.cells : 0);
  }
}

void move(PointSampler<double>& sampler, const ArraySizes&, DeviceArrays& device) {
  device.move(sampler.cumulative, static_cast<std::size_t>(sampler.points));
  device.move(sampler.inverse_probability, static_cast<std::size_t>(sampler.points));
}

template <int most>
void move(GasPointSampler<double, most>& sampler, const ArraySizes& sizes, DeviceArrays& device) {
  device.move(sampler.cumulative, static_cast<std::size_t>(sampler.entries));
  device.move(sampler.intensity, sizes.bands);
  device.move(sampler.cumulative_weight, sizes.points);
  for (int c = 0; c < sampler.components; ++c) {
    const std::size_t bands = sizes.component_bands[static_cast<std::size_t>(c)];
    device.move(sampler.component[c].emission, bands * sizes.points);
    device.move(sampler.component[c].first_row, sizes.bands);
    device.move(sampler.component[c].band, bands);
  }
}

template <class Tracer>
__global__ void trace_cells(Tracer trace, int cells, int rays, RayScore<double>* scores) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (thread < cells * rays) scores[thread] = trace(CellId{thread / rays}, thread % rays);
}

}  // namespace

bool device_available() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

template <class Medium, class Sampler>
std::vector<RayScore<double>> trace_on_device(CellTracer<Medium, Sampler> trace,
                                              const ArraySizes& sizes, int rays) {
  DeviceArrays device;
  move(trace.march.grid, sizes, device);
  move(trace.march.walls, sizes, device);
  move(trace.march.medium, sizes, device);
  device.move(trace.march.coordinate, sizes.cells);
  move(trace.sample_point, sizes, device);

  const int cells = static_cast<int>(sizes.cells);
  std::vector<RayScore<double>> scores(sizes.cells * static_cast<std::size_t>(rays));
  auto* device_scores = device.allocate<RayScore<double>>(scores.size());
  constexpr int block = 128;
  trace_cells<<<(cells * rays + block - 1) / block, block>>>(trace, cells, rays, device_scores);
  check(cudaGetLastError());
  check(cudaMemcpy(scores.data(), device_scores, scores.size() * sizeof(scores[0]),
                   cudaMemcpyDeviceToHost));
  return scores;
}

template std::vector<RayScore<double>> trace_on_device(
    CellTracer<GreyView<double>, PointSampler<double>>, const ArraySizes&, int);
template std::vector<RayScore<double>> trace_on_device(
    CellTracer<GasView<double, 1>, GasPointSampler<double, 1>>, const ArraySizes&, int);
template std::vector<RayScore<double>> trace_on_device(
    CellTracer<GasView<double, 4>, GasPointSampler<double, 4>>, const ArraySizes&, int);

}  // namespace ermine::test
