#pragma once

#include "backend/device_memory.hpp"
#include "geometry/tiles.hpp"
#include "transport/launch_net.hpp"
#include "transport/segments_device.hpp"
#include "transport/tracer_device.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace ermine {

/// Replicates on the GPU: queued on a stream, with tallies that stay there until they are asked
/// for.
template <class CellTrace, class WallTrace, class Segments>
class DeviceReplicates : public ReplicateTracer {
 public:
  /// Arrays of the tracers lie in `memory`, which hands out more for tallies.
  /// `segments`: the way in which cells are traced, if they can be.
  DeviceReplicates(const CellTrace& cells, const WallTrace& walls, std::optional<Segments> segments,
                   const DeviceLayout& layout, const Stream& stream, DeviceMemory& memory,
                   const ProgressCallback& progress)
      : ReplicateTracer(cells.tiles(), walls.tiles()),
        cells_(cells),
        walls_(walls),
        segments_(segments),
        layout_(layout),
        stream_(stream),
        memory_(memory),
        progress_(progress) {
    totals_ = memory.zeros<RayTotals>(1);
  }

  void report(double relative_error) override {
    if (progress_) progress_({counts().traced, 0, relative_error});
  }
  RayCounts counts() override {
    const RayTotals& totals = fetch_totals();
    return {static_cast<std::int64_t>(totals.traced), static_cast<std::int64_t>(totals.lost),
            static_cast<std::int64_t>(totals.crossings)};
  }
  bool hopeless() override {
    const RayTotals& totals = fetch_totals();
    return totals.given_up > 0 || (totals.lost > 100 && totals.lost > totals.traced / 10);
  }

 private:
  void clear_tallies(Sum sum) override {
    Tallies& kept = sums(sum);
    if (!kept.device.origins) return;
    memory_.clear(kept.device.origins, kept.origins * sizeof(Tally));
    memory_.clear(kept.device.tiles, kept.tiles * sizeof(Tally));
  }

  std::span<const Estimate> estimate_origins(Sum sum) override {
    Tallies& kept = sums(sum);
    return fetch(kept.origins, kept.of_origins, [&](Estimate* estimates) {
      const Tally* tallies = kept.device.origins;
      Spread* spread = spread_.at_least(kept.tiles, memory_);
      if (of_cells(sum)) {
        NetLauncher<CellTrace>::estimate(cells_, tallies, spread, estimates, stream_);
      } else {
        NetLauncher<WallTrace>::estimate(walls_, tallies, spread, estimates, stream_);
      }
    });
  }
  std::span<const Estimate> estimate_tiles(Sum sum) override {
    Tallies& kept = sums(sum);
    return fetch(kept.tiles, kept.of_tiles, [&](Estimate* estimates) {
      launch_estimates(kept.device.tiles, estimates, kept.tiles, stream_);
    });
  }

  void trace_tiles(Sum sum, const ReplicateRange& range, std::span<const int> tiles) override {
    if (of_cells(sum)) {
      trace(cells_, sum, range, tiles);
    } else {
      trace(walls_, sum, range, tiles);
    }
  }

  struct Tallies {
    std::size_t origins = 0;
    std::size_t tiles = 0;
    NetTallies device{};
    PinnedArray<Estimate> of_origins;
    PinnedArray<Estimate> of_tiles;
  };

  Tallies& sums(Sum sum) { return sums_[static_cast<std::size_t>(sum)]; }

  template <class Trace>
  void trace(const Trace& trace, Sum sum, const ReplicateRange& range, std::span<const int> tiles) {
    if (trace.origin_count() == 0) return;
    Tallies& kept = sums(sum);
    if (!kept.device.origins) {
      kept.origins = static_cast<std::size_t>(trace.origin_count());
      kept.tiles = tile_count(sum);
      kept.device = {memory_.zeros<Tally>(kept.origins), memory_.zeros<Tally>(kept.tiles)};
    }
    NetLaunch launch{static_cast<int>(tiles.empty() ? kept.tiles : tiles.size()), nullptr, range,
                     nullptr, totals_};
    if (!tiles.empty()) launch.tile_list = memory_.upload(tiles);
    // As many replicates side by side as fill the card, the next ones behind them.
    const std::int64_t lanes = std::int64_t{launch.tiles} * cells_per_tile;
    const int side_by_side =
        static_cast<int>(std::clamp<std::int64_t>(layout_.threads / lanes, 1, range.count));
    const auto size = static_cast<std::size_t>(lanes) * static_cast<std::size_t>(side_by_side);
    launch.means = means_.at_least(size, memory_);
    double* other = is_correction(sum) ? other_means_.at_least(size, memory_) : nullptr;
    for (int done = 0; done < range.count; done += side_by_side) {
      const auto before = static_cast<std::uint32_t>(done);
      launch.range = {range.first + before, std::min(side_by_side, range.count - done), range.rays,
                      range.first_ray + before * range.rays};
      if (is_correction(sum)) {
        NetLaunch levelled = launch;
        levelled.means = other;
        queue(trace, levelled, trace.march.grid.levels);
        queue(trace, launch, 1);
      } else {
        queue(trace, launch, trace.march.grid.levels);
      }
      NetLauncher<Trace>::tally(trace, launch, other, kept.device, stream_);
    }
  }

  /// On so many levels of detail.
  template <class Trace>
  void queue(Trace trace, const NetLaunch& launch, int levels) {
    if constexpr (std::is_same_v<Trace, CellTrace> && has_segments<CellTrace>) {
      if (segments_) {
        segments_->queue(launch, levels, layout_.block, stream_);
        return;
      }
    }
    trace.march.grid.levels = levels;
    NetLauncher<Trace>::trace(trace, launch, layout_.block, stream_);
  }

  /// Grows, never shrinks.
  template <class T>
  struct Scratch {
    T* array = nullptr;
    std::size_t size = 0;

    T* at_least(std::size_t wanted, DeviceMemory& memory) {
      if (wanted > size) {
        array = memory.allocate<T>(wanted);
        size = wanted;
      }
      return array;
    }
  };

  /// fill(estimates) queues what fills an array of the device.
  template <class Fill>
  std::span<const Estimate> fetch(std::size_t count, PinnedArray<Estimate>& values,
                                  const Fill& fill) {
    if (count == 0) return {};
    Estimate* estimates = estimates_.at_least(count, memory_);
    fill(estimates);
    if (values.values().size() != count) values = PinnedArray<Estimate>(count);
    values.receive(estimates, stream_);
    stream_.wait();
    return values.values();
  }

  const RayTotals& fetch_totals() {
    counts_.receive(totals_, stream_);
    stream_.wait();
    return counts_.values().front();
  }

  CellTrace cells_;
  WallTrace walls_;
  std::optional<Segments> segments_;
  DeviceLayout layout_;
  const Stream& stream_;
  DeviceMemory& memory_;
  const ProgressCallback& progress_;
  RayTotals* totals_;
  PinnedArray<RayTotals> counts_{1};
  Scratch<double> means_, other_means_;
  Scratch<Estimate> estimates_;
  Scratch<Spread> spread_;
  std::array<Tallies, sum_count> sums_;
};

}  // namespace ermine
