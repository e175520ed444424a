#include "transport/cuda/launch_net.cuh"
#include "transport/ray/trace_cell.hpp"
#include "transport/ray/trace_wall.hpp"

namespace ermine {

template <class Real, Spacing spacing>
using NetCells = CellTracer<March<GreyView<Real>, PlainField<Real>, spacing, Detail::levelled>,
                            NetRays<PointSampler<Real>>>;
template <class Real>
using NetWalls =
    WallTracer<March<GreyView<Real>, PlainField<Real>, Spacing::stretched, Detail::levelled>,
               NetRays<PointSampler<Real>>>;

template struct NetLauncher<NetCells<float, Spacing::uniform>>;
template struct NetLauncher<NetCells<float, Spacing::stretched>>;
template struct NetLauncher<NetCells<double, Spacing::stretched>>;
template struct NetLauncher<NetWalls<float>>;
template struct NetLauncher<NetWalls<double>>;

/// In one field and in two, without and with walls that reflect.
template struct SegmentLauncher<SegmentMarch<NetCells<float, Spacing::uniform>>>;
template struct SegmentLauncher<SegmentMarch<NetCells<float, Spacing::stretched>>>;
template struct SegmentLauncher<SegmentMarch<NetCells<float, Spacing::uniform>, 2>>;
template struct SegmentLauncher<SegmentMarch<NetCells<float, Spacing::stretched>, 2>>;
template struct SegmentLauncher<SegmentMarch<NetCells<float, Spacing::uniform>, 1, true>>;
template struct SegmentLauncher<SegmentMarch<NetCells<float, Spacing::stretched>, 1, true>>;
template struct SegmentLauncher<SegmentMarch<NetCells<float, Spacing::uniform>, 2, true>>;
template struct SegmentLauncher<SegmentMarch<NetCells<float, Spacing::stretched>, 2, true>>;
template struct SegmentLauncher<SegmentMarch<NetWalls<float>>>;
template struct SegmentLauncher<SegmentMarch<NetWalls<float>, 1, true>>;

}  // namespace ermine
