#pragma once

#include "core/watch.hpp"
#include "transport/ray/resolution.hpp"
#include "transport/ray/segment_march.hpp"
#include "transport/run/run_monitor.hpp"
#include "transport/scene/lane_field.hpp"
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
      : thin_(thin), field_(thin.nodes.march, threads), resolution_(resolution_of(thin.nodes)) {}
  NodeSegments(const NodeSegments&) = delete;
  NodeSegments& operator=(const NodeSegments&) = delete;

  void set_resolution(const Resolution& resolution) { resolution_ = resolution; }

  NodeScore operator()(CellId node, int tile, const Replicate& replicate) const {
    return with_entry(thin_.nodes.march.medium, [&]<class Entry>() {
      const SegmentMarch<CellTrace, 1, true, Entry> march{
          at_resolution(thin_.nodes, resolution_), field_.template entries<Entry>(),
          field_.levels().widths().data(), resolution_.levels};
      return trace(march, node, tile, replicate);
    });
  }

 private:
  template <class Segments>
  NodeScore trace(const Segments& march, CellId node, int tile, const Replicate& replicate) const {
    const HaloLevel* level = field_.levels().levels().data();
    const Vec3<int> index = thin_.view.nodes.index(node);
    const auto batch = thin_.nodes.rays.batch(node.value, tile, CellTrace::image(index), replicate);
    const auto corner = march.corner(level[0], index, thin_.view.position(node.value), batch);
    NodeScore score;
    constexpr std::int64_t crossings_between_looks = 4096;
    std::int64_t next_look = crossings_between_looks;
    for (std::uint32_t number = 0; number < replicate.rays && !score.gave_up; ++number) {
      PointId point;
      const auto common = march.common(batch, number, &point);
      const auto finding = march(level, corner, common);
      for (int m = 0; m < thin_parts; ++m) {
        score.sum[m] += static_cast<double>(thin_.view.strength[point.value].of[m] * finding.value);
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

  const ThinTrace<CellTrace>& thin_;
  LaneField<typename CellTrace::March> field_;
  Resolution resolution_;
};

}  // namespace ermine
