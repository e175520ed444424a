#include "transport/run/history_parts.hpp"

#include "geometry/levels.hpp"

#include <numeric>

namespace ermine {
namespace {

/// Calls visit(value) for all replicates of a rank's origins.
template <class Values, class Tiles, class Visit>
void each_of_tiles(Values& values, std::size_t origins, const Tiles& tiles,
                   const std::vector<int>& some, const Visit& visit) {
  for (std::size_t first = 0; first < values.size(); first += origins) {
    for (const int tile : some) {
      for (int lane = 0; lane < cells_per_tile; ++lane) {
        const int origin = tiles.at(tile, lane).value;
        if (origin >= 0) visit(values[first + static_cast<std::size_t>(origin)]);
      }
    }
  }
}

/// Brings the parts of all ranks to the first; `part(rank)`: tiles.
template <class Tiles, class Part>
std::vector<double> on_first(const std::vector<double>& mine, std::size_t origins,
                             const Tiles& tiles, const Part& part, Ranks& ranks) {
  std::vector<double> own;
  each_of_tiles(mine, origins, tiles, part(ranks.rank()),
                [&](double value) { own.push_back(value); });
  std::vector<Bytes> to(static_cast<std::size_t>(ranks.size()));
  to.front() = to_bytes(std::span<const double>(own));
  const std::vector<Bytes> parts = ranks.exchange(to);
  if (ranks.rank() != 0) return {};
  std::vector<double> all(mine.size());
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const auto values = from_bytes<double>(parts[static_cast<std::size_t>(rank)]);
    const double* next = values.data();
    each_of_tiles(all, origins, tiles, part(rank), [&](double& value) { value = *next++; });
  }
  return all;
}

}  // namespace

std::vector<int> cells_of_rank(const TileGroups& groups, int rank, int ranks) {
  const IndexRange part = equal_part(static_cast<std::size_t>(groups.count()), rank, ranks);
  std::vector<int> tiles;
  for (std::size_t group = part.begin; group < part.end; ++group) {
    for (int member = 0; member < TileGroups::tiles_per_group; ++member) {
      const int tile = groups.tile(static_cast<int>(group), member);
      if (tile >= 0) tiles.push_back(tile);
    }
  }
  return tiles;
}

History of_all_ranks(const History& mine, const Grid& grid, Ranks& ranks) {
  if (ranks.alone() || mine.empty()) return mine;
  const LevelView view = Levels(grid, 1, 1).views().front();
  const CellTiles cells{view};
  WallTiles walls{};
  std::copy(view.wall, view.wall + 7, walls.wall);
  walls.cells = view.cells;
  History all = mine;
  all.flux_divergence = on_first(
      mine.flux_divergence, grid.cell_count(), cells,
      [&](int rank) { return cells_of_rank(TileGroups{cells}, rank, ranks.size()); }, ranks);
  all.wall_flux = on_first(
      mine.wall_flux, static_cast<std::size_t>(view.wall[6]), walls,
      [&](int rank) {
        const auto count = static_cast<std::size_t>(walls.count());
        const IndexRange part = equal_part(count, rank, ranks.size());
        std::vector<int> tiles(part.count());
        std::iota(tiles.begin(), tiles.end(), static_cast<int>(part.begin));
        return tiles;
      },
      ranks);
  return all;
}

}  // namespace ermine
