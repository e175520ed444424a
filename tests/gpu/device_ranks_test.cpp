#include "coupling/client_array.hpp"
#include "gpu/device_test.hpp"
#include "support/problems.hpp"
#include "support/radiation.hpp"
#include "support/same_bits.hpp"
#include "support/thread_ranks.hpp"
#include "transport/run/solving.hpp"

#include <gtest/gtest.h>

#include <cuda_runtime_api.h>

namespace ermine {
namespace {

class DeviceRanks : public test::DeviceTest {};

/// Ranks that share a GPU find what one finds.
TEST_F(DeviceRanks, DoNotChangeABit) {
  const Grid grid = test::box_grid(16);
  const auto temperature = test::flowing(grid, 0.7);
  for (const Method method : {Method::classic, Method::sorted, Method::net}) {
    for (const bool black : {true, false}) {
      const Tracer tracer(
          grid, black ? test::enclosure(grid, test::wall(400)) : test::six_walls(grid),
          test::three_points(),
          test::with_method(
              method, {.backend = Backend::cuda, .rays_per_cell = 64, .rays_per_wall_face = 32}));
      const Result alone = tracer.solve(temperature, 2);
      for (const int size : {2, 3}) {
        test::ThreadTeam::run(size, [&](const std::shared_ptr<Ranks>& ranks) {
          test::expect_same_bits(alone,
                                 solve(tracer, temperature, {.update = 2, .ranks = ranks.get()}));
        });
      }
    }
  }
}

/// A client's arrays may lie on the GPU, halo and all.
TEST_F(DeviceRanks, RadiationOfArraysOnTheDevice) {
  CoupledCase problem = test::coupled_case({.interval = 1, .lag = 1});
  problem.options.backend = Backend::cuda;
  const auto temperature = test::flowing(*problem.grid, 0.3);
  Radiation host(problem);
  Radiation device(problem);
  const Block block{{0, 0, 0}, {12, 10, 8}, {1, 1, 1}, {1, 1, 1}, {2, 1, 0}};
  device.set_block(block);
  const ClientArray array(block);
  std::vector<double> theirs(array.size(), -7);
  array.write(std::span<const double>(temperature), 1.0, theirs.data());
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, theirs.size() * sizeof(double)), cudaSuccess);
  auto* on_gpu = static_cast<double*>(memory);
  const std::size_t bytes = theirs.size() * sizeof(double);
  ASSERT_EQ(cudaMemcpy(on_gpu, theirs.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
  for (int step = 0; step < 3; ++step) {
    host.advance(temperature.data());
    device.advance(on_gpu);
  }
  device.get(Quantity::source, on_gpu);
  ASSERT_EQ(cudaMemcpy(theirs.data(), on_gpu, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  cudaFree(on_gpu);
  EXPECT_EQ(array.read(theirs.data()), test::values_of(host, Quantity::source));
  EXPECT_EQ(theirs.front(), -7);  // halo
}

}  // namespace
}  // namespace ermine
