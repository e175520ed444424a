#include "transport/cuda/launch.hpp"
#include "transport/cuda/launch_net.hpp"
#include "transport/ray/trace_batch.hpp"

namespace ermine {
namespace {

__global__ void tally_batches(const TraceLaunch launch, Tally* tallies, Estimate* estimates) {
  const std::int64_t origin = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (origin >= launch.origins) return;
  Tally tally = tallies[origin];
  for (int batch = 0; batch < launch.batch_count; ++batch) {
    const RayRange rays = batch_of_rays(launch.rays, launch.batches, launch.first_batch + batch);
    const BatchSums sums = launch.sums[std::int64_t{batch} * launch.origins + origin];
    tally.add_batch(rays.count, sums.scores, sums.squares);
  }
  tallies[origin] = tally;
  estimates[origin] = tally.estimate();
}

__global__ void estimate(const Tally* tallies, Estimate* estimates, std::size_t count) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) estimates[i] = tallies[i].estimate();
}

}  // namespace

void launch_tally(const TraceLaunch& launch, Tally* tallies, Estimate* estimates,
                  const Stream& stream) {
  constexpr unsigned block = 256;
  const unsigned blocks = (static_cast<unsigned>(launch.origins) + block - 1) / block;
  tally_batches<<<blocks, block, 0, stream.get()>>>(launch, tallies, estimates);
  check_cuda(cudaGetLastError(), "adding up rays");
}

void launch_estimates(const Tally* tallies, Estimate* estimates, std::size_t count,
                      const Stream& stream) {
  constexpr unsigned block = 256;
  const auto blocks = static_cast<unsigned>((count + block - 1) / block);
  estimate<<<blocks, block, 0, stream.get()>>>(tallies, estimates, count);
  check_cuda(cudaGetLastError(), "adding up rays");
}

}  // namespace ermine
