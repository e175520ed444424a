#pragma once

#include "backend/device_memory.hpp"
#include "transport/cuda/launch_net.hpp"
#include "transport/cuda/launch_thin.hpp"
#include "transport/ray/resolution.hpp"
#include "transport/ray/segment_march.hpp"
#include "transport/thin/thin_trace.hpp"

#include <optional>
#include <type_traits>

namespace ermine {

/// Whether rays of cells of a medium may walk in segments.
template <class CellTrace>
inline constexpr bool has_segments = has_halo<typename CellTrace::March::Medium>;

/// Whether rays may be followed in two fields at once there. Cells of a gas are large enough to
/// follow them one after the other.
template <class CellTrace>
inline constexpr bool has_pairs =
    has_segments<CellTrace> && !is_gas<typename CellTrace::March::Medium>;

/// A SegmentMarch on the GPU with its arrays.
template <class CellTrace>
class DeviceSegments {
  using March = typename CellTrace::March;

 public:
  /// `trace` lies on the device, `march` on the host. None where the grid is too
  /// large.
  static std::optional<DeviceSegments> make(const CellTrace& trace, const March& march,
                                            const Stream& stream, DeviceMemory& memory) {
    if (!HaloLevels::fit(march.grid)) return std::nullopt;
    if (!has_rows_for_halo(march.medium) || march.scattering.classes > 0) return std::nullopt;
    const HaloLevels levels(march.grid, march.coordinate.window);
    return DeviceSegments(trace, levels, all_black(march), stream, memory);
  }

  void queue(const NetLaunch& launch, const Resolution& resolution, int block,
             const Stream& stream) const {
    with_march<1>(resolution, nullptr, [&](const auto& march) {
      SegmentLauncher<std::remove_cvref_t<decltype(march)>>::trace(march, levels_, launch, block,
                                                                   stream);
    });
  }

  /// Rays of walls among the same cells. `WallTrace` is the WallTracer of a net.
  template <class WallTrace>
  void queue_walls(const WallTrace& walls, const NetLaunch& launch, int block,
                   const Stream& stream) const {
    with_entry(trace_.march.medium, [&]<class Entry>() {
      const SegmentMarch<WallTrace, 1, false, Entry> march{
          walls, static_cast<const Entry*>(entries_), width_, walls.march.grid.levels};
      const auto queue = [&](const auto& with_walls) {
        SegmentLauncher<std::remove_cvref_t<decltype(with_walls)>>::trace(with_walls, levels_,
                                                                          launch, block, stream);
      };
      if (black_) {
        queue(march);
      } else {
        queue(march.among_reflecting_walls());
      }
    });
  }

  /// The same rays in two fields at once, see SegmentMarch.
  void queue_pair(const DeviceSegments& earlier, const NetLaunch& launch,
                  const Resolution& resolution, int block, const Stream& stream) const {
    with_march<2>(resolution, earlier.entries_, [&](const auto& march) {
      SegmentLauncher<std::remove_cvref_t<decltype(march)>>::trace(march, levels_, launch, block,
                                                                   stream);
    });
  }

  /// The same with other rays.
  DeviceSegments with(const typename CellTrace::Rays& rays) const {
    DeviceSegments other = *this;
    other.trace_.rays = rays;
    return other;
  }

  void queue_nodes(const ThinView& view, const NodeLaunch& launch, ThinParts* found,
                   const Resolution& resolution, int block, const Stream& stream) const {
    if constexpr (may_have_nodes<CellTrace>) {
      with_march<1>(resolution, nullptr, [&](const auto& march) {
        ThinLauncher<std::remove_cvref_t<decltype(march)>>::trace(march, levels_, view, launch,
                                                                  found, block, stream);
      });
    }
  }
  void add_thin(const ThinView& view, const ThinParts* found, const NetLaunch& launch, bool traced,
                const Stream& stream) const {
    if constexpr (may_have_nodes<CellTrace>) {
      using Segments = SegmentMarch<CellTrace>;
      ThinLauncher<Segments>::add(march<Segments>(nullptr), view, found, launch, traced, stream);
    }
  }

 private:
  template <class Segments>
  Segments march(const void* earlier) const {
    using Entry = typename Segments::Entry;
    return {trace_, static_cast<const Entry*>(entries_), width_, trace_.march.grid.levels,
            static_cast<const Entry*>(earlier)};
  }

  /// Calls visit() with the march for the medium and the walls: that for black walls alone is
  /// faster.
  template <int fields, class Visit>
  void with_march(const Resolution& resolution, const void* earlier, const Visit& visit) const {
    with_entry(trace_.march.medium, [&]<class Entry>() {
      auto march = this->march<SegmentMarch<CellTrace, fields, false, Entry>>(earlier);
      march.trace = at_resolution(march.trace, resolution);
      march.levels = resolution.levels;
      if (black_) {
        visit(march);
      } else {
        visit(march.among_reflecting_walls());
      }
    });
  }

  DeviceSegments(const CellTrace& trace, const HaloLevels& levels, bool black, const Stream& stream,
                 DeviceMemory& memory)
      : trace_(trace),
        width_(memory.upload(std::span<const float>(levels.widths()))),
        levels_(memory.upload(std::span<const HaloLevel>(levels.levels()))),
        black_(black) {
    with_entry(trace.march.medium, [&]<class Entry>() {
      using Segments = SegmentMarch<CellTrace, 1, false, Entry>;
      auto* entries = memory.allocate<Entry>(levels.entries());
      SegmentLauncher<Segments>::fill(march<Segments>(nullptr), levels, entries, stream);
      entries_ = entries;
    });
  }

  CellTrace trace_;
  const float* width_;
  const void* entries_ = nullptr;
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
