#pragma once

#include "backend/device_memory.hpp"
#include "transport/launch_net.hpp"
#include "transport/launch_thin.hpp"
#include "transport/resolution.hpp"
#include "transport/segment_march.hpp"
#include "transport/thin/thin_trace.hpp"

#include <optional>
#include <type_traits>

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
  /// `trace` lies on the device, `march` on the host. None where rays start anywhere in their
  /// cells, or the grid is too large.
  static std::optional<DeviceSegments> make(const CellTrace& trace, const March& march,
                                            const Stream& stream, DeviceMemory& memory) {
    if (trace.sample_start.uniform || !HaloLevels::fit(march.grid)) return std::nullopt;
    const HaloLevels levels(march.grid, march.coordinate.window);
    return DeviceSegments(trace, levels, all_black(march), stream, memory);
  }

  void queue(const NetLaunch& launch, const Resolution& resolution, int block,
             const Stream& stream) const {
    with_walls(at(resolution), [&](const auto& march) {
      SegmentLauncher<std::remove_cvref_t<decltype(march)>>::trace(march, levels_, launch, block,
                                                                   stream);
    });
  }

  /// The same rays in two fields at once, see SegmentMarch.
  void queue_pair(const DeviceSegments& earlier, const NetLaunch& launch,
                  const Resolution& resolution, int block, const Stream& stream) const {
    using Pair = SegmentMarch<CellTrace, 2>;
    const Segments march = at(resolution);
    const Pair pair{march.trace, march.entry, march.width, march.levels, earlier.march_.entry};
    with_walls(pair, [&](const auto& both) {
      SegmentLauncher<std::remove_cvref_t<decltype(both)>>::trace(both, levels_, launch, block,
                                                                  stream);
    });
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
      with_walls(at(resolution), [&](const auto& march) {
        ThinLauncher<std::remove_cvref_t<decltype(march)>>::trace(march, levels_, view, launch,
                                                                  found, block, stream);
      });
    }
  }
  void add_thin(const ThinView& view, const ThinParts* found, const NetLaunch& launch, bool traced,
                const Stream& stream) const {
    if constexpr (may_have_nodes<CellTrace>) {
      ThinLauncher<Segments>::add(march_, view, found, launch, traced, stream);
    }
  }

 private:
  /// The kernel for black walls alone is faster.
  template <class March, class Visit>
  void with_walls(const March& march, const Visit& visit) const {
    if (black_) {
      visit(march);
    } else {
      visit(march.among_reflecting_walls());
    }
  }

  Segments at(const Resolution& resolution) const {
    Segments march = march_;
    march.trace = at_resolution(march.trace, resolution);
    march.levels = resolution.levels;
    return march;
  }

  DeviceSegments(const CellTrace& trace, const HaloLevels& levels, bool black, const Stream& stream,
                 DeviceMemory& memory)
      : march_{trace, nullptr, memory.upload(std::span<const float>(levels.widths())),
               trace.march.grid.levels},
        levels_(memory.upload(std::span<const HaloLevel>(levels.levels()))),
        black_(black) {
    auto* entries = memory.allocate<typename Segments::Entry>(levels.entries());
    SegmentLauncher<Segments>::fill(march_, levels, entries, stream);
    march_.entry = entries;
  }

  Segments march_;
  const HaloLevel* levels_;
  bool black_;  ///< no wall reflects
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
