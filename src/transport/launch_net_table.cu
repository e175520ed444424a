#include "transport/launch_net.cuh"
#include "transport/trace_cell.hpp"
#include "transport/trace_wall.hpp"

namespace ermine {

template <class Real, Spacing spacing>
using NetCells =
    CellTracer<March<PointTableView<Real>, PlainField<Real>, spacing, Detail::levelled>,
               NetRays<PointSampler<Real>>>;
template <class Real>
using NetWalls =
    WallTracer<March<PointTableView<Real>, PlainField<Real>, Spacing::stretched, Detail::levelled>,
               NetRays<PointSampler<Real>>>;

template void launch_replicates(const NetCells<float, Spacing::uniform>&, const NetLaunch&, int,
                                const Stream&);
template void launch_net_tally(const NetCells<float, Spacing::uniform>&, const NetLaunch&,
                               const double*, const NetTallies&, const Stream&);
template void launch_replicates(const NetCells<float, Spacing::stretched>&, const NetLaunch&, int,
                                const Stream&);
template void launch_net_tally(const NetCells<float, Spacing::stretched>&, const NetLaunch&,
                               const double*, const NetTallies&, const Stream&);
template void launch_replicates(const NetCells<double, Spacing::stretched>&, const NetLaunch&, int,
                                const Stream&);
template void launch_net_tally(const NetCells<double, Spacing::stretched>&, const NetLaunch&,
                               const double*, const NetTallies&, const Stream&);
template void launch_replicates(const NetWalls<float>&, const NetLaunch&, int, const Stream&);
template void launch_net_tally(const NetWalls<float>&, const NetLaunch&, const double*,
                               const NetTallies&, const Stream&);
template void launch_replicates(const NetWalls<double>&, const NetLaunch&, int, const Stream&);
template void launch_net_tally(const NetWalls<double>&, const NetLaunch&, const double*,
                               const NetTallies&, const Stream&);
template void launch_net_estimates(const NetCells<float, Spacing::uniform>&, const Tally*,
                                   Estimate*, const Stream&);
template void launch_net_estimates(const NetCells<float, Spacing::stretched>&, const Tally*,
                                   Estimate*, const Stream&);
template void launch_net_estimates(const NetCells<double, Spacing::stretched>&, const Tally*,
                                   Estimate*, const Stream&);
template void launch_net_estimates(const NetWalls<float>&, const Tally*, Estimate*, const Stream&);
template void launch_net_estimates(const NetWalls<double>&, const Tally*, Estimate*, const Stream&);

}  // namespace ermine
