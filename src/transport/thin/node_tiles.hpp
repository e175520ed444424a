#pragma once

#include "geometry/tiles.hpp"
#include "transport/thin/thin_view.hpp"

#include <span>
#include <vector>

namespace ermine {

/// Tiles of nodes (see ThinView), each in the midst of a group of tiles of cells.
struct NodeTiles {
  CellTiles tiles;    ///< of nodes
  TileGroups groups;  ///< of tiles of cells, as many
  Vec3<int> periodic;
  bool any_thick;  ///< points whose rays start in cells

  /// Those that some tiles of cells belong to, in increasing order.
  std::vector<int> groups_of(std::span<const int> some) const {
    std::vector<char> chosen(static_cast<std::size_t>(groups.count()));
    for (const int tile : some) chosen[static_cast<std::size_t>(groups.group_of(tile))] = 1;
    return numbers_of(chosen);
  }

  /// All tiles of some groups, group after group.
  std::vector<int> whole_groups(std::span<const int> some) const {
    std::vector<int> whole;
    for (const int group : some) {
      for (int member = 0; member < TileGroups::tiles_per_group; ++member) {
        const int tile = groups.tile(group, member);
        if (tile >= 0) whole.push_back(tile);
      }
    }
    return whole;
  }

  /// Tiles of the nodes from which cells of some groups are interpolated, in increasing order.
  std::vector<int> around(std::span<const int> some) const {
    std::vector<char> chosen(static_cast<std::size_t>(tiles.count()));
    const Vec3<int> n = tiles.counts();
    for (const int group : some) {
      const std::vector<int> x = along(0, group % n[0]);
      const std::vector<int> y = along(1, group / n[0] % n[1]);
      for (const int k : along(2, group / (n[0] * n[1]))) {
        for (const int j : y) {
          for (const int i : x) chosen[static_cast<std::size_t>(i + n[0] * (j + n[1] * k))] = 1;
        }
      }
    }
    return numbers_of(chosen);
  }

 private:
  std::vector<int> along(int a, int tile) const {
    constexpr int reach = 3;  // nodes beyond a tile: some at a wall look to one side only
    const int nodes = tiles.grid.cells[a];
    std::vector<int> found;
    for (int i = tile * tile_cells[a] - reach; i < (tile + 1) * tile_cells[a] + reach; ++i) {
      if (!periodic[a] && (i < 0 || i >= nodes)) continue;
      const int there = (i + 2 * nodes) % nodes / tile_cells[a];
      if (found.empty() || found.back() != there) found.push_back(there);
    }
    return found;
  }

  static std::vector<int> numbers_of(const std::vector<char>& chosen) {
    std::vector<int> numbers;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i]) numbers.push_back(static_cast<int>(i));
    }
    return numbers;
  }
};

}  // namespace ermine
