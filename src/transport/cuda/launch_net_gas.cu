#include "medium/gas_view.hpp"
#include "transport/cuda/launch_net.cuh"
#include "transport/ray/trace_cell.hpp"
#include "transport/ray/trace_wall.hpp"

namespace ermine {

template <class Real, Spacing spacing>
using NetCells = CellTracer<
    March<GasView<Real, most_gas_components>, PlainField<Real>, spacing, Detail::levelled>,
    NetRays<PointSampler<Real>>>;
template <class Real>
using NetWalls = WallTracer<March<GasView<Real, most_gas_components>, PlainField<Real>,
                                  Spacing::stretched, Detail::levelled>,
                            NetRays<PointSampler<Real>>>;

template struct NetLauncher<NetCells<float, Spacing::uniform>>;
template struct NetLauncher<NetCells<float, Spacing::stretched>>;
template struct NetLauncher<NetCells<double, Spacing::stretched>>;
template struct NetLauncher<NetWalls<float>>;
template struct NetLauncher<NetWalls<double>>;

/// Without and with walls that reflect, of few components and of more.
template <Spacing spacing, bool reflecting, class Entry>
using Segments = SegmentMarch<NetCells<float, spacing>, 1, reflecting, Entry>;
template struct SegmentLauncher<Segments<Spacing::uniform, false, GasEntry<3>>>;
template struct SegmentLauncher<Segments<Spacing::uniform, true, GasEntry<3>>>;
template struct SegmentLauncher<Segments<Spacing::stretched, false, GasEntry<3>>>;
template struct SegmentLauncher<Segments<Spacing::stretched, true, GasEntry<3>>>;
template struct SegmentLauncher<Segments<Spacing::uniform, false, GasEntry<7>>>;
template struct SegmentLauncher<Segments<Spacing::uniform, true, GasEntry<7>>>;
template struct SegmentLauncher<Segments<Spacing::stretched, false, GasEntry<7>>>;
template struct SegmentLauncher<Segments<Spacing::stretched, true, GasEntry<7>>>;

template <bool reflecting, class Entry>
using WallSegments = SegmentMarch<NetWalls<float>, 1, reflecting, Entry>;
template struct SegmentLauncher<WallSegments<false, GasEntry<3>>>;
template struct SegmentLauncher<WallSegments<true, GasEntry<3>>>;
template struct SegmentLauncher<WallSegments<false, GasEntry<7>>>;
template struct SegmentLauncher<WallSegments<true, GasEntry<7>>>;

}  // namespace ermine
