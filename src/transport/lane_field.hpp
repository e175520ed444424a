#pragma once

#include "geometry/grid_view.hpp"
#include "medium/medium_view.hpp"
#include "transport/lane_scene.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

namespace ermine {

/// Entries of gas and walls at a temperature, see LaneScene.
inline float lane_entry(const PointTableView<float>&, CellId, float coordinate) {
  return coordinate;
}
inline float black_entry(const PointTableView<float>&, float coordinate) { return -coordinate; }
inline float reflecting_entry(const PointTableView<float>&) {
  return std::numeric_limits<float>::quiet_NaN();
}
inline GreyEntry lane_entry(const GreyView<float>& grey, CellId cell, float coordinate) {
  const GasState<float> gas = grey.at(PointId{0}, cell, coordinate);
  return {gas.absorption, gas.intensity};
}
inline GreyEntry black_entry(const GreyView<float>&, float coordinate) { return {-1, coordinate}; }
inline GreyEntry reflecting_entry(const GreyView<float>&) {
  return {0, std::numeric_limits<float>::quiet_NaN()};
}

/// Owns what is behind a LaneScene: the cells of all levels, and beyond the ends of each axis what
/// rays find there.
template <class March>
class LaneField {
  using Medium = typename March::Medium;
  using Entry = decltype(lane_entry(std::declval<Medium>(), CellId{0}, 0.0f));

 public:
  LaneField(const March& march, int threads) {
    const GridView<float>& grid = march.grid;
    std::int64_t first = 0;
    for (int l = 0; l < grid.levels; ++l) {
      LaneLevel level;
      std::int64_t size = 1;
      std::int64_t first_cell = first;
      for (int a = 0; a < 3; ++a) {
        const int cells = grid.level[l].cells[a];
        level.cells[a] = cells;
        level.stride[a] = static_cast<int>(size);
        first_cell += halo * size;
        size *= cells + 2 * halo;
        level.width[a] = static_cast<int>(width_.size()) + halo;
        for (int i = -halo; i < cells + halo; ++i) {
          const int inside = grid.periodic[a] ? wrapped(i, cells) : i;
          const bool beyond = inside < 0 || inside >= cells;
          width_.push_back(beyond ? 0.0f : grid.width[grid.level[l].width[a] + inside]);
        }
      }
      level.first = static_cast<int>(first_cell);
      first += size;
      levels_.push_back(level);
    }
    entries_.resize(static_cast<std::size_t>(first));
    for (int l = 0; l < grid.levels; ++l) fill(march, l, threads);
    const int walls = grid.level[grid.levels - 1].wall[6];
    black_ = std::all_of(march.walls.emissivity, march.walls.emissivity + walls,
                         [](float emissivity) { return !(emissivity < 1); });
  }

  /// Whether the entries of a grid can be counted.
  static bool fits(const GridView<float>& grid) {
    double size = 0;
    for (int l = 0; l < grid.levels; ++l) {
      double of_level = 1;
      for (int a = 0; a < 3; ++a) of_level *= grid.level[l].cells[a] + 2 * halo;
      size += of_level;
    }
    return size < std::numeric_limits<int>::max();
  }

  /// What it knows of one; must not outlive it.
  LaneScene scene(const March& march) const {
    LaneScene scene{};
    scene.level = levels_.data();
    scene.levels = march.grid.levels;
    scene.steps = march.grid.steps;
    for (int a = 0; a < 3; ++a) {
      scene.periodic[a] = march.grid.periodic[a];
      scene.uniform_width[a] = march.grid.uniform_width[a];
    }
    scene.width = width_.data();
    scene.entry = entries_.data();
    if constexpr (std::is_same_v<Medium, PointTableView<float>>) {
      scene.node = &march.medium.node->absorption;
      scene.nodes = march.medium.nodes;
    }
    scene.tolerance = march.tolerance;
    scene.max_crossings = march.max_crossings;
    scene.roulette = march.roulette;
    scene.black = black_;
    return scene;
  }

 private:
  static int wrapped(int i, int cells) { return (i % cells + cells) % cells; }

  /// Where a place on an axis with its halo lies: in a cell, in the wall next to it (side 0 or
  /// 1), or beyond (side 2).
  struct Place {
    int index;
    int side = -1;
  };
  static Place place(int i, int cells, bool periodic) {
    if (periodic) return {wrapped(i, cells)};
    if (i < 0) return {0, i == -1 ? 0 : 2};
    if (i >= cells) return {cells - 1, i == cells ? 1 : 2};
    return {i};
  }

  void fill(const March& march, int l, int threads) {
    const GridView<float>& grid = march.grid;
    const LevelView& level = grid.level[l];
    const LaneLevel& lanes = levels_[static_cast<std::size_t>(l)];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int k = -halo; k < lanes.cells[2] + halo; ++k) {
      const Place z = place(k, lanes.cells[2], grid.periodic[2]);
      for (int j = -halo; j < lanes.cells[1] + halo; ++j) {
        const Place y = place(j, lanes.cells[1], grid.periodic[1]);
        Entry* row = entries_.data() + lanes.first + j * lanes.stride[1] + k * lanes.stride[2];
        for (int i = -halo; i < lanes.cells[0] + halo; ++i) {
          row[i] = entry(march, level, {place(i, lanes.cells[0], grid.periodic[0]), y, z});
        }
      }
    }
  }

  static Entry entry(const March& march, const LevelView& level, const Place (&at)[3]) {
    const Vec3<int> index{{at[0].index, at[1].index, at[2].index}};
    int side = -1;
    int beyond = 0;
    for (int a = 0; a < 3; ++a) {
      if (at[a].side < 0) continue;
      ++beyond;
      side = at[a].side < 2 ? 2 * a + at[a].side : -1;
    }
    // Only rays that have ended come to where two walls meet, or behind a wall.
    if (beyond == 1 && side >= 0) {
      const WallCellId wall = wall_cell(level, {side, index});
      if (march.walls.emissivity[wall.value] < 1) return reflecting_entry(march.medium);
      return black_entry(march.medium, march.walls.coordinate[wall.value]);
    }
    const CellId cell = level.cell(index);
    return lane_entry(march.medium, cell, march.coordinate[cell]);
  }

  bool black_;
  std::vector<LaneLevel> levels_;
  std::vector<float> width_;
  std::vector<Entry> entries_;
};

}  // namespace ermine
