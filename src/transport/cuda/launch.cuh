#pragma once

#include "backend/texture.hpp"
#include "transport/cuda/launch.hpp"
#include "transport/ray/trace_batch.hpp"

#include <type_traits>

namespace ermine {

/// Sum over the threads of a warp, in the first of them.
__device__ inline unsigned long long warp_sum(std::int64_t value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_down_sync(0xFFFFFFFFu, value, distance);
  }
  return static_cast<unsigned long long>(value);
}

/// Counts the rays of a warp. All of its threads call it.
__device__ inline void add_to_totals(const BatchScore& score, RayTotals& totals) {
  const unsigned long long traced = warp_sum(score.traced);
  const unsigned long long crossings = warp_sum(score.crossings);
  const unsigned long long lost = warp_sum(score.lost);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&totals.traced, traced);
    atomicAdd(&totals.crossings, crossings);
    if (lost > 0) atomicAdd(&totals.lost, lost);
  }
  if (score.gave_up) atomicAdd(&totals.given_up, 1ull);
}

inline constexpr int threads_per_block = 128;

/// Blocks that a multiprocessor shall hold at the same time: more of them hide more of the time to
/// memory, and leave fewer registers for each thread. Measured on an H200 (docs/decisions/0009).
template <class March>
inline constexpr int blocks_held = sizeof(typename March::Real) == sizeof(double)
                                       ? 4
                                       : (March::spacing == Spacing::uniform ? 8 : 6);

template <class Trace>
__global__ void __launch_bounds__(threads_per_block, blocks_held<typename Trace::March>)
    trace_batches(const __grid_constant__ Trace trace, const __grid_constant__ TraceLaunch launch) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // Threads beyond the last batch go along without rays: those of a warp wait for each other.
  const bool needed = thread < std::int64_t{launch.origins} * launch.batch_count;
  const int batch = needed ? static_cast<int>(thread / launch.origins) : 0;
  const int origin = needed ? static_cast<int>(thread - std::int64_t{batch} * launch.origins) : 0;
  RayRange rays = batch_of_rays(launch.rays, launch.batches, launch.first_batch + batch);
  if (!needed || launch.totals->given_up > 0) rays.count = 0;
  const BatchScore score = trace(typename Trace::Origin{launch.first_origin + origin}, rays);
  if (needed) launch.sums[thread] = {score.sum, score.squares};
  add_to_totals(score, *launch.totals);
}

template <class Trace>
void launch_trace(const Trace& trace, const TraceLaunch& launch, int block, const Stream& stream) {
  static_assert(std::is_trivially_copyable_v<Trace>);
  const std::int64_t threads = std::int64_t{launch.origins} * launch.batch_count;
  const auto blocks = static_cast<unsigned>((threads + block - 1) / block);
  trace_batches<<<blocks, static_cast<unsigned>(block), 0, stream.get()>>>(trace, launch);
  check_cuda(cudaGetLastError(), "starting to trace rays");
}

}  // namespace ermine
