#include "transport/thin/thin_view.hpp"

#include "support/cell_tracers.hpp"
#include "transport/ray/tile_lanes.hpp"
#include "transport/scene/levels_of.hpp"
#include "transport/thin/node_segments.hpp"
#include "transport/thin/thin_trace.hpp"

#include <gtest/gtest.h>

#include <set>

namespace ermine {
namespace {

/// Calls visit(trace, view) with what a tracer's net has on the host.
template <class Visit>
void with_nodes(const Tracer& tracer, const std::vector<double>& temperature, const Visit& visit) {
  const Levels levels = levels_of(tracer);
  with_scene_in<float>(tracer, levels, temperature, {}, [&](auto& scene) {
    using SceneType = std::remove_reference_t<decltype(scene)>;
    if constexpr (is_table<typename SceneType::View> || is_gas<typename SceneType::View>) {
      const InPlace place;
      const PlainField<float> field{place(scene.coordinate())};
      scene.template with_spacing<NetRays>([&]<Spacing spacing>() {
        const auto cells = scene.template cell_tracer<NetRays>(
            scene.template march<spacing, Detail::levelled>(place, field), place, 3);
        const auto points = thin_points(scene, tracer, cells.march);
        ASSERT_TRUE(points);
        visit(*thin_trace(points, cells, place, scene.cells() + scene.wall_cells()));
      });
    } else {
      FAIL();
    }
  });
}

Grid grid_of_nodes(bool stretched) {
  if (!stretched) return test::grid_of({16, 16, 24}, test::Ends::slab, false);
  return test::grid_of({18, 20, 22}, test::Ends::slab, true);
}

Tracer tracer_of(const Grid& grid) {
  return Tracer(grid, test::enclosure(grid, test::wall(900)), test::long_table(),
                test::net_options(0, 8));
}

/// What varies as a cubic along each axis that has walls is found exactly, in cells at walls too.
TEST(ThinView, InterpolatesCubics) {
  const Axis axis = Axis::stretched(18, 0, 1, 1.1);
  const Grid grid({axis, Axis::uniform(16, 0, 2), axis});
  const Tracer tracer = tracer_of(grid);
  const auto cubic = [](double x, double y, double z) {
    return (1 + x * x * x) * (2 - y * y) * (1 + z - z * z * z);
  };
  with_nodes(tracer, test::wavy_field(grid), [&](const auto& trace) {
    const ThinView& view = trace.view;
    const auto face = [&](std::size_t a, int node) {
      return grid.axis(a).faces[2 * static_cast<std::size_t>(node) + 1];
    };
    std::vector<ThinParts> found;
    for (int node = 0; node < view.node_count(); ++node) {
      const Vec3<int> at = view.nodes.index(CellId{node});
      ThinParts parts{};
      for (int m = 0; m < thin_parts; ++m) {
        parts.of[m] = static_cast<float>(cubic(face(0, at[0]), face(1, at[1]), face(2, at[2])));
      }
      found.push_back(parts);
    }
    const std::vector<ThinParts> nothing(found.size());
    for (int i = 0; i < trace.thick.origin_count(); ++i) {
      const Vec3<int> index = trace.thick.march.grid.finest.index(CellId{i});
      const auto gas =
          thin_state(trace.thick.march.medium, CellId{i}, trace.thick.march.coordinate[CellId{i}]);
      const double without = static_cast<double>(view(index, gas, nothing.data()));
      const double with = static_cast<double>(view(index, gas, found.data()));
      const auto at = grid.centre(static_cast<std::size_t>(i));
      // The polynomials of temperature add up to one. In single precision.
      ASSERT_NEAR(with - without, cubic(at[0], at[1], at[2]), 1e-4 + 3e-6 * std::abs(without));
    }
  });
}

/// One node after the other, and many at once.
TEST(ThinView, RaysOfNodesAreTheSameWithAndWithoutVectors) {
  for (const Grid& grid : {grid_of_nodes(false), grid_of_nodes(true)}) {
    const Tracer tracer = tracer_of(grid);
    with_nodes(tracer, test::wavy_field(grid), [&](const auto& trace) {
      using CellTrace = std::remove_cvref_t<decltype(trace.thick)>;
      const bool uniform = CellTrace::March::spacing == Spacing::uniform;
      const TraceLanes trace_lanes =
          lanes_tracer(usable_instructions().back(),
                       TileLanes<CellTrace>::kind(trace.thick.march.medium), uniform);
      if (!trace_lanes) GTEST_SKIP() << "this processor has no vectors: needs one with AVX2";
      const NodeSegments<CellTrace> segments(trace, 1);
      const TileLanes<CellTrace> lanes(trace.nodes, trace_lanes, 1);
      const ThinView& view = trace.view;
      const Replicate replicate{5, 4, 80};
      for (int tile = 0; tile < view.tiles().count(); ++tile) {
        const LaneScores scores =
            lanes(trace.nodes.rays, view, tile, replicate, resolution_of(trace.nodes));
        std::int64_t traced = 0;
        int nodes = 0;
        for (int lane = 0; lane < cells_per_tile; ++lane) {
          const CellId node = view.tiles().at(tile, lane);
          if (node.value < 0) continue;
          const NodeScore score = segments(node, tile, replicate);
          traced += score.counts.traced;
          for (int m = 0; m < thin_parts; ++m) {
            double most = 0.0;
            for (std::uint32_t ray = 0; ray < replicate.rays; ++ray) {
              const auto batch = trace.nodes.rays.batch(node.value, tile, 0, replicate);
              Draw draw;
              RayStream stream;
              const PointId point = trace.nodes.rays.next(batch, ray, draw, stream);
              most += static_cast<double>(
                  view.strength[point.value].of[m] *
                  trace.nodes.march.medium.blackbody(point, test::hottest(trace.thick)));
            }
            ASSERT_NEAR(score.sum[m], scores.part[m][nodes], 1e-5 * most);
          }
          ++nodes;
        }
        EXPECT_EQ(scores.traced, traced);
      }
    });
  }
}

/// All nodes that cells of a group look at are traced with it, and its tiles are.
TEST(ThinView, GroupsHaveAllTheirTilesAndNodes) {
  const Grid grid = grid_of_nodes(true);
  with_nodes(tracer_of(grid), test::wavy_field(grid), [&](const auto& trace) {
    const ThinView& view = trace.view;
    const CellTiles cells = trace.thick.tiles();
    const NodeTiles nodes{view.tiles(), {cells}, trace.thick.march.grid.periodic, true};
    ASSERT_EQ(nodes.groups.count(), view.tiles().count());
    std::set<int> seen;
    for (int group = 0; group < nodes.groups.count(); ++group) {
      const int list[] = {group};
      const std::vector<int> around = nodes.around(list);
      for (const int tile : nodes.whole_groups(list)) {
        EXPECT_EQ(nodes.groups.group_of(tile), group);
        EXPECT_TRUE(seen.insert(tile).second);
        for (int lane = 0; lane < cells_per_tile; ++lane) {
          const CellId cell = cells.at(tile, lane);
          if (cell.value < 0) continue;
          const Vec3<int> at = cells.grid.index(cell);
          for (int corner = 0; corner < 64; ++corner) {
            const Vec3<int> node{{view.along[0][at[0]].node[corner % 4],
                                  view.along[1][at[1]].node[corner / 4 % 4],
                                  view.along[2][at[2]].node[corner / 16]}};
            const int of_node = view.tiles().tile_of(view.nodes.cell(node));
            ASSERT_TRUE(std::binary_search(around.begin(), around.end(), of_node));
          }
        }
      }
    }
    EXPECT_EQ(static_cast<int>(seen.size()), cells.count());
  });
}

}  // namespace
}  // namespace ermine
