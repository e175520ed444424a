#pragma once

#include "geometry/tiles.hpp"
#include "transport/pooled_errors.hpp"
#include "transport/replicates.hpp"
#include "transport/run_monitor.hpp"
#include "transport/tally.hpp"
#include "transport/tile_lanes.hpp"
#include "transport/trace_batch.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>

namespace ermine {

/// Replicates on the threads of the CPU, OpenMP over tiles. One thread owns the tallies of a tile:
/// the answer does not depend on the number of threads.
template <class CellTrace, class WallTrace>
class HostReplicates : public ReplicateTracer {
  using Lanes = typename TileLanesFor<CellTrace>::Type;

 public:
  HostReplicates(const CellTrace& cells, const WallTrace& walls, Instructions instructions,
                 int threads, RunMonitor& monitor)
      : ReplicateTracer(cells.tiles(), walls.tiles()),
        cells_(cells),
        walls_(walls),
        lanes_(Lanes::make(cells, instructions, threads)),
        threads_(threads),
        monitor_(monitor) {}

  void report(double relative_error) override {
    monitor_.set_relative_error(relative_error);
    monitor_.report();
  }
  RayCounts counts() override { return monitor_.counts(); }
  bool hopeless() override { return monitor_.hopeless(); }

 private:
  void clear_tallies(Sum sum) override { sums(sum) = {}; }

  std::span<const Estimate> estimate_origins(Sum sum) override {
    return of_cells(sum) ? pooled(cells_, sums(sum)) : pooled(walls_, sums(sum));
  }
  std::span<const Estimate> estimate_tiles(Sum sum) override {
    Tallies& kept = sums(sum);
    kept.of_tiles.resize(kept.tiles.size());
    std::transform(kept.tiles.begin(), kept.tiles.end(), kept.of_tiles.begin(),
                   [](const Tally& tally) { return tally.estimate(); });
    return kept.of_tiles;
  }

  void trace_tiles(Sum sum, const ReplicateRange& range, std::span<const int> tiles) override {
    if (of_cells(sum)) {
      trace(cells_, sum, range, tiles);
    } else {
      trace(walls_, sum, range, tiles);
    }
  }

  struct Tallies {
    std::vector<Tally> origins;
    std::vector<Tally> tiles;
    std::vector<Estimate> of_origins;
    std::vector<Estimate> of_tiles;
  };

  Tallies& sums(Sum sum) { return sums_[static_cast<std::size_t>(sum)]; }

  template <class Trace>
  std::span<const Estimate> pooled(const Trace& trace, Tallies& kept) const {
    const auto tiles = trace.tiles();
    kept.of_origins.resize(kept.origins.size());
    const int count = kept.origins.empty() ? 0 : tiles.count();
    const auto each = [&](int tile, const auto& visit) {
      for (int lane = 0; lane < cells_per_tile; ++lane) {
        const auto origin = tiles.at(tile, lane);
        if (origin.value < 0) continue;
        visit(static_cast<std::size_t>(origin.value), static_cast<double>(trace.scale(origin)));
      }
    };
    std::vector<Spread> spread(static_cast<std::size_t>(count));
#pragma omp parallel num_threads(threads_)
    {
#pragma omp for schedule(static)
      for (int tile = 0; tile < count; ++tile) {
        Spread& of_tile = spread[static_cast<std::size_t>(tile)];
        each(tile, [&](std::size_t i, double scale) { of_tile.add(kept.origins[i], scale); });
      }
#pragma omp for schedule(static)
      for (int tile = 0; tile < count; ++tile) {
        const double variance = pooled_variance(tiles, spread.data(), tile);
        each(tile, [&](std::size_t i, double scale) {
          kept.of_origins[i] = pooled_estimate(kept.origins[i], variance, scale);
        });
      }
    }
    return kept.of_origins;
  }

  template <class Trace>
  void trace(const Trace& trace, Sum sum, const ReplicateRange& range, std::span<const int> tiles) {
    Tallies& tallies = sums(sum);
    const auto tile_count = this->tile_count(sum);
    tallies.origins.resize(static_cast<std::size_t>(trace.origin_count()));
    tallies.tiles.resize(tile_count);
    Trace single = trace;
    single.march.grid.levels = 1;
    const int count = static_cast<int>(tiles.empty() ? tile_count : tiles.size());
    // Blocks, the first ones small: see run_batches().
    int block = threads_;
    for (int begin = 0, end = 0; begin < count && !monitor_.hopeless(); begin = end) {
      end = std::min(begin + block, count);
      block = std::min(2 * block, 4096);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_)
      for (int i = begin; i < end; ++i) {
        const int tile = tiles.empty() ? i : tiles[static_cast<std::size_t>(i)];
        for (int r = 0; r < range.count; ++r) {
          const auto number = static_cast<std::uint32_t>(r);
          const Replicate replicate{range.first + number, range.rays,
                                    range.first_ray + number * range.rays};
          TileMeans means = trace_tile(is_correction(sum) ? single : trace, tile, replicate);
          if (is_correction(sum)) means.subtract(trace_tile(trace, tile, replicate));
          add(trace, tile, means, tallies);
        }
        if (omp_get_thread_num() == 0) monitor_.report();
      }
    }
  }

  struct TileMeans {
    std::array<double, cells_per_tile> of_lane{};

    void subtract(const TileMeans& other) {
      for (std::size_t i = 0; i < of_lane.size(); ++i) of_lane[i] -= other.of_lane[i];
    }
  };

  template <class Trace>
  TileMeans trace_tile(const Trace& trace, int tile, const Replicate& replicate) {
    if constexpr (std::is_same_v<Trace, CellTrace>) {
      if (lanes_) return trace_lanes(trace, tile, replicate);
    }
    TileMeans means;
    RayCounts counts;
    std::int64_t rays = 0;
    for (int lane = 0; lane < cells_per_tile; ++lane) {
      const auto origin = trace.tiles().at(tile, lane);
      if (origin.value < 0) continue;
      const BatchScore score = trace(origin, replicate);
      means.of_lane[static_cast<std::size_t>(lane)] = score.sum / replicate.rays;
      counts.traced += score.traced;
      counts.lost += score.lost;
      counts.crossings += score.crossings;
      rays += replicate.rays;
      if (score.gave_up) monitor_.give_up();
    }
    monitor_.add(rays, counts);
    return means;
  }

  TileMeans trace_lanes(const CellTrace& trace, int tile, const Replicate& replicate) {
    const LaneScores scores = (*lanes_)(tile, replicate, trace.march.grid.levels);
    TileMeans means;
    int cells = 0;
    for (int lane = 0; lane < cells_per_tile; ++lane) {
      if (trace.tiles().at(tile, lane).value < 0) continue;
      means.of_lane[static_cast<std::size_t>(lane)] = scores.sum[cells++] / replicate.rays;
    }
    monitor_.add(std::int64_t{replicate.rays} * cells,
                 {scores.traced, scores.lost, scores.crossings});
    if (scores.gave_up) monitor_.give_up();
    return means;
  }

  template <class Trace>
  void add(const Trace& trace, int tile, const TileMeans& means, Tallies& tallies) {
    double total = 0.0;
    for (int lane = 0; lane < cells_per_tile; ++lane) {
      const auto origin = trace.tiles().at(tile, lane);
      if (origin.value < 0) continue;
      const double mean = means.of_lane[static_cast<std::size_t>(lane)];
      tallies.origins[static_cast<std::size_t>(origin.value)].add(mean);
      total += mean * static_cast<double>(trace.size(origin));
    }
    tallies.tiles[static_cast<std::size_t>(tile)].add(total);
  }

  CellTrace cells_;
  WallTrace walls_;
  std::unique_ptr<Lanes> lanes_;  ///< null: cells are traced one by one
  int threads_;
  RunMonitor& monitor_;
  std::array<Tallies, sum_count> sums_;
};

}  // namespace ermine
