#pragma once

#include <ermine/tracer.hpp>

#include "core/macros.hpp"
#include "core/ranks.hpp"
#include "geometry/tiles.hpp"
#include "transport/ray/resolution.hpp"
#include "transport/ray/tally.hpp"
#include "transport/run/gather.hpp"
#include "transport/run/history_parts.hpp"
#include "transport/scene/temperature_field.hpp"
#include "transport/thin/node_tiles.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ermine {

/// Rays of each replicate, where the options ask for so many in all.
inline std::uint32_t rays_per_replicate(std::int64_t rays, int replicates) {
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>((rays + replicates - 1) / replicates, 1, most_rays / replicates));
}

/// Replicates of wall face cells. They have fewer neighbours to share what they know of errors
/// with, and their rays are few. Where each has many, as few cells have, a GPU needs replicates to
/// be busy with.
inline int wall_replicates(const Options& options) {
  constexpr std::int64_t rays_of_net = 128;
  return std::max(options.replicates, static_cast<int>(std::clamp<std::int64_t>(
                                          options.rays_per_wall_face / rays_of_net, 8, 32)));
}

/// Rays of a net that are followed both with and without levels of detail.
inline std::uint32_t correction_rays(std::uint32_t rays) {
  return std::max<std::uint32_t>(rays / 16, 4);
}

/// So many nets of so many rays, for each origin.
struct ReplicateRange {
  std::uint32_t first;
  int count;
  std::uint32_t rays;
  std::uint32_t first_ray;  ///< in the rays' keys
};

/// What replicates are added up to. Corrections are what rays find without levels of detail, less
/// what they find with them.
enum class Sum { cells, cell_correction, walls, wall_correction };
inline constexpr int sum_count = 4;
inline bool is_correction(Sum sum) {
  return sum == Sum::cell_correction || sum == Sum::wall_correction;
}

/// The value of an origin in a replicate where updates are differences:
///   Q_n = q(T_n; x_n) + b (Q_{n-1} - q(T_{n-1}; x_n)),
/// found in both fields along the same rays x_n. If the mean of Q_{n-1} is right, so is that of
/// Q_n: what is carried on has no part in it. `keep` is b.
ERMINE_FUNCTION double carried_on(double now, double earlier, double before, double keep) {
  return now + keep * (before - earlier);
}

/// Some of so many, or all of them.
struct Numbers {
  bool all = true;
  std::vector<int> some = {};

  std::size_t count(std::size_t of_all) const { return all ? of_all : some.size(); }
  int operator[](std::size_t i) const { return all ? static_cast<int>(i) : some[i]; }

  /// Those of one of `parts` equal parts, in order.
  Numbers part(std::size_t of_all, int number, int parts) const {
    const IndexRange range = equal_part(count(of_all), number, parts);
    Numbers mine{false, {}};
    for (std::size_t i = range.begin; i < range.end; ++i) mine.some.push_back((*this)[i]);
    return mine;
  }
};

/// What is traced for a sum.
struct Tracing {
  Sum sum;
  Numbers tiles = {};
  // Where there are nodes:
  Numbers groups = {};             ///< whose tiles these are, whole and one after the other
  Numbers nodes = {};              ///< tiles of nodes
  std::size_t nodes_of_ranks = 0;  ///< such tiles that all ranks trace together
};
inline bool of_cells(Sum sum) { return sum == Sum::cells || sum == Sum::cell_correction; }

/// How ranks share out tiles: in equal parts, or each those of the cells that it owns.
struct TileShares {
  TileShares(Ranks& team, const TemperatureField& temperature) : ranks(team) {
    if (!temperature.complete()) owned = temperature.parts().owned;
  }

  Ranks& ranks;
  std::vector<Box> owned;  ///< by each rank, whole groups of tiles; empty: equal parts
};

/// Of all origins, and of all tiles or groups of tiles.
struct TallySpans {
  std::span<Tally> origins;
  std::span<Tally> tiles;
};

/// Traces replicates of the net, on whatever there is, and keeps the tallies of their means. Ranks
/// share out the tiles, and tell each other their tallies when someone asks for them: none of them
/// waits for another while rays are traced.
class ReplicateTracer {
 public:
  /// `nodes`: where rays of thin points start, if they do not in cells.
  ReplicateTracer(const CellTiles& cells, const WallTiles& walls, std::optional<NodeTiles> nodes,
                  const TileShares& shares)
      : cell_tiles_(cells), wall_tiles_(walls), nodes_(nodes), ranks_(shares.ranks) {
    if (shares.owned.empty()) return;
    groups_.tiles = cells;
    owner_.resize(static_cast<std::size_t>(groups_.count()));
    for (int group = 0; group < groups_.count(); ++group) {
      const Vec3<int> first = cells.grid.index(cells.at(groups_.tile(group, 0), 0));
      const Box cell{{first[0], first[1], first[2]}, {first[0] + 1, first[1] + 1, first[2] + 1}};
      int& owner = owner_[static_cast<std::size_t>(group)];
      while (!shares.owned[static_cast<std::size_t>(owner)].contains(cell)) ++owner;
    }
  }
  virtual ~ReplicateTracer() = default;

  /// Adds so many new nets of so many rays to a sum; may return before it is done.
  /// `tiles`: those to trace; all if empty. Each of a tile's origins gets all of the nets.
  void trace(Sum sum, int replicates, std::uint32_t rays, std::span<const int> tiles = {}) {
    const std::size_t all = tile_count(sum);
    if (all == 0) return;
    settle(sum);
    Tracing some{sum};
    if (!tiles.empty()) {
      some.tiles = {false, {tiles.begin(), tiles.end()}};
      if (grouped(sum)) {
        some.groups = {false, nodes_->groups_of(tiles)};
        some.tiles.some = nodes_->whole_groups(some.groups.some);
        some.nodes = {false, nodes_->around(some.groups.some)};
      }
    }
    some.nodes_of_ranks = some.nodes.count(group_count(sum));
    Used& used = used_[of_cells(sum) ? 0 : 1];
    used.mean += rays_of_origin(some) * replicates * static_cast<double>(rays);
    known_[static_cast<std::size_t>(sum)] = {};
    trace(part_of(some, ranks_.rank()),
          {used.replicates, replicates, rays, static_cast<std::uint32_t>(used.rays)});
    if (!ranks_.alone()) open_[static_cast<std::size_t>(sum)] = std::move(some);
    used.replicates += static_cast<std::uint32_t>(replicates);
    used.rays += std::int64_t{replicates} * rays;
  }
  /// For those who want to know how long it takes: rays of cells of some groups without those of
  /// nodes around them, or the other way round. What they add up to means nothing.
  enum class Starts { cells, nodes };
  void trace_only(Starts starts, int replicates, std::uint32_t rays, std::span<const int> groups) {
    const Numbers none{false, {}};
    const Numbers some{false, {groups.begin(), groups.end()}};
    Tracing half{Sum::cells, none, none, none, 0};
    if (starts == Starts::cells) {
      half.groups = some;
      half.tiles.some = nodes_->whole_groups(some.some);
    } else {
      half.nodes = some;
    }
    known_[static_cast<std::size_t>(Sum::cells)] = {};
    trace(half, {used_[0].replicates, replicates, rays, static_cast<std::uint32_t>(used_[0].rays)});
  }
  /// How finely rays see the field from now on; at first as the tracers have it.
  virtual void set_resolution(const Resolution& cells, const Resolution& walls) = 0;

  /// Means of nets of some tiles, each net of so many rays, number (replicate * tiles + tile) *
  /// cells_per_tile + lane; 0 beyond the grid. They belong to no sum: the same rays come at every
  /// call, and no other ones have their random numbers. All points start in cells.
  std::vector<double> sample(Sum sum, const Resolution& resolution, std::span<const int> tiles,
                             int replicates, std::uint32_t rays) {
    // Far from those that sums have.
    const ReplicateRange range{0x80000000u, replicates, rays, 0xF0000000u};
    const IndexRange mine = equal_part(tiles.size(), ranks_.rank(), ranks_.size());
    const std::vector<double> own =
        mine.count() > 0
            ? sample_own(sum, resolution, tiles.subspan(mine.begin, mine.count()), range)
            : std::vector<double>{};
    if (ranks_.alone()) return own;
    const auto parts = gather(ranks_, std::span<const double>(own));
    std::vector<double> all;
    all.reserve(tiles.size() * static_cast<std::size_t>(replicates) * cells_per_tile);
    for (int r = 0; r < replicates; ++r) {
      for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        const std::size_t each = parts[rank].size() / static_cast<std::size_t>(replicates);
        const auto of_replicate = parts[rank].subspan(static_cast<std::size_t>(r) * each, each);
        all.insert(all.end(), of_replicate.begin(), of_replicate.end());
      }
    }
    return all;
  }

  /// Rays that have not been used of the 2^32 which an origin can number.
  std::int64_t rays_left(Sum sum) const {
    const std::int64_t most = of_cells(sum) && nodes_ ? most_rays / node_rays : most_rays;
    return most - used_[of_cells(sum) ? 0 : 1].rays;
  }
  /// Rays traced so far, mean over all cells or wall face cells.
  double rays_of_cells() const { return used_[0].mean; }
  double rays_of_walls() const { return used_[1].mean; }

  /// Forgets what was added.
  void clear(Sum sum) {
    known_[static_cast<std::size_t>(sum)] = {};
    open_[static_cast<std::size_t>(sum)] = {};
    clear_tallies(sum);
  }

  /// What cells emit [W/m3] and how their rays start (see CellKinds), for error bars. Both stay
  /// with the caller, and are known in full when estimates are asked for.
  void set_kinds(std::span<const double> emission, std::span<const char> starts) {
    emission_ = emission;
    starts_ = starts;
  }

  /// Of each origin, cells or wall face cells. Few replicates tell little of the variance of one
  /// origin: see pooled_estimate().
  std::span<const Estimate> origins(Sum sum) {
    settle(sum);
    auto& known = known_[static_cast<std::size_t>(sum)].origins;
    if (!known) known = estimate_origins(sum);
    return *known;
  }
  /// Variance of each origin from its own replicates alone, not pooled with those of neighbours.
  std::vector<double> own_variances(Sum sum) {
    settle(sum);
    const TallySpans kept = take_tallies(sum);
    std::vector<double> variances(kept.origins.size());
    std::transform(kept.origins.begin(), kept.origins.end(), variances.begin(),
                   [](const Tally& tally) { return tally.variance(); });
    return variances;
  }
  /// Of the origins of each tile, or group of tiles, which are not independent of each other, times
  /// their sizes [W].
  std::span<const Estimate> tiles(Sum sum) {
    settle(sum);
    auto& known = known_[static_cast<std::size_t>(sum)].tiles;
    if (!known) known = estimate_tiles(sum);
    return *known;
  }

  /// Tells whoever watches the run how far it has come: error of Q over its root mean square.
  virtual void report(double relative_error) = 0;

  /// Of all traced.
  RayCounts counts() { return of_all_ranks(own_counts(), false, ranks_).first; }
  /// Leaves the replicates of this update, of what this rank has traced, to the next one; after
  /// carry() only.
  virtual void leave(History& after) = 0;
  /// Too many rays were lost.
  bool hopeless() { return of_all_ranks(RayCounts{}, own_hopeless(), ranks_).second; }
  /// The latest of all ranks' clocks, so that they agree on what there is time for.
  double latest(double seconds) {
    double latest = seconds;
    for (const double of_rank : gather_one(ranks_, seconds)) latest = std::max(latest, of_rank);
    return latest;
  }
  std::size_t tile_count(Sum sum) const {
    return static_cast<std::size_t>(of_cells(sum) ? cell_tiles_.count() : wall_tiles_.count());
  }
  std::size_t wall_tiles_of(Face face) const {
    return static_cast<std::size_t>(wall_tiles_.tiles_of(static_cast<int>(face)));
  }
  /// Whether cells have nodes in common with those of other tiles: then only groups of tiles are
  /// independent of each other.
  bool grouped(Sum sum) const { return sum == Sum::cells && nodes_; }
  std::size_t group_count(Sum sum) const {
    return grouped(sum) ? static_cast<std::size_t>(nodes_->groups.count()) : tile_count(sum);
  }
  /// The tile, or one of a group of them.
  int tile_of_group(Sum sum, std::size_t group) const {
    const int number = static_cast<int>(group);
    return grouped(sum) ? nodes_->groups.tile(number, 0) : number;
  }
  /// Rays that are traced for one of each origin, mean over them.
  double rays_for_one(Sum sum) const { return rays_of_origin({sum}); }
  /// Calls visit(origin) for each origin of a tile or group of tiles.
  template <class Visit>
  void each_of_group(Sum sum, std::size_t group, const Visit& visit) const {
    const int number = static_cast<int>(group);
    for (int member = 0; member < (grouped(sum) ? TileGroups::tiles_per_group : 1); ++member) {
      const int tile = grouped(sum) ? nodes_->groups.tile(number, member) : number;
      for (int lane = 0; tile >= 0 && lane < cells_per_tile; ++lane) {
        const int found = origin(sum, tile, lane);
        if (found >= 0) visit(found);
      }
    }
  }
  /// Number `lane` of the origins of a tile; negative: beyond the last one.
  int origin(Sum sum, int tile, int lane) const {
    return of_cells(sum) ? cell_tiles_.at(tile, lane).value : wall_tiles_.at(tile, lane).value;
  }
  /// Estimates of the origins of a tile.
  std::vector<Estimate> of_tile(Sum sum, std::size_t tile) {
    const auto estimates = origins(sum);
    std::vector<Estimate> found;
    for (int lane = 0; lane < cells_per_tile; ++lane) {
      const int i = origin(sum, static_cast<int>(tile), lane);
      if (i >= 0) found.push_back(estimates[static_cast<std::size_t>(i)]);
    }
    return found;
  }

 protected:
  const std::optional<NodeTiles>& nodes() const { return nodes_; }
  Ranks& ranks() const { return ranks_; }
  std::span<const double> emission() const { return emission_; }
  std::span<const char> starts() const { return starts_; }

  /// Tells all ranks what each has found at nodes, of so many replicates: replicate * nodes + node.
  void share_found(const Tracing& some, int replicates, const ThinView& view,
                   std::span<ThinParts> found) {
    tell_all<ThinParts>(ranks_, [&](int rank, const auto& visit) {
      const Numbers mine = part_of(some, rank).nodes;
      for (int r = 0; r < replicates; ++r) {
        ThinParts* const of_replicate = found.data() + std::ptrdiff_t{r} * view.node_count();
        for (const int tile : mine.some) {
          for (int lane = 0; lane < cells_per_tile; ++lane) {
            const CellId node = view.tiles().at(tile, lane);
            if (node.value < 0) continue;
            visit(of_replicate[node.value]);
          }
        }
      }
    });
  }

  /// What a rank traces of something.
  Tracing part_of(const Tracing& some, int rank) const {
    if (ranks_.alone()) return some;
    const auto part = [&](const Numbers& numbers, std::size_t of_all, const auto& group_of) {
      if (owner_.empty()) return numbers.part(of_all, rank, ranks_.size());
      Numbers mine{false, {}};
      for (std::size_t i = 0; i < numbers.count(of_all); ++i) {
        const int number = numbers[i];
        if (owner_[static_cast<std::size_t>(group_of(number))] == rank) mine.some.push_back(number);
      }
      return mine;
    };
    const auto itself = [](int group) { return group; };
    Tracing mine{some.sum};
    if (keeps_groups_ && of_cells(some.sum) && !grouped(some.sum)) {
      mine.tiles = {false, cells_of_rank(TileGroups{cell_tiles_}, rank, ranks_.size())};
      return mine;
    }
    if (!grouped(some.sum)) {
      mine.tiles = part(some.tiles, tile_count(some.sum), [&](int tile) {
        return of_cells(some.sum) ? groups_.group_of(tile)
                                  : groups_.group_at(wall_tiles_.beside(tile));
      });
      return mine;
    }
    mine.groups = part(some.groups, group_count(some.sum), itself);
    mine.tiles = {false, nodes_->whole_groups(mine.groups.some)};
    // Those of nodes are numbered as the groups whose cells they lie between.
    mine.nodes = part(some.nodes, group_count(some.sum), itself);
    mine.nodes_of_ranks = some.nodes_of_ranks;
    return mine;
  }
  /// From now on rays of cells and walls are followed in two fields.
  void count_twice() { fields_ = 2; }
  /// Ranks have the same cells whether there are nodes or not: what they carry on from one update
  /// to the next is theirs alone.
  void keep_groups() { keeps_groups_ = true; }

 private:
  /// Traced for one that is asked for, mean over all origins.
  double rays_of_origin(const Tracing& some) const {
    const auto share = [](const Numbers& numbers, std::size_t all) {
      return static_cast<double>(numbers.count(all)) / static_cast<double>(all);
    };
    const double of_tiles = share(some.tiles, tile_count(some.sum));
    if (is_correction(some.sum)) return 2 * of_tiles;
    if (!grouped(some.sum)) return fields_ * of_tiles;
    constexpr double nodes_per_cell = 1.0 / 8;
    return fields_ * ((nodes_->any_thick ? of_tiles : 0.0) +
                      node_rays * nodes_per_cell * share(some.nodes, group_count(some.sum)));
  }

  /// Tells all ranks what each has traced.
  void settle(Sum sum) {
    auto& open = open_[static_cast<std::size_t>(sum)];
    if (!open) return;
    const Tracing some = std::move(*open);
    open.reset();
    if (grouped(sum)) share_nodes(some);
    const TallySpans kept = take_tallies(sum);
    tell_all<Tally>(ranks_,
                    [&](int rank, const auto& visit) { each_tally(some, rank, kept, visit); });
    put_tallies(sum);
  }

  /// Of what a rank has traced.
  template <class Visit>
  void each_tally(const Tracing& some, int rank, const TallySpans& kept, const Visit& visit) const {
    const Tracing part = part_of(some, rank);
    for (const int tile : part.tiles.some) {
      for (int lane = 0; lane < cells_per_tile; ++lane) {
        const int i = origin(some.sum, tile, lane);
        if (i >= 0) visit(kept.origins[static_cast<std::size_t>(i)]);
      }
    }
    for (const int i : grouped(some.sum) ? part.groups.some : part.tiles.some) {
      visit(kept.tiles[static_cast<std::size_t>(i)]);
    }
  }

  virtual void trace(const Tracing& some, const ReplicateRange& range) = 0;
  virtual std::vector<double> sample_own(Sum sum, const Resolution& resolution,
                                         std::span<const int> tiles,
                                         const ReplicateRange& range) = 0;
  virtual void clear_tallies(Sum sum) = 0;
  /// All of a sum, on the host, to be changed there and put back.
  virtual TallySpans take_tallies(Sum sum) = 0;
  virtual void put_tallies(Sum sum) = 0;
  /// Tells all ranks what was found at the nodes that each has traced, and goes on with cells.
  virtual void share_nodes(const Tracing& some) = 0;
  /// Of this rank.
  virtual RayCounts own_counts() = 0;
  virtual bool own_hopeless() = 0;
  virtual std::span<const Estimate> estimate_origins(Sum sum) = 0;
  virtual std::span<const Estimate> estimate_tiles(Sum sum) = 0;

  /// Until more is traced they stay as they are, and need not come from a GPU again.
  struct Known {
    std::optional<std::span<const Estimate>> origins;
    std::optional<std::span<const Estimate>> tiles;
  };
  Known known_[sum_count];
  CellTiles cell_tiles_;
  WallTiles wall_tiles_;
  std::optional<NodeTiles> nodes_;
  Ranks& ranks_;
  TileGroups groups_{};
  std::vector<int> owner_;                  ///< rank of each group; empty: equal parts
  std::optional<Tracing> open_[sum_count];  ///< traced by all, known to each its part

  /// Numbers of nets and rays, of cells or walls, are used once: no two rays share random numbers.
  struct Used {
    std::uint32_t replicates = 0;
    std::int64_t rays = 0;
    double mean = 0.0;  ///< over all origins, those followed twice counted twice
  };
  Used used_[2];
  std::span<const double> emission_;
  std::span<const char> starts_;  ///< empty: all alike
  int fields_ = 1;
  bool keeps_groups_ = false;
};

}  // namespace ermine
