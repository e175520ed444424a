#pragma once

#include "transport/halo_field.hpp"
#include "transport/lane_scene.hpp"

#include <vector>

namespace ermine {

/// Owns what is behind a LaneScene: the cells of all levels, and beyond the ends of each axis what
/// rays find there.
template <class March>
class LaneField {
  using Medium = typename March::Medium;

 public:
  LaneField(const March& march, int threads)
      : levels_(march.grid, march.coordinate.window),
        black_(all_black(march)),
        entries_(levels_.entries()) {
    for (const HaloLevel& level : levels_.levels()) lane_levels_.push_back(level);
    for (int l = 0; l < march.grid.levels; ++l) {
      fill(march, l, threads);
      LaneSides sides;
      for (int side = 0; side < 6; ++side) sides.first[side] = march.grid.level[l].wall[side];
      sides_.push_back(sides);
    }
  }

  const HaloLevels& levels() const { return levels_; }
  const HaloEntry<Medium>* entries() const { return entries_.data(); }

  /// What it knows of one; must not outlive it.
  LaneScene scene(const March& march) const {
    LaneScene scene{};
    scene.level = lane_levels_.data();
    scene.levels = march.grid.levels;
    scene.steps = march.grid.steps;
    for (int a = 0; a < 3; ++a) {
      scene.periodic[a] = march.grid.periodic[a];
      scene.uniform_width[a] = march.grid.uniform_width[a];
    }
    scene.width = levels_.widths().data();
    scene.entry = entries_.data();
    if constexpr (is_table<Medium>) {
      scene.node = &march.medium.node->absorption;
      scene.nodes = march.medium.nodes;
    }
    scene.tolerance = march.tolerance;
    scene.max_crossings = march.max_crossings;
    scene.roulette = march.roulette;
    scene.black = black_;
    scene.emissivity = march.walls.emissivity;
    scene.sides = sides_.data();
    for (int side = 0; side < 6; ++side) scene.specular[side] = march.walls.specular[side];
    return scene;
  }

 private:
  void fill(const March& march, int l, int threads) {
    const LevelView& view = march.grid.level[l];
    const HaloLevel& level = levels_.levels()[static_cast<std::size_t>(l)];
    const int end = level.begin + static_cast<int>(level.entries());
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = level.begin; i < end; ++i) {
      entries_[static_cast<std::size_t>(i)] = halo_entry(march, view, level, i);
    }
  }

  HaloLevels levels_;
  std::vector<LaneLevel> lane_levels_;
  std::vector<LaneSides> sides_;
  bool black_;
  std::vector<HaloEntry<Medium>> entries_;
};

}  // namespace ermine
