#pragma once

#include "geometry/tiles.hpp"
#include "transport/launch.cuh"
#include "transport/launch_net.hpp"

namespace ermine {

static_assert(cells_per_tile == 32, "a warp traces a tile");

/// Origin of a thread: number `lane` of tile `slot` of the launch, which comes with its replicate.
template <class Trace>
struct NetPlace {
  int replicate;  ///< within the launch
  int tile;
  typename Trace::Origin origin;

  __device__ NetPlace(const Trace& trace, const NetLaunch& launch, std::int64_t warp, int lane)
      : replicate(static_cast<int>(warp / launch.tiles)) {
    const int slot = static_cast<int>(warp - std::int64_t{replicate} * launch.tiles);
    tile = launch.tile_list ? launch.tile_list[slot] : slot;
    origin = trace.tiles().at(tile, lane);
  }
};

template <class Trace>
__global__ void __launch_bounds__(threads_per_block, blocks_held<typename Trace::March>)
    trace_net(const __grid_constant__ Trace trace, const __grid_constant__ NetLaunch launch) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t warp = thread / 32;
  if (warp >= std::int64_t{launch.tiles} * launch.range.count) return;
  const NetPlace<Trace> place(trace, launch, warp, threadIdx.x % 32);
  const bool needed = place.origin.value >= 0 && launch.totals->given_up == 0;
  const auto number = static_cast<std::uint32_t>(place.replicate);
  const Replicate replicate{launch.range.first + number, needed ? launch.range.rays : 0,
                            launch.range.first_ray + number * launch.range.rays};
  const BatchScore score =
      trace(typename Trace::Origin{needed ? place.origin.value : 0}, replicate);
  launch.means[thread] = needed ? score.sum / launch.range.rays : 0.0;
  const unsigned long long traced = warp_sum(score.traced);
  const unsigned long long crossings = warp_sum(score.crossings);
  const unsigned long long lost = warp_sum(score.lost);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&launch.totals->traced, traced);
    atomicAdd(&launch.totals->crossings, crossings);
    if (lost > 0) atomicAdd(&launch.totals->lost, lost);
  }
  if (score.gave_up) atomicAdd(&launch.totals->given_up, 1ull);
}

/// One warp for each tile.
template <class Trace>
__global__ void tally_net(const __grid_constant__ Trace trace, const NetLaunch launch,
                          const double* other, const NetTallies tallies) {
  const int slot = static_cast<int>((std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32);
  const int lane = threadIdx.x % 32;
  if (slot >= launch.tiles) return;
  const NetPlace<Trace> place(trace, launch, slot, lane);
  const bool needed = place.origin.value >= 0;
  const double size = needed ? static_cast<double>(trace.size(place.origin)) : 0.0;
  Tally of_tile = tallies.tiles[place.tile];
  Tally of_origin;
  if (needed) of_origin = tallies.origins[place.origin.value];
  for (int r = 0; r < launch.range.count; ++r) {
    const std::int64_t at = (std::int64_t{r} * launch.tiles + slot) * 32 + lane;
    const double mean = launch.means[at] - (other ? other[at] : 0.0);
    of_origin.add(mean);
    double total = mean * size;
    for (int distance = 16; distance > 0; distance /= 2) {
      total += __shfl_down_sync(0xFFFFFFFFu, total, distance);
    }
    of_tile.add(total);
  }
  if (needed) tallies.origins[place.origin.value] = of_origin;
  if (lane == 0) tallies.tiles[place.tile] = of_tile;
}

/// One warp for each tile.
template <class Trace>
__global__ void estimate_net(const __grid_constant__ Trace trace, const Tally* tallies,
                             Estimate* estimates) {
  const auto tiles = trace.tiles();
  const int tile = static_cast<int>((std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32);
  if (tile >= tiles.count()) return;
  const auto origin = tiles.at(tile, threadIdx.x % 32);
  const bool needed = origin.value >= 0;
  const unsigned lanes = __popc(__ballot_sync(0xFFFFFFFFu, needed));
  double variance = needed ? tallies[origin.value].variance() : 0.0;
  for (int distance = 16; distance > 0; distance /= 2) {
    variance += __shfl_xor_sync(0xFFFFFFFFu, variance, distance);
  }
  if (needed) estimates[origin.value] = {tallies[origin.value].mean(), sqrt(variance / lanes)};
}

template <class Trace>
void NetLauncher<Trace>::trace(const Trace& trace, const NetLaunch& launch, int block,
                               const Stream& stream) {
  static_assert(std::is_trivially_copyable_v<Trace>);
  const std::int64_t threads = std::int64_t{launch.tiles} * launch.range.count * 32;
  const auto blocks = static_cast<unsigned>((threads + block - 1) / block);
  trace_net<<<blocks, static_cast<unsigned>(block), 0, stream.get()>>>(trace, launch);
  check_cuda(cudaGetLastError(), "starting to trace rays");
}

template <class Trace>
void NetLauncher<Trace>::tally(const Trace& trace, const NetLaunch& launch, const double* other,
                               const NetTallies& tallies, const Stream& stream) {
  constexpr unsigned block = 128;
  const unsigned blocks = (static_cast<unsigned>(launch.tiles) + 3) / 4;
  tally_net<<<blocks, block, 0, stream.get()>>>(trace, launch, other, tallies);
  check_cuda(cudaGetLastError(), "adding up rays");
}

template <class Trace>
void NetLauncher<Trace>::estimate(const Trace& trace, const Tally* tallies, Estimate* estimates,
                                  const Stream& stream) {
  constexpr unsigned block = 128;
  const unsigned blocks = (static_cast<unsigned>(trace.tiles().count()) + 3) / 4;
  estimate_net<<<blocks, block, 0, stream.get()>>>(trace, tallies, estimates);
  check_cuda(cudaGetLastError(), "adding up rays");
}

}  // namespace ermine
