#pragma once

#include "transport/ray/segment_march.hpp"
#include "transport/scene/halo_field.hpp"

#include <cstdint>
#include <vector>

namespace ermine::test {

/// A SegmentMarch on the host, one cell after the other.
template <class CellTrace, bool reflecting = false,
          class Entry = HaloEntry<typename CellTrace::March::Medium>>
class HostSegments {
  using Segments = SegmentMarch<CellTrace, 1, reflecting, Entry>;

 public:
  explicit HostSegments(const CellTrace& trace)
      : levels_(trace.march.grid),
        entries_(levels_.entries()),
        march_{trace, entries_.data(), levels_.widths().data(), trace.march.grid.levels} {
    const auto& march = trace.march;
    for (int l = 0; l < march.grid.levels; ++l) {
      const HaloLevel& level = levels_.levels()[static_cast<std::size_t>(l)];
      for (int i = level.begin; i < level.begin + level.entries(); ++i) {
        entries_[static_cast<std::size_t>(i)] =
            halo_entry<Entry>(march, march.grid.level[l], level, i);
      }
    }
  }
  HostSegments(const HostSegments&) = delete;
  HostSegments& operator=(const HostSegments&) = delete;

  BatchScore operator()(CellId cell, const Replicate& replicate) const {
    const HaloLevel* level = levels_.levels().data();
    const int tile = march_.trace.tiles().tile_of(cell);
    const auto start = march_.start(level[0], cell, tile, replicate);
    BatchScore score;
    for (std::uint32_t number = 0; number < replicate.rays; ++number) {
      const auto finding = march_(level, start, march_.common(start.batch, number));
      score.sum += static_cast<double>(finding.value);
      score.traced += finding.traced;
      score.crossings += finding.crossings;
      score.lost += finding.lost;
    }
    return score;
  }

  const HaloLevel* levels() const { return levels_.levels().data(); }
  const Segments& march() const { return march_; }

 private:
  HaloLevels levels_;
  std::vector<typename Segments::Entry> entries_;
  Segments march_;
};

}  // namespace ermine::test
