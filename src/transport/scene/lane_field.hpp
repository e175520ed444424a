#pragma once

#include "core/unset_vector.hpp"
#include "transport/scene/halo_field.hpp"
#include "transport/scene/lane_scene.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ermine {

/// Owns what is behind a LaneScene: the cells of all levels, and beyond the ends of each axis what
/// rays find there.
template <class March>
class LaneField {
  using Medium = typename March::Medium;

 public:
  LaneField(const March& march, int threads)
      : levels_(march.grid, march.coordinate.window), black_(all_black(march)) {
    for (const HaloLevel& level : levels_.levels()) lane_levels_.push_back(level);
    with_entry(march.medium, [&]<class Entry>() {
      entries_.resize(levels_.entries() * sizeof(Entry));
      for (int l = 0; l < march.grid.levels; ++l) fill<Entry>(march, l, threads);
    });
    for (int l = 0; l < march.grid.levels; ++l) {
      LaneSides sides;
      for (int side = 0; side < 6; ++side) sides.first[side] = march.grid.level[l].wall[side];
      sides_.push_back(sides);
    }
  }

  /// Whether those of a march can be counted in bytes.
  static bool fit(const March& march) {
    if (!has_rows_for_halo(march.medium) || !HaloLevels::fit(march.grid)) return false;
    if (!is_gas<Medium>) return true;
    const HaloLevels levels(march.grid, march.coordinate.window);
    return with_entry(march.medium, [&]<class Entry>() {
      return levels.entries() * sizeof(Entry) <= std::numeric_limits<std::uint32_t>::max();
    });
  }

  const HaloLevels& levels() const { return levels_; }
  template <class Entry = HaloEntry<Medium>>
  const Entry* entries() const {
    return reinterpret_cast<const Entry*>(entries_.data());
  }

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
    if constexpr (is_gas<Medium>) {
      const PackedGasView& gas = march.medium.packed;
      scene.point = gas.point;
      for (int c = 0; c < gas.components; ++c) scene.component[c] = gas.node[c];
      scene.gas_nodes = gas.gas_nodes;
      scene.gas_nodes_per_node = gas.gas_nodes_per_node;
      scene.gas_scale = gas.scale;
      scene.intensity = &gas.intensity->intensity;
      scene.nodes = gas.nodes;
    }
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
  template <class Entry>
  void fill(const March& march, int l, int threads) {
    auto* entries = reinterpret_cast<Entry*>(entries_.data());
    const LevelView& view = march.grid.level[l];
    const HaloLevel& level = levels_.levels()[static_cast<std::size_t>(l)];
    const int end = level.begin + static_cast<int>(level.entries());
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = level.begin; i < end; ++i) {
      entries[i] = halo_entry<Entry>(march, view, level, i);
    }
  }

  HaloLevels levels_;
  std::vector<LaneLevel> lane_levels_;
  std::vector<LaneSides> sides_;
  bool black_;
  UnsetVector<std::byte> entries_;
};

}  // namespace ermine
