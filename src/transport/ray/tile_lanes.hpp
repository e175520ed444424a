#pragma once

#include "core/watch.hpp"
#include "geometry/tiles.hpp"
#include "transport/draw/net_rays.hpp"
#include "transport/ray/march.hpp"
#include "transport/ray/resolution.hpp"
#include "transport/ray/trace_lanes.hpp"
#include "transport/scene/lane_field.hpp"
#include "transport/thin/thin_view.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <type_traits>

namespace ermine {

/// Traces the cells of a tile at once. `CellTrace` is the CellTracer of a net.
template <class CellTrace>
class TileLanes {
  using March = typename CellTrace::March;
  using Medium = typename March::Medium;
  using Rays = typename CellTrace::Rays;
  using Batch = typename Rays::Batch;
  static constexpr bool table = is_table<Medium>;
  static constexpr bool uniform = March::spacing == Spacing::uniform;

 public:
  /// Null where there is none for these rays and this grid.
  static std::unique_ptr<TileLanes> make(const CellTrace& trace, Instructions instructions,
                                         int threads) {
    if (!LaneField<March>::fit(trace.march) || trace.march.scattering.classes > 0) return nullptr;
    const TraceLanes trace_lanes = lanes_tracer(instructions, kind(trace.march.medium), uniform);
    if (!trace_lanes) return nullptr;
    return std::make_unique<TileLanes>(trace, trace_lanes, threads);
  }

  static LaneMedium kind(const Medium& medium) {
    if constexpr (is_gas<Medium>) {
      static_assert(most_packed == 5);
      constexpr LaneMedium kinds[] = {LaneMedium::one_gas, LaneMedium::two_gases,
                                      LaneMedium::three_gases, LaneMedium::four_gases,
                                      LaneMedium::five_gases};
      return kinds[medium.packed.components - 1];
    }
    return table ? LaneMedium::table : LaneMedium::grey;
  }

  TileLanes(const CellTrace& trace, TraceLanes trace_lanes, int threads)
      : trace_(trace),
        trace_lanes_(trace_lanes),
        field_(trace.march, threads),
        scene_(field_.scene(trace.march)) {
    scene_.polar = trace.rays.polar_axis();
    scene_.key[0] = static_cast<std::uint32_t>(trace.rays.seed);
    scene_.key[1] = static_cast<std::uint32_t>(trace.rays.seed >> 32);
    scene_.update = trace.rays.update;
    scene_.stop = [] { return stop_asked(); };
  }
  TileLanes(const TileLanes&) = delete;
  TileLanes& operator=(const TileLanes&) = delete;

  /// One replicate of these rays. Scores are in the order of the tile's cells, those beyond the
  /// grid left out.
  LaneScores operator()(const Rays& rays, int tile, const Replicate& replicate,
                        const Resolution& resolution) const {
    LaneCells cells{};
    Batch batch{};
    for (int lane = 0; lane < cells_per_tile; ++lane) {
      const CellId cell = trace_.tiles().at(tile, lane);
      if (cell.value < 0) continue;
      const Vec3<int> index = trace_.march.grid.finest.index(cell);
      batch = rays.batch(cell.value, tile, CellTrace::image(index), replicate);
      cells.averages[cells.count] = trace_.averages(cell);
      add(index, batch, cells);
    }
    return trace_all(rays, trace_.march, cells, batch, resolution);
  }

  /// The same for the nodes of a tile of them.
  LaneScores operator()(const Rays& rays, const ThinView& thin, int tile,
                        const Replicate& replicate, const Resolution& resolution) const {
    LaneCells cells{};
    Batch batch{};
    cells.strength = thin.strength->of;
    for (int lane = 0; lane < cells_per_tile; ++lane) {
      const CellId node = thin.tiles().at(tile, lane);
      if (node.value < 0) continue;
      const Vec3<int> index = thin.nodes.index(node);
      batch = rays.batch(node.value, tile, CellTrace::image(index), replicate);
      cells.coordinate[cells.count] = thin.position(node.value);
      add({{2 * index[0], 2 * index[1], 2 * index[2]}}, batch, cells);
    }
    return trace_all(rays, trace_.march, cells, batch, resolution);
  }

  /// The same for face cells of a wall. `WallTrace` is the WallTracer of a net.
  template <class WallTrace>
  LaneScores of_walls(const WallTrace& walls, int tile, const Replicate& replicate,
                      const Resolution& resolution) const {
    LaneCells cells{};
    Batch batch{};
    cells.faces = 1;
    for (int lane = 0; lane < cells_per_tile; ++lane) {
      const WallCellId wall = walls.tiles().at(tile, lane);
      if (wall.value < 0) continue;
      const WallPlace place = wall_place(walls.march.grid.finest, wall);
      batch = walls.rays.batch(wall.value, tile, 0, replicate);
      cells.side = place.side;
      cells.averages[cells.count] = walls.start_point != StartPoint::point;
      cells.emissivity[cells.count] = walls.march.walls.emissivity[wall.value];
      add(place.index, batch, cells);
    }
    return trace_all(walls.rays, walls.march, cells, batch, resolution);
  }

 private:
  static constexpr std::uint32_t at_once = 256;
  static_assert(most_lanes == cells_per_tile);
  static_assert(lane_parts == thin_parts && sizeof(ThinParts) == lane_parts_stride * sizeof(float));

  static void add(const Vec3<int>& index, const Batch& batch, LaneCells& cells) {
    for (int a = 0; a < 3; ++a) cells.index[a][cells.count] = index[a];
    cells.shift[0][cells.count] = batch.shift.first;
    cells.shift[1][cells.count] = batch.shift.second;
    cells.origin[cells.count] = batch.origin;
    ++cells.count;
  }

  /// `batch` may be that of any of the cells. `ends`: the march that tells how these rays end.
  template <class EndingMarch>
  LaneScores trace_all(const Rays& rays, const EndingMarch& ends, const LaneCells& cells,
                       const Batch& batch, const Resolution& resolution) const {
    LaneScores scores{};
    LaneScene scene = scene_;
    scene.tolerance = ends.tolerance;
    scene.roulette = ends.roulette;
    scene.levels = resolution.levels;
    scene.steps = resolution.steps;
    const double most_lost =
        std::max(8.0, static_cast<double>(trace_.hopeless_fraction) * batch.count) * cells.count;
    LaneRay list[at_once];
    for (std::uint32_t first = 0; first < batch.count && !scores.gave_up; first += at_once) {
      const std::uint32_t count = std::min(at_once, batch.count - first);
      for (std::uint32_t i = 0; i < count; ++i) list[i] = this->ray(rays, batch, first + i);
      if constexpr (is_gas<Medium>) sort_by_components(list, count);
      const LaneRays some{list, count, static_cast<std::int64_t>(most_lost)};
      trace_lanes_(scene, cells, some, scores);
    }
    return scores;
  }

  /// Rays that look up the same components come together: the others are then left out for all.
  void sort_by_components(LaneRay* list, std::uint32_t count) const {
    const auto components = [&](const LaneRay& ray) {
      unsigned found = 0;
      for (int c = 0; c < most_packed; ++c) {
        if (scene_.point[ray.point].row[c] != 0) found |= 1u << c;
      }
      return found;
    };
    LaneRay sorted[at_once];
    std::uint32_t begin[(1u << most_packed) + 1] = {};
    for (std::uint32_t i = 0; i < count; ++i) ++begin[components(list[i]) + 1];
    std::partial_sum(std::begin(begin), std::end(begin), begin);
    for (std::uint32_t i = 0; i < count; ++i) sorted[begin[components(list[i])]++] = list[i];
    std::copy_n(sorted, count, list);
  }

  LaneRay ray(const Rays& rays, const Batch& batch, std::uint32_t number) const {
    Draw unused;
    RayStream stream;
    const PointId point = rays.next(batch, number, unused, stream);
    const NetWords words = net_words(number, {0, 0});
    const float weight = rays.weight(point) * row_weight(halo_row(trace_.march.medium, point));
    const Vec3<float> crossing = rays.template crossing<float>(batch, number, stream);
    return {point.value,
            batch.first + number,
            weight,
            {words.first, words.second},
            {crossing[0], crossing[1], crossing[2]},
            rays.sampler.usual_absorption[point.value]};
  }

  CellTrace trace_;
  TraceLanes trace_lanes_;
  LaneField<March> field_;
  LaneScene scene_;
};

/// For all other media.
struct NoTileLanes {
  template <class CellTrace>
  static std::unique_ptr<NoTileLanes> make(const CellTrace&, Instructions, int) {
    return nullptr;
  }
  template <class Rays>
  LaneScores operator()(const Rays&, int, const Replicate&, const Resolution&) const {
    return {};
  }
  template <class WallTrace>
  LaneScores of_walls(const WallTrace&, int, const Replicate&, const Resolution&) const {
    return {};
  }
};

template <class CellTrace>
struct TileLanesFor {
  using Type = NoTileLanes;
};
template <class CellTrace>
requires has_halo<typename CellTrace::March::Medium>
struct TileLanesFor<CellTrace> {
  using Type = TileLanes<CellTrace>;
};

}  // namespace ermine
