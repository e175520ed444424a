#include "transport/cuda/launch.cuh"
#include "transport/ray/trace_cell.hpp"
#include "transport/ray/trace_wall.hpp"

namespace ermine {

template <class Real, class Field, Spacing spacing, Detail detail>
using GreyCells =
    CellTracer<March<GreyView<Real>, Field, spacing, detail>, RandomRays<PointSampler<Real>>>;
template <class Real>
using GreyWalls =
    WallTracer<March<GreyView<Real>, PlainField<Real>, Spacing::stretched, Detail::levelled>,
               RandomRays<PointSampler<Real>>>;

template void launch_trace(
    const GreyCells<float, PlainField<float>, Spacing::uniform, Detail::single>&,
    const TraceLaunch&, int, const Stream&);
template void launch_trace(
    const GreyCells<float, PlainField<float>, Spacing::uniform, Detail::levelled>&,
    const TraceLaunch&, int, const Stream&);
template void launch_trace(
    const GreyCells<float, PlainField<float>, Spacing::stretched, Detail::single>&,
    const TraceLaunch&, int, const Stream&);
template void launch_trace(
    const GreyCells<float, PlainField<float>, Spacing::stretched, Detail::levelled>&,
    const TraceLaunch&, int, const Stream&);
template void launch_trace(const GreyCells<float, TextureField, Spacing::uniform, Detail::single>&,
                           const TraceLaunch&, int, const Stream&);
template void launch_trace(
    const GreyCells<float, TextureField, Spacing::uniform, Detail::levelled>&, const TraceLaunch&,
    int, const Stream&);
template void launch_trace(
    const GreyCells<float, TextureField, Spacing::stretched, Detail::single>&, const TraceLaunch&,
    int, const Stream&);
template void launch_trace(
    const GreyCells<float, TextureField, Spacing::stretched, Detail::levelled>&, const TraceLaunch&,
    int, const Stream&);
template void launch_trace(
    const GreyCells<double, PlainField<double>, Spacing::stretched, Detail::levelled>&,
    const TraceLaunch&, int, const Stream&);
template void launch_trace(const GreyWalls<float>&, const TraceLaunch&, int, const Stream&);
template void launch_trace(const GreyWalls<double>&, const TraceLaunch&, int, const Stream&);

}  // namespace ermine
