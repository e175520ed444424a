#pragma once

#include "geometry/tiles.hpp"
#include "transport/cuda/launch.cuh"
#include "transport/cuda/launch_net.hpp"
#include "transport/ray/segment_march.hpp"

namespace ermine {

static_assert(cells_per_tile == 32, "a warp traces a tile");

/// Origin of a thread of a warp. Replicates of a tile are next to each other, as their rays go
/// through the same cells.
template <class Trace>
struct NetPlace {
  int replicate;  ///< within the launch
  int tile;
  std::int64_t mean;  ///< number of its mean
  typename Trace::Origin origin;

  __device__ NetPlace(const Trace& trace, const NetLaunch& launch, std::int64_t warp, int lane) {
    const int slot = static_cast<int>(warp / launch.range.count);
    replicate = static_cast<int>(warp - std::int64_t{slot} * launch.range.count);
    mean = (std::int64_t{replicate} * launch.tiles + slot) * 32 + lane;
    tile = launch.tile_list ? launch.tile_list[slot] : slot;
    origin = trace.tiles().at(tile, lane);
  }
};

/// Keeps what a thread has found. All threads of a warp call it.
template <class Place>
__device__ void record(const NetLaunch& launch, const Place& place, bool needed,
                       const BatchScore& score) {
  launch.means[place.mean] = needed ? score.sum / launch.range.rays : 0.0;
  add_to_totals(score, *launch.totals);
}

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
  // One that this process has, if there is nothing to trace for it.
  const auto origin = needed ? place.origin : trace.tiles().at(place.tile, 0);
  const BatchScore score = trace(origin, replicate);
  record(launch, place, needed, score);
}

/// Measured on an H200 (docs/decisions/0015).
template <class Segments>
inline constexpr int segment_blocks_held =
    Segments::field_count > 1 || is_gas<typename Segments::Medium> || Segments::among_walls ? 6 : 8;

/// The same in segments. Threads of a warp prepare what the next 32 rays have in common, then all
/// follow one ray after the other.
template <class Segments>
__global__ void __launch_bounds__(threads_per_block, segment_blocks_held<Segments>)
    trace_segments(const __grid_constant__ Segments march, const HaloLevel* levels,
                   const __grid_constant__ NetLaunch launch) {
  __shared__ HaloLevel level[most_levels];
  __shared__ typename Segments::Common tile_rays[threads_per_block / 32][32];
  for (int i = static_cast<int>(threadIdx.x); i < march.levels; i += blockDim.x) {
    level[i] = levels[i];
  }
  __syncthreads();
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t warp = thread / 32;
  if (warp >= std::int64_t{launch.tiles} * launch.range.count) return;
  const unsigned lane = threadIdx.x % 32;
  const NetPlace<typename Segments::CellTrace> place(march.trace, launch, warp, lane);
  const bool needed = place.origin.value >= 0;
  const auto number = static_cast<std::uint32_t>(place.replicate);
  const Replicate replicate{launch.range.first + number, launch.range.rays,
                            launch.range.first_ray + number * launch.range.rays};
  using Origin = typename Segments::CellTrace::Origin;
  const auto start =
      march.start(level[0], Origin{needed ? place.origin.value : 0}, place.tile, replicate);
  typename Segments::Common* common = tile_rays[threadIdx.x / 32];
  BatchScore score;
  double earlier = 0.0;
  // One of them looks for all: others may give up at any moment.
  const bool hopeless = __shfl_sync(0xFFFFFFFFu, launch.totals->given_up > 0, 0);
  const std::uint32_t count = hopeless ? 0 : replicate.rays;
  for (std::uint32_t first = 0; first < count; first += 32) {
    const std::uint32_t some = count - first < 32 ? count - first : 32;
    __syncwarp();
    if (lane < some) common[lane] = march.common(start.batch, first + lane);
    __syncwarp();
    for (std::uint32_t i = 0; needed && i < some; ++i) {
      const auto finding = march(level, start, common[i]);
      score.sum += static_cast<double>(finding.value);
      if constexpr (Segments::field_count > 1) earlier += static_cast<double>(finding.earlier);
      score.traced += finding.traced;
      score.crossings += finding.crossings;
      score.lost += finding.lost;
    }
    score.gave_up = march.trace.hopeless(score.lost, count);
    if (__any_sync(0xFFFFFFFFu, score.gave_up)) break;
  }
  record(launch, place, needed, score);
  if constexpr (Segments::field_count > 1) {
    launch.earlier_means[place.mean] = needed ? earlier / launch.range.rays : 0.0;
  }
}

template <class Segments>
__global__ void fill_halo(const __grid_constant__ Segments march, const HaloLevel level, int number,
                          typename Segments::Entry* entries) {
  const std::int64_t within = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (within >= level.entries()) return;
  const int entry = level.begin + static_cast<int>(within);
  entries[entry] = halo_entry<typename Segments::Entry>(
      march.trace.march, march.trace.march.grid.level[number], level, entry);
}

template <class Segments>
void SegmentLauncher<Segments>::fill(const Segments& march, const HaloLevels& levels,
                                     typename Segments::Entry* entries, const Stream& stream) {
  int number = 0;
  for (const HaloLevel& level : levels.levels()) {
    const auto blocks = static_cast<unsigned>((level.entries() + 127) / 128);
    fill_halo<<<blocks, 128, 0, stream.get()>>>(march, level, number++, entries);
    check_cuda(cudaGetLastError(), "laying out the temperature");
  }
}

template <class Segments>
void SegmentLauncher<Segments>::trace(const Segments& march, const HaloLevel* levels,
                                      const NetLaunch& launch, int block, const Stream& stream) {
  const std::int64_t threads = std::int64_t{launch.tiles} * launch.range.count * 32;
  const auto blocks = static_cast<unsigned>((threads + block - 1) / block);
  trace_segments<<<blocks, static_cast<unsigned>(block), 0, stream.get()>>>(march, levels, launch);
  check_cuda(cudaGetLastError(), "starting to trace rays");
}

/// One warp for each tile.
template <class Trace>
__global__ void tally_net(const __grid_constant__ Trace trace, const NetLaunch launch,
                          const double* other, const NetTallies tallies) {
  const int slot = static_cast<int>((std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32);
  const int lane = threadIdx.x % 32;
  if (slot >= launch.tiles) return;
  const NetPlace<Trace> place(trace, launch, std::int64_t{slot} * launch.range.count, lane);
  const bool needed = place.origin.value >= 0;
  const double size = needed ? static_cast<double>(trace.size(place.origin)) : 0.0;
  Tally of_tile;
  if (!tallies.totals) of_tile = tallies.tiles[place.tile];
  Tally of_origin;
  if (needed) of_origin = tallies.origins[place.origin.value];
  for (int r = 0; r < launch.range.count; ++r) {
    const std::int64_t at = place.mean + std::int64_t{r} * launch.tiles * 32;
    double mean = launch.means[at];
    if (tallies.carried && needed) {
      const std::int64_t number = std::int64_t{launch.range.first} + r;
      double& value = tallies.carried[number * trace.origin_count() + place.origin.value];
      const bool anew = tallies.changed_starts && tallies.changed_starts[place.origin.value];
      if (other) mean = carried_on(mean, other[at], value, anew ? 0.0 : tallies.keep);
      value = mean;
    } else if (other) {
      mean -= other[at];
    }
    of_origin.add(mean);
    double total = mean * size;
    for (int distance = 16; distance > 0; distance /= 2) {
      total += __shfl_down_sync(0xFFFFFFFFu, total, distance);
    }
    of_tile.add(total);
    if (tallies.totals && lane == 0) {
      tallies.totals[std::int64_t{r} * trace.tiles().count() + place.tile] = total;
    }
  }
  if (needed) tallies.origins[place.origin.value] = of_origin;
  if (lane == 0 && !tallies.totals) tallies.tiles[place.tile] = of_tile;
}

/// One thread for each origin.
template <class Trace>
__global__ void estimate_net(const __grid_constant__ Trace trace, const Tally* tallies,
                             const CellKinds kinds, Estimate* estimates) {
  const int number = static_cast<int>(std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x);
  if (number >= trace.origin_count()) return;
  const typename Trace::Origin origin{number};
  estimates[number] = pooled_estimate(trace, tallies, kinds, origin);
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
void NetLauncher<Trace>::estimate(const Trace& trace, const Tally* tallies, const CellKinds& kinds,
                                  Estimate* estimates, const Stream& stream) {
  constexpr unsigned block = 128;
  const unsigned blocks = (static_cast<unsigned>(trace.origin_count()) + block - 1) / block;
  estimate_net<<<blocks, block, 0, stream.get()>>>(trace, tallies, kinds, estimates);
  check_cuda(cudaGetLastError(), "adding up rays");
}

}  // namespace ermine
