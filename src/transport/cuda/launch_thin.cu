#include "transport/cuda/launch.cuh"
#include "transport/cuda/launch_thin.hpp"
#include "transport/ray/segment_march.hpp"

namespace ermine {
namespace {

static_assert(cells_per_tile == 32, "a warp traces a tile");
static_assert(sizeof(ThinParts) == 2 * sizeof(float4));

/// Measured on an H200, as for rays of cells (docs/decisions/0015).
template <class Segments>
inline constexpr int node_blocks_held = Segments::among_walls ? 6 : 8;

/// As trace_segments(), from corners. Sums lie in shared memory, registers being few.
template <class Segments>
__global__ void __launch_bounds__(threads_per_block, node_blocks_held<Segments>)
    trace_nodes(const __grid_constant__ Segments march, const HaloLevel* levels,
                const __grid_constant__ ThinView view, const __grid_constant__ NodeLaunch launch) {
  __shared__ HaloLevel level[most_levels];
  __shared__ typename Segments::Common tile_rays[threads_per_block / 32][32];
  __shared__ double sums[thin_parts][threads_per_block];
  for (int i = static_cast<int>(threadIdx.x); i < march.levels; i += blockDim.x) {
    level[i] = levels[i];
  }
  for (int m = 0; m < thin_parts; ++m) sums[m][threadIdx.x] = 0;
  __syncthreads();
  const std::int64_t warp = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  const int of_tile = launch.range.count * launch.shares;
  if (warp >= std::int64_t{launch.tiles} * of_tile) return;
  const unsigned lane = threadIdx.x % 32;
  const int slot = static_cast<int>(warp / of_tile);
  const int within = static_cast<int>(warp - std::int64_t{slot} * of_tile);
  const auto number = static_cast<std::uint32_t>(within / launch.shares);
  const auto share = static_cast<std::uint64_t>(within % launch.shares);
  const int tile = launch.tile_list ? launch.tile_list[slot] : slot;
  const CellId at = view.tiles().at(tile, static_cast<int>(lane));
  const bool needed = at.value >= 0;
  const CellId node = needed ? at : view.tiles().at(tile, 0);
  const Replicate replicate{launch.range.first + number, launch.range.rays,
                            launch.range.first_ray + number * launch.range.rays};
  const Vec3<int> index = view.nodes.index(node);
  const auto batch =
      march.trace.rays.batch(node.value, tile, Segments::CellTrace::image(index), replicate);
  const auto corner = march.corner(level[0], index, view.position(node.value), batch);
  typename Segments::Common* common = tile_rays[threadIdx.x / 32];
  BatchScore score;
  // One of them looks for all: others may give up at any moment.
  const bool hopeless = __shfl_sync(0xFFFFFFFFu, launch.totals->given_up > 0, 0);
  const auto shares = static_cast<std::uint64_t>(launch.shares);
  const auto begin = static_cast<std::uint32_t>(replicate.rays * share / shares);
  const auto end =
      hopeless ? begin : static_cast<std::uint32_t>(replicate.rays * (share + 1) / shares);
  for (std::uint32_t first = begin; first < end; first += 32) {
    const std::uint32_t some = end - first < 32 ? end - first : 32;
    __syncwarp();
    if (lane < some) {
      PointId point;
      typename Segments::Common ray = march.common(batch, first + lane, &point);
      ray.weight = __int_as_float(point.value);
      common[lane] = ray;
    }
    __syncwarp();
    for (std::uint32_t i = 0; needed && i < some; ++i) {
      const auto finding = march(level, corner, common[i]);
      const int point = __float_as_int(common[i].weight);
      const auto* strength = reinterpret_cast<const float4*>(view.strength + point);
      const float4 low = strength[0];
      const float4 high = strength[1];
      const float of[thin_parts] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
      for (int m = 0; m < thin_parts; ++m) {
        sums[m][threadIdx.x] += static_cast<double>(of[m] * finding.value);
      }
      score.traced += finding.traced;
      score.crossings += finding.crossings;
      score.lost += finding.lost;
    }
    score.gave_up = march.trace.hopeless(score.lost, end - begin);
    if (__any_sync(0xFFFFFFFFu, score.gave_up)) break;
  }
  NodeSums& out = launch.sums[(std::int64_t{within} * launch.tiles + slot) * 32 + lane];
  for (int m = 0; m < thin_parts; ++m) out.of[m] = sums[m][threadIdx.x];
  add_to_totals(score, *launch.totals);
}

/// One thread for each node of a tile of each replicate.
__global__ void gather_nodes(const __grid_constant__ ThinView view, const NodeLaunch launch,
                             ThinParts* found) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t of_replicate = std::int64_t{launch.tiles} * 32;
  if (i >= of_replicate * launch.range.count) return;
  const auto replicate = i / of_replicate;
  const auto place = i % of_replicate;
  const int slot = static_cast<int>(place / 32);
  const int tile = launch.tile_list ? launch.tile_list[slot] : slot;
  const CellId node = view.tiles().at(tile, static_cast<int>(place % 32));
  if (node.value < 0) return;
  double sum[thin_parts] = {};
  for (int share = 0; share < launch.shares; ++share) {
    const NodeSums& part = launch.sums[(replicate * launch.shares + share) * of_replicate + place];
    for (int m = 0; m < thin_parts; ++m) sum[m] += part.of[m];
  }
  found[replicate * view.node_count() + node.value] =
      view.found(node.value, sum, launch.range.rays);
}

/// One thread for each cell of a tile of each replicate.
template <class CellTrace>
__global__ void add_thin(const __grid_constant__ CellTrace trace,
                         const __grid_constant__ ThinView view, const ThinParts* found,
                         const NetLaunch launch, bool traced) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t of_replicate = std::int64_t{launch.tiles} * 32;
  if (i >= of_replicate * launch.range.count) return;
  const auto replicate = i / of_replicate;
  const auto place = i % of_replicate;
  const int slot = static_cast<int>(place / 32);
  const int tile = launch.tile_list ? launch.tile_list[slot] : slot;
  const CellId cell = trace.tiles().at(tile, static_cast<int>(place % 32));
  if (cell.value < 0) return;
  const auto gas = thin_state(trace.march.medium, cell, trace.march.coordinate[cell]);
  const float q =
      view(trace.march.grid.finest.index(cell), gas, found + replicate * view.node_count());
  launch.means[i] = (traced ? launch.means[i] : 0.0) + static_cast<double>(q);
}

__global__ void tally_groups(const TileGroups groups, const int* list, int count, int replicates,
                             const double* totals, Tally* tallies) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const int group = list ? list[i] : i;
  const std::int64_t tiles = groups.tiles.count();
  Tally tally = tallies[group];
  for (int r = 0; r < replicates; ++r) {
    double total = 0.0;
    for (int member = 0; member < TileGroups::tiles_per_group; ++member) {
      const int tile = groups.tile(group, member);
      if (tile >= 0) total += totals[r * tiles + tile];
    }
    tally.add(total);
  }
  tallies[group] = tally;
}

unsigned blocks_of(std::int64_t threads, int block) {
  return static_cast<unsigned>((threads + block - 1) / block);
}

}  // namespace

template <class Segments>
void ThinLauncher<Segments>::trace(const Segments& march, const HaloLevel* levels,
                                   const ThinView& view, const NodeLaunch& launch, ThinParts* found,
                                   int block, const Stream& stream) {
  const std::int64_t nodes = std::int64_t{launch.tiles} * launch.range.count * 32;
  trace_nodes<<<blocks_of(nodes * launch.shares, block), static_cast<unsigned>(block), 0,
                stream.get()>>>(march, levels, view, launch);
  check_cuda(cudaGetLastError(), "starting to trace rays");
  gather_nodes<<<blocks_of(nodes, 128), 128, 0, stream.get()>>>(view, launch, found);
  check_cuda(cudaGetLastError(), "adding up rays");
}

template <class Segments>
void ThinLauncher<Segments>::add(const Segments& march, const ThinView& view,
                                 const ThinParts* found, const NetLaunch& launch, bool traced,
                                 const Stream& stream) {
  const std::int64_t cells = std::int64_t{launch.tiles} * launch.range.count * 32;
  add_thin<<<blocks_of(cells, 128), 128, 0, stream.get()>>>(march.trace, view, found, launch,
                                                            traced);
  check_cuda(cudaGetLastError(), "interpolating what thin points absorb");
}

void launch_group_tallies(const TileGroups& groups, const int* list, int count, int replicates,
                          const double* totals, Tally* tallies, const Stream& stream) {
  tally_groups<<<blocks_of(count, 128), 128, 0, stream.get()>>>(groups, list, count, replicates,
                                                                totals, tallies);
  check_cuda(cudaGetLastError(), "adding up rays");
}

template <class Medium, Spacing spacing>
using CellsOf = CellTracer<March<Medium, PlainField<float>, spacing, Detail::levelled>,
                           NetRays<PointSampler<float>>>;
template <Spacing spacing>
using NodeCells = CellsOf<PointTableView<float>, spacing>;
template struct ThinLauncher<SegmentMarch<NodeCells<Spacing::uniform>>>;
template struct ThinLauncher<SegmentMarch<NodeCells<Spacing::stretched>>>;
template struct ThinLauncher<SegmentMarch<NodeCells<Spacing::uniform>, 1, true>>;
template struct ThinLauncher<SegmentMarch<NodeCells<Spacing::stretched>, 1, true>>;

template <Spacing spacing, bool reflecting, class Entry>
using NodeGases =
    SegmentMarch<CellsOf<GasView<float, most_gas_components>, spacing>, 1, reflecting, Entry>;
template struct ThinLauncher<NodeGases<Spacing::uniform, false, GasEntry<3>>>;
template struct ThinLauncher<NodeGases<Spacing::uniform, true, GasEntry<3>>>;
template struct ThinLauncher<NodeGases<Spacing::stretched, false, GasEntry<3>>>;
template struct ThinLauncher<NodeGases<Spacing::stretched, true, GasEntry<3>>>;
template struct ThinLauncher<NodeGases<Spacing::uniform, false, GasEntry<7>>>;
template struct ThinLauncher<NodeGases<Spacing::uniform, true, GasEntry<7>>>;
template struct ThinLauncher<NodeGases<Spacing::stretched, false, GasEntry<7>>>;
template struct ThinLauncher<NodeGases<Spacing::stretched, true, GasEntry<7>>>;

}  // namespace ermine
