#include "transport/launch.cuh"
#include "transport/trace_cell.hpp"
#include "transport/trace_wall.hpp"

namespace ermine {

template <class Real, Spacing spacing, class Field>
using GreyCells = CellTracer<March<GreyView<Real>, spacing, Field>, PointSampler<Real>>;
template <class Real>
using GreyWalls =
    WallTracer<March<GreyView<Real>, Spacing::stretched, PlainField<Real>>, PointSampler<Real>>;

template void launch_trace(const GreyCells<float, Spacing::uniform, PlainField<float>>&,
                           const TraceLaunch&, int, const Stream&);
template void launch_trace(const GreyCells<float, Spacing::uniform, TextureField>&,
                           const TraceLaunch&, int, const Stream&);
template void launch_trace(const GreyCells<float, Spacing::stretched, PlainField<float>>&,
                           const TraceLaunch&, int, const Stream&);
template void launch_trace(const GreyCells<float, Spacing::stretched, TextureField>&,
                           const TraceLaunch&, int, const Stream&);
template void launch_trace(const GreyCells<double, Spacing::stretched, PlainField<double>>&,
                           const TraceLaunch&, int, const Stream&);
template void launch_trace(const GreyWalls<float>&, const TraceLaunch&, int, const Stream&);
template void launch_trace(const GreyWalls<double>&, const TraceLaunch&, int, const Stream&);

}  // namespace ermine
