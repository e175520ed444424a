#pragma once

#include "geometry/tiles.hpp"
#include "transport/net/pooled_errors.hpp"
#include "transport/net/replicates.hpp"
#include "transport/ray/tally.hpp"
#include "transport/ray/tile_lanes.hpp"
#include "transport/ray/trace_batch.hpp"
#include "transport/run/run_monitor.hpp"
#include "transport/thin/node_segments.hpp"
#include "transport/thin/thin_trace.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ermine {

/// Replicates on the threads of the CPU, OpenMP over tiles. One thread owns the tallies of a tile:
/// the answer does not depend on the number of threads.
template <class CellTrace, class WallTrace>
class HostReplicates : public ReplicateTracer {
  using Lanes = typename TileLanesFor<CellTrace>::Type;
  using Nodes = NodeSegments<CellTrace>;

 public:
  /// `thin`: the way in which thin points are traced, if not from cells.
  HostReplicates(const CellTrace& cells, const WallTrace& walls,
                 const std::optional<ThinTrace<CellTrace>>& thin, Instructions instructions,
                 int threads, RunMonitor& monitor, const TileShares& shares)
      : ReplicateTracer(cells.tiles(), walls.tiles(), node_tiles(thin), shares),
        cells_(cells),
        walls_(walls),
        thin_(thin),
        lanes_(Lanes::make(cells, instructions, threads)),
        threads_(threads),
        monitor_(monitor) {
    if constexpr (may_have_nodes<CellTrace>) {
      if (thin_ && !lanes_) node_segments_ = std::make_unique<Nodes>(*thin_, threads);
    }
  }

  /// Updates are differences: this one goes on from `before` (null: there is nothing), but for what
  /// is forgotten of it, and anew in cells whose starts have changed (see changed_starts()).
  void carry(const History* before, double keep, std::span<const char> changed_starts) {
    before_ = before;
    keep_ = keep;
    changed_starts_ = changed_starts;
    carries_ = true;
    keep_groups();
  }
  /// The same rays in the field before.
  void follow_in(std::unique_ptr<HostReplicates> earlier) {
    earlier_ = std::move(earlier);
    count_twice();
  }
  void set_resolution(const Resolution& cells, const Resolution& walls) override {
    cells_ = at_resolution(cells_, cells);
    walls_ = at_resolution(walls_, walls);
    if constexpr (may_have_nodes<CellTrace>) {
      if (thin_) {
        thin_->thick = at_resolution(thin_->thick, cells);
        thin_->nodes = at_resolution(thin_->nodes, cells);
      }
      if (node_segments_) node_segments_->set_resolution(cells);
    }
    if (earlier_) earlier_->set_resolution(cells, walls);
  }
  void leave(History& after) override {
    after.flux_divergence = std::move(carried_.flux_divergence);
    after.wall_flux = std::move(carried_.wall_flux);
  }

  void report(double relative_error) override {
    monitor_.set_relative_error(relative_error);
    monitor_.report();
  }

 private:
  RayCounts own_counts() override { return monitor_.counts(); }
  bool own_hopeless() override { return monitor_.hopeless(); }
  void clear_tallies(Sum sum) override {
    sums(sum) = {};
    if (grouped(sum)) thin_open_ = {};
  }

  TallySpans take_tallies(Sum sum) override {
    Tallies& kept = of_cells(sum) ? room(cells_, sum) : room(walls_, sum);
    return {kept.origins, kept.tiles};
  }
  void put_tallies(Sum) override {}

  std::span<const Estimate> estimate_origins(Sum sum) override {
    return of_cells(sum) ? pooled(cells_, sums(sum), {emission().data(), starts().data()})
                         : pooled(walls_, sums(sum), {nullptr, nullptr});
  }
  std::span<const Estimate> estimate_tiles(Sum sum) override {
    Tallies& kept = sums(sum);
    kept.of_tiles.resize(kept.tiles.size());
    std::transform(kept.tiles.begin(), kept.tiles.end(), kept.of_tiles.begin(),
                   [](const Tally& tally) { return tally.estimate(); });
    return kept.of_tiles;
  }

  void trace(const Tracing& some, const ReplicateRange& range) override {
    if constexpr (may_have_nodes<CellTrace>) {
      if (grouped(some.sum)) return trace_thin(some, range);
    }
    if (of_cells(some.sum)) {
      trace(cells_, some, range);
    } else {
      trace(walls_, some, range);
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
  std::span<const Estimate> pooled(const Trace& trace, Tallies& kept,
                                   const CellKinds& kinds) const {
    kept.of_origins.resize(kept.origins.size());
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t i = 0; i < kept.origins.size(); ++i) {
      const typename Trace::Origin origin{static_cast<int>(i)};
      kept.of_origins[i] = pooled_estimate(trace, kept.origins.data(), kinds, origin);
    }
    return kept.of_origins;
  }

  /// Of a sum, with room for all.
  template <class Trace>
  Tallies& room(const Trace& trace, Sum sum) {
    Tallies& tallies = sums(sum);
    tallies.origins.resize(static_cast<std::size_t>(trace.origin_count()));
    tallies.tiles.resize(group_count(sum));
    return tallies;
  }

  /// Calls visit(number) for those of a list, or for so many if it is empty, on all threads.
  template <class Visit>
  void for_each(const Numbers& numbers, std::size_t all, const Visit& visit) {
    const int count = static_cast<int>(numbers.count(all));
    // Blocks, the first ones small: see run_batches(). A few are one block: threads that wait for
    // each other again and again would take longer than the rays.
    constexpr int few = 64;
    int block = count > few ? threads_ : few;
    for (int begin = 0, end = 0; begin < count && !monitor_.hopeless(); begin = end) {
      end = std::min(begin + block, count);
      block = std::min(2 * block, 4096);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_)
      for (int i = begin; i < end; ++i) {
        const bool started_the_run = omp_get_thread_num() == 0;
        const WatchScope watched(monitor_.watch(started_the_run));
        if (!monitor_.cancelled()) visit(numbers[static_cast<std::size_t>(i)]);
        if (started_the_run) monitor_.report();
      }
    }
  }

  static Replicate replicate_of(const ReplicateRange& range, int r) {
    const auto number = static_cast<std::uint32_t>(r);
    return {range.first + number, range.rays, range.first_ray + number * range.rays};
  }

  template <class Trace>
  void trace(const Trace& trace, const Tracing& some, const ReplicateRange& range) {
    Tallies& tallies = room(trace, some.sum);
    const bool correction = is_correction(some.sum);
    if (carries_ && !correction) make_room(trace, range);
    const Trace single = at_resolution(trace, one_level);
    for_each(some.tiles, tile_count(some.sum), [&](int tile) {
      for (int r = 0; r < range.count && !monitor_.cancelled(); ++r) {
        const Replicate replicate = replicate_of(range, r);
        TileMeans means = trace_tile(correction ? single : trace, tile, replicate);
        if (correction) {
          means.subtract(trace_tile(trace, tile, replicate));
        } else if (carries_) {
          TileMeans then;
          if (earlier_) then = earlier_->trace_tile(earlier_->same(trace), tile, replicate);
          carry_on(trace, tile, replicate, then, means);
        }
        tallies.tiles[static_cast<std::size_t>(tile)].add(add(trace, tile, means, tallies));
      }
    });
  }

  std::vector<double> sample_own(Sum sum, const Resolution& resolution, std::span<const int> tiles,
                                 const ReplicateRange& range) override {
    return of_cells(sum) ? sample(at_resolution(cells_, resolution), tiles, range)
                         : sample(at_resolution(walls_, resolution), tiles, range);
  }

  template <class Trace>
  std::vector<double> sample(const Trace& trace, std::span<const int> tiles,
                             const ReplicateRange& range) {
    const std::size_t of_replicate = tiles.size() * cells_per_tile;
    std::vector<double> means(static_cast<std::size_t>(range.count) * of_replicate);
    const Numbers slots{true, {}};
    for_each(slots, tiles.size(), [&](int slot) {
      const auto at = static_cast<std::size_t>(slot);
      for (int r = 0; r < range.count && !monitor_.cancelled(); ++r) {
        const TileMeans of_tile = trace_tile(trace, tiles[at], replicate_of(range, r));
        const std::size_t first = static_cast<std::size_t>(r) * of_replicate + at * cells_per_tile;
        std::copy(of_tile.of_lane.begin(), of_tile.of_lane.end(),
                  means.begin() + static_cast<std::ptrdiff_t>(first));
      }
    });
    return means;
  }

  using Found = std::vector<ThinParts>;  ///< at all nodes

  /// The same in the field and, where rays are followed in both, in that before.
  template <class T>
  struct InFields {
    T now;
    T then;
  };

  /// Nodes first, then cells with what was found there; among ranks, when they have told each
  /// other.
  void trace_thin(const Tracing& some, const ReplicateRange& range) {
    room(cells_, some.sum);
    if (carries_) make_room(cells_, range);
    const std::size_t all = group_count(some.sum);
    const auto nodes_of_all = static_cast<std::size_t>(thin_->view.node_count());
    InFields<Found> found{Found(nodes_of_all), Found(earlier_ ? nodes_of_all : 0)};
    for (int r = 0; r < range.count; ++r) {
      const Replicate replicate = replicate_of(range, r);
      const Replicate of_nodes{replicate.number, node_rays * replicate.rays,
                               node_rays * replicate.first_ray};
      for_each(some.nodes, all, [&](int tile) {
        trace_nodes(tile, of_nodes, found.now);
        if (earlier_) earlier_->trace_nodes(tile, of_nodes, found.then);
      });
      const auto thick_of = [&](int group) {
        InFields<GroupMeans> means{thick_means(group, replicate), {}};
        if (earlier_) means.then = earlier_->thick_means(group, replicate);
        return means;
      };
      if (ranks().alone()) {
        for_each(some.groups, all,
                 [&](int group) { tally_group(group, replicate, thick_of(group), found); });
        continue;
      }
      std::vector<InFields<GroupMeans>> thick(some.groups.some.size());
      std::vector<int> place(all);
      for (std::size_t i = 0; i < thick.size(); ++i) {
        place[static_cast<std::size_t>(some.groups.some[i])] = static_cast<int>(i);
      }
      for_each(some.groups, all, [&](int group) {
        thick[static_cast<std::size_t>(place[static_cast<std::size_t>(group)])] = thick_of(group);
      });
      thin_open_.push_back({replicate, found, std::move(thick)});
    }
  }

  void share_nodes(const Tracing& some) override {
    if constexpr (may_have_nodes<CellTrace>) {
      const std::vector<int> own = part_of(some, ranks().rank()).groups.some;
      for (ThinOpen& open : std::exchange(thin_open_, {})) {
        share_found(some, 1, thin_->view, open.found.now);
        if (earlier_) share_found(some, 1, thin_->view, open.found.then);
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (std::size_t i = 0; i < own.size(); ++i) {
          tally_group(own[i], open.replicate, open.thick[i], open.found);
        }
      }
    }
  }

  void trace_nodes(int tile, const Replicate& replicate, Found& found) {
    const ThinView& view = thin_->view;
    LaneScores scores{};
    if (lanes_) {
      scores = (*lanes_)(thin_->nodes.rays, view, tile, replicate, resolution_of(thin_->nodes));
    }
    RayCounts counts{scores.traced, scores.lost, scores.crossings};
    int nodes = 0;
    for (int lane = 0; lane < cells_per_tile; ++lane) {
      const CellId node = view.tiles().at(tile, lane);
      if (node.value < 0) continue;
      NodeScore score;
      if (lanes_) {
        for (int m = 0; m < thin_parts; ++m) score.sum[m] = scores.part[m][nodes];
      } else {
        score = (*node_segments_)(node, tile, replicate);
        counts.traced += score.counts.traced;
        counts.lost += score.counts.lost;
        counts.crossings += score.counts.crossings;
      }
      if (scores.gave_up || score.gave_up) monitor_.give_up();
      found[static_cast<std::size_t>(node.value)] =
          view.found(node.value, score.sum, replicate.rays);
      ++nodes;
    }
    monitor_.add(std::int64_t{replicate.rays} * nodes, counts);
  }

  struct TileMeans {
    std::array<double, cells_per_tile> of_lane{};

    void subtract(const TileMeans& other) {
      for (std::size_t i = 0; i < of_lane.size(); ++i) of_lane[i] -= other.of_lane[i];
    }
  };

  using GroupMeans = std::array<TileMeans, TileGroups::tiles_per_group>;

  GroupMeans thick_means(int group, const Replicate& replicate) {
    GroupMeans means;
    for (int member = 0; member < TileGroups::tiles_per_group; ++member) {
      const int tile = nodes()->groups.tile(group, member);
      if (tile < 0 || !thin_->any_thick) continue;
      means[static_cast<std::size_t>(member)] = trace_tile(thin_->thick, tile, replicate);
    }
    return means;
  }

  void tally_group(int group, const Replicate& replicate, InFields<GroupMeans> means,
                   const InFields<Found>& found) {
    Tallies& tallies = sums(Sum::cells);
    double total = 0.0;
    for (int member = 0; member < TileGroups::tiles_per_group; ++member) {
      const int tile = nodes()->groups.tile(group, member);
      if (tile < 0) continue;
      TileMeans& now = means.now[static_cast<std::size_t>(member)];
      TileMeans& then = means.then[static_cast<std::size_t>(member)];
      add_thin(tile, found.now, now);
      if (earlier_) earlier_->add_thin(tile, found.then, then);
      if (carries_) carry_on(cells_, tile, replicate, then, now);
      total += add(cells_, tile, now, tallies);
    }
    tallies.tiles[static_cast<std::size_t>(group)].add(total);
  }

  void add_thin(int tile, const Found& found, TileMeans& means) const {
    const auto& march = cells_.march;
    for (int lane = 0; lane < cells_per_tile; ++lane) {
      const CellId cell = cells_.tiles().at(tile, lane);
      if (cell.value < 0) continue;
      const auto gas = thin_state(march.medium, cell, march.coordinate[cell]);
      means.of_lane[static_cast<std::size_t>(lane)] +=
          static_cast<double>(thin_->view(march.grid.finest.index(cell), gas, found.data()));
    }
  }

  template <class Trace>
  TileMeans trace_tile(const Trace& trace, int tile, const Replicate& replicate) {
    if (lanes_) return trace_lanes(trace, tile, replicate);
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

  template <class Trace>
  TileMeans trace_lanes(const Trace& trace, int tile, const Replicate& replicate) {
    LaneScores scores;
    if constexpr (std::is_same_v<Trace, CellTrace>) {
      scores = (*lanes_)(trace.rays, tile, replicate, resolution_of(trace));
    } else {
      scores = lanes_->of_walls(trace, tile, replicate, resolution_of(trace));
    }
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

  /// Adds the means of a tile to the tallies of its origins; returns their total [W].
  template <class Trace>
  static double add(const Trace& trace, int tile, const TileMeans& means, Tallies& tallies) {
    double total = 0.0;
    for (int lane = 0; lane < cells_per_tile; ++lane) {
      const auto origin = trace.tiles().at(tile, lane);
      if (origin.value < 0) continue;
      const double mean = means.of_lane[static_cast<std::size_t>(lane)];
      tallies.origins[static_cast<std::size_t>(origin.value)].add(mean);
      total += mean * static_cast<double>(trace.size(origin));
    }
    return total;
  }

  const CellTrace& same(const CellTrace&) const { return cells_; }
  const WallTrace& same(const WallTrace&) const { return walls_; }

  static std::vector<double>& carried(History& of, const CellTrace&) { return of.flux_divergence; }
  static std::vector<double>& carried(History& of, const WallTrace&) { return of.wall_flux; }
  static const std::vector<double>& carried(const History& of, const CellTrace&) {
    return of.flux_divergence;
  }
  static const std::vector<double>& carried(const History& of, const WallTrace&) {
    return of.wall_flux;
  }

  bool starts_changed(const CellTrace&, int cell) const {
    return !changed_starts_.empty() && changed_starts_[static_cast<std::size_t>(cell)] != 0;
  }
  static bool starts_changed(const WallTrace&, int) { return false; }

  template <class Trace>
  void make_room(const Trace& trace, const ReplicateRange& range) {
    const auto origins = static_cast<std::size_t>(trace.origin_count());
    carried(carried_, trace)
        .resize((range.first + static_cast<std::size_t>(range.count)) * origins);
  }

  /// From means in both fields to those of the update.
  template <class Trace>
  void carry_on(const Trace& trace, int tile, const Replicate& replicate, const TileMeans& then,
                TileMeans& means) {
    const auto origins = static_cast<std::size_t>(trace.origin_count());
    for (std::size_t lane = 0; lane < means.of_lane.size(); ++lane) {
      const int origin = trace.tiles().at(tile, static_cast<int>(lane)).value;
      if (origin < 0) continue;
      const std::size_t at = replicate.number * origins + static_cast<std::size_t>(origin);
      double& mean = means.of_lane[lane];
      if (before_) {
        const double keep = starts_changed(trace, origin) ? 0.0 : keep_;
        mean = carried_on(mean, then.of_lane[lane], carried(*before_, trace)[at], keep);
      }
      carried(carried_, trace)[at] = mean;
    }
  }

  CellTrace cells_;
  WallTrace walls_;
  std::optional<ThinTrace<CellTrace>> thin_;
  std::unique_ptr<Lanes> lanes_;  ///< null: rays are traced one by one
  std::unique_ptr<Nodes> node_segments_;
  /// Of each replicate traced among ranks: what was found at nodes, and in thick points of groups.
  struct ThinOpen {
    Replicate replicate;
    InFields<Found> found;
    std::vector<InFields<GroupMeans>> thick;
  };
  std::vector<ThinOpen> thin_open_;
  int threads_;
  RunMonitor& monitor_;
  std::array<Tallies, sum_count> sums_;
  bool carries_ = false;
  const History* before_ = nullptr;
  double keep_ = 0.0;
  std::span<const char> changed_starts_;
  History carried_;  ///< without temperature
  std::unique_ptr<HostReplicates> earlier_;
};

}  // namespace ermine
