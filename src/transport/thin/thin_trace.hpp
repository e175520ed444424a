#pragma once

#include "transport/ray/trace_cell.hpp"
#include "transport/scene/field_summary.hpp"
#include "transport/scene/halo_field.hpp"
#include "transport/thin/node_tiles.hpp"
#include "transport/thin/thin_points.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

namespace ermine {

/// Whether thin points of a medium may start in blocks.
template <class CellTrace>
inline constexpr bool may_have_nodes =
    is_table<typename CellTrace::March::Medium> || is_gas<typename CellTrace::March::Medium>;

/// Rays of thick points from cells, and of thin ones from nodes.
template <class CellTrace>
struct ThinTrace {
  CellTrace thick;
  CellTrace nodes;
  ThinView view;
  int any_thick;  ///< 1: there are thick points
};

template <class CellTrace>
std::optional<NodeTiles> node_tiles(const std::optional<ThinTrace<CellTrace>>& thin) {
  if (!thin) return std::nullopt;
  TileGroups groups{};
  groups.tiles = thin->thick.tiles();
  return NodeTiles{thin->view.tiles(), groups, thin->thick.march.grid.periodic,
                   thin->any_thick != 0};
}

inline double longest_side(const Grid& grid) {
  return std::max({grid.length(0), grid.length(1), grid.length(2)});
}

/// Of the points of a scene. `march` lies on the host. Keys of nodes follow those of all cells and
/// wall face cells.
template <class SceneType, class March>
std::shared_ptr<const ThinPoints> thin_points(const SceneType& scene, const Tracer& tracer,
                                              const March& march) {
  if constexpr (is_table<typename March::Medium> || is_gas<typename March::Medium>) {
    if (!HaloLevels::fit(march.grid) || !has_rows_for_halo(march.medium)) return nullptr;
    if (march.scattering.classes > 0) return nullptr;  // those rays have no segments
    const auto [coldest, hottest] = scene.range();
    const ThinRows rows = thin_rows(march.medium, scene.strengths().size());
    const auto position = [&](double kelvin) {
      return scene.coordinate_at(kelvin) * rows.steps - rows.first;
    };
    return ThinPoints::make(
        tracer, {scene.key(), rows, scene.strengths(), position(coldest), position(hottest),
                 field_structures(tracer.grid(), scene.temperature()), longest_side(tracer.grid()),
                 march.grid.level, march.grid.levels});
  } else {
    return nullptr;
  }
}

/// `cells`: all points, wherever its arrays lie. `first_key`: of the nodes.
template <class CellTrace, class Place>
std::optional<ThinTrace<CellTrace>> thin_trace(const std::shared_ptr<const ThinPoints>& points,
                                               const CellTrace& cells, const Place& place,
                                               std::size_t first_key) {
  if constexpr (may_have_nodes<CellTrace>) {
    if (!points) return std::nullopt;
    ThinTrace<CellTrace> trace{cells, cells, points->view(place, cells.march.coordinate),
                               points->any_thick()};
    trace.thick.rays.sampler = points->thick(place);
    trace.nodes.rays.sampler = points->thin(place);
    trace.nodes.rays.first_origin = static_cast<std::uint32_t>(first_key);
    return trace;
  } else {
    return std::nullopt;
  }
}

/// The same rays in the earlier field; `cells`: those of all points there.
template <class CellTrace>
std::optional<ThinTrace<CellTrace>> in_earlier_field(std::optional<ThinTrace<CellTrace>> thin,
                                                     const CellTrace& cells) {
  if constexpr (may_have_nodes<CellTrace>) {
    if (!thin) return thin;
    thin->view.field = cells.march.coordinate;
    thin->thick.march = cells.march;
    thin->nodes.march = cells.march;
  }
  return thin;
}

}  // namespace ermine
