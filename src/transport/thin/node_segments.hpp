#pragma once

#include "core/watch.hpp"
#include "transport/lane_field.hpp"
#include "transport/resolution.hpp"
#include "transport/run_monitor.hpp"
#include "transport/segment_march.hpp"
#include "transport/thin/thin_trace.hpp"

namespace ermine {

/// What the rays of a node have found on the CPU.
struct NodeScore {
  double sum[thin_parts] = {};
  RayCounts counts = {};
  bool gave_up = false;
};

/// Rays from nodes on the CPU, one after the other: for processors without vectors.
template <class CellTrace>
class NodeSegments {
 public:
  NodeSegments(const ThinTrace<CellTrace>& thin, int threads)
      : thin_(thin),
        field_(thin.nodes.march, threads),
        march_{thin.nodes, field_.entries(), field_.levels().widths().data(),
               thin.nodes.march.grid.levels} {}
  NodeSegments(const NodeSegments&) = delete;
  NodeSegments& operator=(const NodeSegments&) = delete;

  void set_resolution(const Resolution& resolution) {
    march_.trace = at_resolution(march_.trace, resolution);
    march_.levels = resolution.levels;
  }

  NodeScore operator()(CellId node, int tile, const Replicate& replicate) const {
    const HaloLevel* level = field_.levels().levels().data();
    const Vec3<int> index = thin_.view.nodes.index(node);
    const auto batch = thin_.nodes.rays.batch(node.value, tile, CellTrace::image(index), replicate);
    const auto corner = march_.corner(level[0], index, thin_.view.coordinate(node.value), batch);
    NodeScore score;
    constexpr std::int64_t crossings_between_looks = 4096;
    std::int64_t next_look = crossings_between_looks;
    for (std::uint32_t number = 0; number < replicate.rays && !score.gave_up; ++number) {
      const TileRay common = march_.common(batch, number);
      const auto finding = march_(level, corner, common);
      const int point = common.row / thin_.nodes.march.medium.nodes;
      for (int m = 0; m < thin_parts; ++m) {
        score.sum[m] += static_cast<double>(thin_.view.strength[point].of[m] * finding.value);
      }
      score.counts.traced += 1;
      score.counts.crossings += finding.crossings;
      score.counts.lost += finding.lost;
      score.gave_up =
          thin_.nodes.hopeless(static_cast<std::uint32_t>(score.counts.lost), replicate.rays);
      if (score.counts.crossings >= next_look) {
        next_look = score.counts.crossings + crossings_between_looks;
        score.gave_up = score.gave_up || stop_asked();
      }
    }
    return score;
  }

 private:
  const ThinTrace<CellTrace>& thin_;
  LaneField<typename CellTrace::March> field_;
  SegmentMarch<CellTrace, 1, true> march_;
};

}  // namespace ermine
