#include "transport/launch.cuh"
#include "transport/trace_cell.hpp"
#include "transport/trace_wall.hpp"

namespace ermine {

template <class Real, Spacing spacing, class Field>
using TableCells = CellTracer<March<PointTableView<Real>, spacing, Field>, PointSampler<Real>>;
template <class Real>
using TableWalls =
    WallTracer<March<PointTableView<Real>, Spacing::stretched, PlainField<Real>>, PointSampler<Real>>;

template void launch_trace(const TableCells<float, Spacing::uniform, PlainField<float>>&,
                           const TraceLaunch&, int, const Stream&);
template void launch_trace(const TableCells<float, Spacing::uniform, TextureField>&,
                           const TraceLaunch&, int, const Stream&);
template void launch_trace(const TableCells<float, Spacing::stretched, PlainField<float>>&,
                           const TraceLaunch&, int, const Stream&);
template void launch_trace(const TableCells<float, Spacing::stretched, TextureField>&,
                           const TraceLaunch&, int, const Stream&);
template void launch_trace(const TableCells<double, Spacing::stretched, PlainField<double>>&,
                           const TraceLaunch&, int, const Stream&);
template void launch_trace(const TableWalls<float>&, const TraceLaunch&, int, const Stream&);
template void launch_trace(const TableWalls<double>&, const TraceLaunch&, int, const Stream&);

}  // namespace ermine
