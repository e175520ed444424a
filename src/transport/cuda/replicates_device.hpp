#pragma once

#include "backend/device_memory.hpp"
#include "geometry/tiles.hpp"
#include "transport/cuda/launch_net.hpp"
#include "transport/cuda/segments_device.hpp"
#include "transport/cuda/tracer_device.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ermine {

/// Replicates on the GPU: queued on a stream, with tallies that stay there until they are asked
/// for.
template <class CellTrace, class WallTrace, class Segments>
class DeviceReplicates : public ReplicateTracer {
 public:
  /// Arrays of the tracers lie in `memory`, which hands out more for tallies.
  /// `segments`: the way in which cells are traced, if they can be.
  /// `thin`: that in which thin points are traced, if not from cells.
  DeviceReplicates(const CellTrace& cells, const WallTrace& walls, std::optional<Segments> segments,
                   const std::optional<ThinTrace<CellTrace>>& thin, const DeviceLayout& layout,
                   const Stream& stream, DeviceMemory& memory, const ProgressCallback& progress,
                   const TileShares& shares)
      : ReplicateTracer(cells.tiles(), walls.tiles(), node_tiles(thin), shares),
        cells_(cells),
        walls_(walls),
        segments_(segments),
        thin_(thin),
        layout_(layout),
        stream_(stream),
        memory_(memory),
        progress_(progress) {
    totals_ = memory.zeros<RayTotals>(1);
    if constexpr (may_have_nodes<CellTrace>) {
      if (!thin_) return;
      thick_segments_ = segments_->with(thin_->thick.rays);
      node_segments_ = segments_->with(thin_->nodes.rays);
    }
  }

  /// As HostReplicates.
  void carry(const History* before, double keep, std::span<const char> changed_starts) {
    carries_ = true;
    keep_groups();
    before_ = before;
    keep_ = keep;
    if (!changed_starts.empty()) changed_starts_ = memory_.upload(changed_starts);
  }
  void follow_in(std::unique_ptr<DeviceReplicates> earlier) {
    earlier_ = std::move(earlier);
    earlier_->totals_ = totals_;
    count_twice();
  }
  void set_resolution(const Resolution& cells, const Resolution& walls) override {
    cells_ = at_resolution(cells_, cells);
    walls_ = at_resolution(walls_, walls);
    if (earlier_) earlier_->set_resolution(cells, walls);
  }
  void leave(History& after) override {
    fetch_carried(sums(Sum::cells), after.flux_divergence);
    fetch_carried(sums(Sum::walls), after.wall_flux);
  }

  void report(double relative_error) override {
    if (progress_) progress_({counts().traced, 0, relative_error});
  }

 private:
  RayCounts own_counts() override {
    const RayTotals& totals = fetch_totals();
    return {static_cast<std::int64_t>(totals.traced), static_cast<std::int64_t>(totals.lost),
            static_cast<std::int64_t>(totals.crossings)};
  }
  bool own_hopeless() override {
    const RayTotals& totals = fetch_totals();
    return totals.given_up > 0 || (totals.lost > 100 && totals.lost > totals.traced / 10);
  }

  void clear_tallies(Sum sum) override {
    if (grouped(sum)) thin_open_.reset();
    Tallies& kept = sums(sum);
    if (!kept.device.origins) return;
    memory_.clear(kept.device.origins, kept.origins * sizeof(Tally));
    memory_.clear(kept.device.tiles, kept.tiles * sizeof(Tally));
  }

  std::span<const Estimate> estimate_origins(Sum sum) override {
    Tallies& kept = sums(sum);
    return fetch(kept.origins, kept.of_origins, [&](Estimate* estimates) {
      const Tally* tallies = kept.device.origins;
      if (of_cells(sum)) {
        if (!kinds_.emission) {
          kinds_.emission = memory_.upload(emission());
          if (!starts().empty()) kinds_.starts = memory_.upload(starts());
        }
        NetLauncher<CellTrace>::estimate(cells_, tallies, kinds_, estimates, stream_);
      } else {
        NetLauncher<WallTrace>::estimate(walls_, tallies, {nullptr, nullptr}, estimates, stream_);
      }
    });
  }
  std::span<const Estimate> estimate_tiles(Sum sum) override {
    Tallies& kept = sums(sum);
    return fetch(kept.tiles, kept.of_tiles, [&](Estimate* estimates) {
      launch_estimates(kept.device.tiles, estimates, kept.tiles, stream_);
    });
  }

  TallySpans take_tallies(Sum sum) override {
    Tallies& kept = sums(sum);
    kept.host_origins.resize(kept.origins);
    kept.host_tiles.resize(kept.tiles);
    memory_.download(std::span(kept.host_origins), kept.device.origins);
    memory_.download(std::span(kept.host_tiles), kept.device.tiles);
    stream_.wait();
    return {kept.host_origins, kept.host_tiles};
  }
  void put_tallies(Sum sum) override {
    Tallies& kept = sums(sum);
    memory_.overwrite(kept.device.origins, std::span<const Tally>(kept.host_origins));
    memory_.overwrite(kept.device.tiles, std::span<const Tally>(kept.host_tiles));
    stream_.wait();
  }

  void trace(const Tracing& some, const ReplicateRange& range) override {
    if (of_cells(some.sum)) {
      trace(cells_, some, range);
    } else {
      trace(walls_, some, range);
    }
  }

  struct Tallies {
    std::size_t origins = 0;
    std::size_t tiles = 0;
    std::size_t carried = 0;  ///< values of replicates
    NetTallies device{};
    std::vector<Tally> host_origins, host_tiles;  ///< while ranks tell each other
    PinnedArray<Estimate> of_origins;
    PinnedArray<Estimate> of_tiles;
  };

  Tallies& sums(Sum sum) { return sums_[static_cast<std::size_t>(sum)]; }

  template <class Trace>
  void trace(const Trace& trace, const Tracing& some, const ReplicateRange& range) {
    if (trace.origin_count() == 0) return;
    const Sum sum = some.sum;
    Tallies& kept = sums(sum);
    if (!kept.device.origins) {
      kept.origins = static_cast<std::size_t>(trace.origin_count());
      kept.tiles = group_count(sum);
      kept.device = {memory_.zeros<Tally>(kept.origins),
                     memory_.zeros<Tally>(kept.tiles),
                     nullptr,
                     nullptr,
                     keep_,
                     of_cells(sum) ? changed_starts_ : nullptr};
      if (carries_ && !is_correction(sum)) make_room(sum, range, kept);
    }
    NetLaunch launch{static_cast<int>(some.tiles.count(tile_count(sum))), list(some.tiles), range,
                     nullptr, totals_};
    if (launch.tiles == 0 && !grouped(sum)) return;
    // As many replicates side by side as fill the card, the next ones behind them.
    const std::int64_t lanes = std::int64_t{launch.tiles} * cells_per_tile;
    int side_by_side = static_cast<int>(std::clamp<std::int64_t>(
        layout_.threads / std::max<std::int64_t>(lanes, 1), 1, range.count));
    if (grouped(sum) && !ranks().alone()) side_by_side = range.count;  // all wait for their nodes
    const auto size = static_cast<std::size_t>(lanes) * static_cast<std::size_t>(side_by_side);
    // Means of cells that wait for nodes of other ranks outlast rays of walls.
    Means& means = grouped(sum) && !ranks().alone() ? open_means_ : means_;
    launch.means = means.now.at_least(size, memory_);
    const bool twice = is_correction(sum) || earlier_;
    double* other = twice ? means.other.at_least(size, memory_) : nullptr;
    ThinWork thin;
    if (grouped(sum)) thin = thin_work(some, range, side_by_side);
    for (int done = 0; done < range.count; done += side_by_side) {
      const auto before = static_cast<std::uint32_t>(done);
      launch.range = {range.first + before, std::min(side_by_side, range.count - done), range.rays,
                      range.first_ray + before * range.rays};
      NetLaunch second = launch;
      second.means = other;
      if (grouped(sum)) {
        if (launch.tiles > 0) queue_thick(launch, other);
        queue_nodes(launch, thin);
        if (ranks().alone()) {
          add_thin(launch, thin);
          if (earlier_) {
            earlier_->queue_nodes(second, thin);
            earlier_->add_thin(second, thin);
          }
          tally_thin(launch, thin, other, kept.device);
          continue;
        }
        thin_open_ = {launch, second, thin, {}};
        if (earlier_) {
          thin_open_->then = earlier_->thin_work(some, range, side_by_side);
          earlier_->queue_nodes(second, thin_open_->then);
        }
        continue;
      }
      if (is_correction(sum)) {
        queue(trace, second);
        queue(at_resolution(trace, one_level), launch);
      } else if (earlier_) {
        queue_both(trace, launch, second);
      } else {
        queue(trace, launch);
      }
      NetLauncher<Trace>::tally(trace, launch, other, kept.device, stream_);
    }
  }

  std::vector<double> sample_own(Sum sum, const Resolution& resolution, std::span<const int> tiles,
                                 const ReplicateRange& range) override {
    const auto count = static_cast<std::size_t>(range.count) * tiles.size() * cells_per_tile;
    const NetLaunch launch{static_cast<int>(tiles.size()), memory_.upload(tiles), range,
                           means_.now.at_least(count, memory_), totals_};
    if (of_cells(sum)) {
      queue(at_resolution(cells_, resolution), launch);
    } else {
      queue(at_resolution(walls_, resolution), launch);
    }
    std::vector<double> means(count);
    memory_.download(std::span(means), launch.means);
    stream_.wait();
    return means;
  }

  const CellTrace& same(const CellTrace&) const { return cells_; }
  const WallTrace& same(const WallTrace&) const { return walls_; }

  /// For the values of replicates, with those of the update before in it.
  void make_room(Sum sum, const ReplicateRange& range, Tallies& kept) {
    kept.carried = kept.origins * static_cast<std::size_t>(range.count);
    if (!before_) {
      kept.device.carried = memory_.zeros<double>(kept.carried);
      return;
    }
    const auto& values = of_cells(sum) ? before_->flux_divergence : before_->wall_flux;
    kept.device.carried = memory_.upload_for_change(std::span<const double>(values));
  }

  void fetch_carried(const Tallies& kept, std::vector<double>& values) {
    if (kept.carried == 0) return;
    PinnedArray<double> array(kept.carried);
    array.receive(kept.device.carried, stream_);
    stream_.wait();
    values.assign(array.values().begin(), array.values().end());
  }

  /// Null: all.
  const int* list(const Numbers& numbers) {
    if (numbers.all || numbers.some.empty()) return nullptr;
    return memory_.upload(std::span<const int>(numbers.some));
  }

  /// What replicates of thin points need.
  struct ThinWork {
    NodeLaunch nodes{};
    ThinParts* found = nullptr;
    double* totals = nullptr;
    const int* group_list = nullptr;
    int groups = 0;
  };

  ThinWork thin_work(const Tracing& some, const ReplicateRange& range, int side_by_side) {
    const std::size_t all = group_count(some.sum);
    const auto replicates = static_cast<std::size_t>(side_by_side);
    ThinWork work;
    work.groups = static_cast<int>(some.groups.count(all));
    work.group_list = list(some.groups);
    NodeLaunch& nodes = work.nodes;
    nodes.tiles = static_cast<int>(some.nodes.count(all));
    nodes.tile_list = list(some.nodes);
    nodes.totals = totals_;
    // Nodes are few: their rays are shared out among warps, so many for any layout and any ranks.
    const auto threads =
        static_cast<std::int64_t>(some.nodes_of_ranks) * cells_per_tile * range.count;
    const std::int64_t most = std::max<std::int64_t>(1, node_rays * std::int64_t{range.rays} / 32);
    nodes.shares = static_cast<int>(
        std::clamp<std::int64_t>(enough_threads / threads, 1, std::min<std::int64_t>(most, 8)));
    const auto in_tiles = static_cast<std::size_t>(nodes.tiles) * cells_per_tile;
    nodes.sums = node_sums_.at_least(in_tiles * replicates * static_cast<std::size_t>(nodes.shares),
                                     memory_);
    work.found =
        found_.at_least(static_cast<std::size_t>(thin_->view.node_count()) * replicates, memory_);
    work.totals = tile_totals_.at_least(tile_count(some.sum) * replicates, memory_);
    return work;
  }

  /// Thick points, in all fields.
  void queue_thick(const NetLaunch& launch, double* other) {
    if constexpr (may_have_nodes<CellTrace>) {
      if (!thin_->any_thick) return;
      queue_in_fields(*thick_segments_, earlier_ ? &*earlier_->thick_segments_ : nullptr, launch,
                      other);
    }
  }

  void queue_nodes(const NetLaunch& launch, ThinWork& work) {
    if constexpr (may_have_nodes<CellTrace>) {
      const ReplicateRange& range = launch.range;
      work.nodes.range = {range.first, range.count, node_rays * range.rays,
                          node_rays * range.first_ray};
      if (work.nodes.tiles == 0) return;
      node_segments_->queue_nodes(thin_->view, work.nodes, work.found, resolution_of(cells_),
                                  layout_.block, stream_);
    }
  }

  /// Behind thick points.
  void add_thin(const NetLaunch& launch, const ThinWork& work) {
    if constexpr (may_have_nodes<CellTrace>) {
      node_segments_->add_thin(thin_->view, work.found, launch, thin_->any_thick != 0, stream_);
    }
  }

  void share_nodes(const Tracing& some) override {
    if (!thin_open_) return;
    ThinOpen open = *std::exchange(thin_open_, {});
    share_found(some, open.now);
    if (earlier_) share_found(some, open.then);
    if (open.launch.tiles > 0) {
      add_thin(open.launch, open.now);
      if (earlier_) earlier_->add_thin(open.second, open.then);
      tally_thin(open.launch, open.now, open.second.means, sums(Sum::cells).device);
    }
    stream_.wait();
  }
  void share_found(const Tracing& some, const ThinWork& work) {
    const int replicates = work.nodes.range.count;
    const auto nodes_of_all = static_cast<std::size_t>(thin_->view.node_count());
    std::vector<ThinParts> found(nodes_of_all * static_cast<std::size_t>(replicates));
    memory_.download(std::span(found), work.found);
    stream_.wait();
    ReplicateTracer::share_found(some, replicates, thin_->view, found);
    memory_.overwrite(work.found, std::span<const ThinParts>(found));
  }

  void tally_thin(const NetLaunch& launch, const ThinWork& work, const double* other,
                  NetTallies tallies) {
    tallies.totals = work.totals;
    NetLauncher<CellTrace>::tally(cells_, launch, other, tallies, stream_);
    launch_group_tallies(nodes()->groups, work.group_list, work.groups, launch.range.count,
                         work.totals, tallies.tiles, stream_);
  }

  /// In both fields, at once where that can be.
  template <class Trace>
  void queue_both(const Trace& trace, const NetLaunch& launch, const NetLaunch& second) {
    if constexpr (std::is_same_v<Trace, CellTrace> && has_segments<CellTrace>) {
      if (segments_) {
        queue_in_fields(*segments_, &*earlier_->segments_, launch, second.means);
        return;
      }
    }
    queue(trace, launch);
    earlier_->queue(earlier_->same(trace), second);
  }

  /// `earlier`: may be null.
  void queue_in_fields(const Segments& now, const Segments* earlier, NetLaunch launch,
                       double* other) {
    const Resolution resolution = resolution_of(cells_);
    if constexpr (has_pairs<CellTrace>) {
      if (earlier && !cells_.march.roulette) {
        launch.earlier_means = other;
        now.queue_pair(*earlier, launch, resolution, layout_.block, stream_);
        return;
      }
    }
    now.queue(launch, resolution, layout_.block, stream_);
    if (!earlier) return;
    launch.means = other;
    earlier->queue(launch, resolution, layout_.block, stream_);
  }

  /// What nodes wait for that ranks have yet to tell each other.
  struct ThinOpen {
    NetLaunch launch;
    NetLaunch second;  ///< in the field before
    ThinWork now;
    ThinWork then;
  };

  template <class Trace>
  void queue(const Trace& trace, const NetLaunch& launch) {
    if constexpr (has_segments<CellTrace>) {
      if (segments_) {
        if constexpr (std::is_same_v<Trace, CellTrace>) {
          segments_->queue(launch, resolution_of(trace), layout_.block, stream_);
        } else {
          segments_->queue_walls(trace, launch, layout_.block, stream_);
        }
        return;
      }
    }
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

  /// Of replicates, and what they are compared with.
  struct Means {
    Scratch<double> now, other;
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
  std::optional<ThinTrace<CellTrace>> thin_;
  std::optional<Segments> thick_segments_, node_segments_;
  std::optional<ThinOpen> thin_open_;
  DeviceLayout layout_;
  const Stream& stream_;
  DeviceMemory& memory_;
  const ProgressCallback& progress_;
  RayTotals* totals_;
  PinnedArray<RayTotals> counts_{1};
  Means means_, open_means_;
  Scratch<double> tile_totals_;
  Scratch<NodeSums> node_sums_;
  Scratch<ThinParts> found_;
  Scratch<Estimate> estimates_;
  CellKinds kinds_{nullptr, nullptr};  ///< on the device
  std::array<Tallies, sum_count> sums_;
  bool carries_ = false;
  const History* before_ = nullptr;
  double keep_ = 0.0;
  const char* changed_starts_ = nullptr;  ///< on the device
  std::unique_ptr<DeviceReplicates> earlier_;
};

}  // namespace ermine
