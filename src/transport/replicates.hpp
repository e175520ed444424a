#pragma once

#include <ermine/tracer.hpp>

#include "geometry/tiles.hpp"
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
/// with, and their rays are few.
inline int wall_replicates(const Options& options) { return std::max(options.replicates, 8); }

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

/// What is traced for a sum. Lists of numbers, empty: all.
struct Tracing {
  Sum sum;
  std::vector<int> tiles;
  // Where there are nodes:
  std::vector<int> groups;  ///< whose tiles these are, whole and one after the other
  std::vector<int> nodes;   ///< tiles of nodes
};
inline bool of_cells(Sum sum) { return sum == Sum::cells || sum == Sum::cell_correction; }

/// Traces replicates of the net, on whatever there is, and keeps the tallies of their means.
class ReplicateTracer {
 public:
  /// `nodes`: where rays of thin points start, if they do not in cells.
  ReplicateTracer(const CellTiles& cells, const WallTiles& walls, std::optional<NodeTiles> nodes)
      : cell_tiles_(cells), wall_tiles_(walls), nodes_(nodes) {}
  virtual ~ReplicateTracer() = default;

  /// Adds so many new nets of so many rays to a sum; may return before it is done.
  /// `tiles`: those to trace; all if empty. Each of a tile's origins gets all of the nets.
  void trace(Sum sum, int replicates, std::uint32_t rays, std::span<const int> tiles = {}) {
    const std::size_t all = tile_count(sum);
    if (all == 0) return;
    Tracing some{sum, {}, {}, {}};
    if (grouped(sum) && !tiles.empty()) {
      some.groups = nodes_->groups_of(tiles);
      some.tiles = nodes_->whole_groups(some.groups);
      some.nodes = nodes_->around(some.groups);
    } else {
      some.tiles.assign(tiles.begin(), tiles.end());
    }
    Used& used = used_[of_cells(sum) ? 0 : 1];
    used.mean += rays_of_origin(some) * replicates * static_cast<double>(rays);
    known_[static_cast<std::size_t>(sum)] = {};
    trace(some, {used.replicates, replicates, rays, static_cast<std::uint32_t>(used.rays)});
    used.replicates += static_cast<std::uint32_t>(replicates);
    used.rays += std::int64_t{replicates} * rays;
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
    clear_tallies(sum);
  }

  /// Of each origin, cells or wall face cells. Few replicates tell little of the variance of one
  /// origin: see pooled_variance().
  std::span<const Estimate> origins(Sum sum) {
    auto& known = known_[static_cast<std::size_t>(sum)].origins;
    if (!known) known = estimate_origins(sum);
    return *known;
  }
  /// Of the origins of each tile, or group of tiles, which are not independent of each other, times
  /// their sizes [W].
  std::span<const Estimate> tiles(Sum sum) {
    auto& known = known_[static_cast<std::size_t>(sum)].tiles;
    if (!known) known = estimate_tiles(sum);
    return *known;
  }

  /// Tells whoever watches the run how far it has come: error of Q over its root mean square.
  virtual void report(double relative_error) = 0;

  /// Of all traced.
  virtual RayCounts counts() = 0;
  /// Too many rays were lost.
  virtual bool hopeless() = 0;
  std::size_t tile_count(Sum sum) const {
    return static_cast<std::size_t>(of_cells(sum) ? cell_tiles_.count() : wall_tiles_.count());
  }
  /// Whether cells have nodes in common with those of other tiles: then only groups of tiles are
  /// independent of each other.
  bool grouped(Sum sum) const { return sum == Sum::cells && nodes_; }
  std::size_t group_count(Sum sum) const {
    return grouped(sum) ? static_cast<std::size_t>(nodes_->groups.count()) : tile_count(sum);
  }
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

 private:
  /// Traced for one that is asked for, mean over all origins.
  double rays_of_origin(const Tracing& some) const {
    const auto share = [](const std::vector<int>& list, std::size_t all) {
      return list.empty() ? 1.0 : static_cast<double>(list.size()) / static_cast<double>(all);
    };
    const double of_tiles = share(some.tiles, tile_count(some.sum));
    if (!grouped(some.sum)) return (is_correction(some.sum) ? 2 : 1) * of_tiles;
    constexpr double nodes_per_cell = 1.0 / 8;
    return (nodes_->any_thick ? of_tiles : 0.0) +
           node_rays * nodes_per_cell * share(some.nodes, group_count(some.sum));
  }

  virtual void trace(const Tracing& some, const ReplicateRange& range) = 0;
  virtual void clear_tallies(Sum sum) = 0;
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

  /// Numbers of nets and rays, of cells or walls, are used once: no two rays share random numbers.
  struct Used {
    std::uint32_t replicates = 0;
    std::int64_t rays = 0;
    double mean = 0.0;  ///< over all origins, those followed twice counted twice
  };
  Used used_[2];
};

}  // namespace ermine
