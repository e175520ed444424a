#pragma once

#include "backend/device_memory.hpp"
#include "transport/launch_net.hpp"
#include "transport/launch_thin.hpp"
#include "transport/resolution.hpp"
#include "transport/segment_march.hpp"
#include "transport/thin/thin_trace.hpp"

#include <optional>

namespace ermine {

/// Whether rays of cells of a medium may walk in segments.
template <class CellTrace>
inline constexpr bool has_segments = has_halo<typename CellTrace::March::Medium>;

/// A SegmentMarch on the GPU with its arrays.
template <class CellTrace>
class DeviceSegments {
  using March = typename CellTrace::March;
  using Segments = SegmentMarch<CellTrace>;

 public:
  /// `trace` lies on the device, `march` on the host. None where a wall reflects, rays start
  /// anywhere in their cells, or the grid is too large.
  static std::optional<DeviceSegments> make(const CellTrace& trace, const March& march,
                                            const Stream& stream, DeviceMemory& memory) {
    if (!all_black(march) || trace.sample_start.uniform || !HaloLevels::fit(march.grid)) {
      return std::nullopt;
    }
    const HaloLevels levels(march.grid, march.coordinate.window);
    return DeviceSegments(trace, levels, stream, memory);
  }

  void queue(const NetLaunch& launch, const Resolution& resolution, int block,
             const Stream& stream) const {
    SegmentLauncher<Segments>::trace(at(resolution), levels_, launch, block, stream);
  }

  /// The same rays in two fields at once, see SegmentMarch.
  void queue_pair(const DeviceSegments& earlier, const NetLaunch& launch,
                  const Resolution& resolution, int block, const Stream& stream) const {
    using Pair = SegmentMarch<CellTrace, 2>;
    const Segments march = at(resolution);
    const Pair pair{march.trace, march.entry, march.width, march.levels, earlier.march_.entry};
    SegmentLauncher<Pair>::trace(pair, levels_, launch, block, stream);
  }

  /// The same with other rays.
  DeviceSegments with(const typename CellTrace::Rays& rays) const {
    DeviceSegments other = *this;
    other.march_.trace.rays = rays;
    return other;
  }

  void queue_nodes(const ThinView& view, const NodeLaunch& launch, ThinParts* found,
                   const Resolution& resolution, int block, const Stream& stream) const {
    if constexpr (may_have_nodes<CellTrace>) {
      ThinLauncher<Segments>::trace(at(resolution), levels_, view, launch, found, block, stream);
    }
  }
  void add_thin(const ThinView& view, const ThinParts* found, const NetLaunch& launch, bool traced,
                const Stream& stream) const {
    if constexpr (may_have_nodes<CellTrace>) {
      ThinLauncher<Segments>::add(march_, view, found, launch, traced, stream);
    }
  }

 private:
  Segments at(const Resolution& resolution) const {
    Segments march = march_;
    march.trace = at_resolution(march.trace, resolution);
    march.levels = resolution.levels;
    return march;
  }

  DeviceSegments(const CellTrace& trace, const HaloLevels& levels, const Stream& stream,
                 DeviceMemory& memory)
      : march_{trace, nullptr, memory.upload(std::span<const float>(levels.widths())),
               trace.march.grid.levels},
        levels_(memory.upload(std::span<const HaloLevel>(levels.levels()))) {
    auto* entries = memory.allocate<typename Segments::Entry>(levels.entries());
    SegmentLauncher<Segments>::fill(march_, levels, entries, stream);
    march_.entry = entries;
  }

  Segments march_;
  const HaloLevel* levels_;
};

/// For all other media.
struct NoSegments {
  template <class CellTrace, class March>
  static std::optional<NoSegments> make(const CellTrace&, const March&, const Stream&,
                                        DeviceMemory&) {
    return std::nullopt;
  }
};

template <class CellTrace>
struct SegmentsFor {
  using Type = NoSegments;
};
template <class CellTrace>
requires has_segments<CellTrace>
struct SegmentsFor<CellTrace> {
  using Type = DeviceSegments<CellTrace>;
};

}  // namespace ermine
