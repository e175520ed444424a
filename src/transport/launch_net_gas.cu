#include "medium/gas_view.hpp"
#include "transport/launch_net.cuh"
#include "transport/sample_gas_point.hpp"
#include "transport/trace_cell.hpp"
#include "transport/trace_wall.hpp"

namespace ermine {

constexpr int most = 4;  // species
template <class Real, Spacing spacing>
using NetCells = CellTracer<March<GasView<Real, most>, PlainField<Real>, spacing, Detail::levelled>,
                            NetRays<GasPointSampler<Real, most>>>;
template <class Real>
using NetWalls =
    WallTracer<March<GasView<Real, most>, PlainField<Real>, Spacing::stretched, Detail::levelled>,
               NetRays<GasPointSampler<Real, most>>>;

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
template void launch_net_estimates(const NetCells<float, Spacing::stretched>&, const Tally*,
                                   Estimate*, const Stream&);
template void launch_net_estimates(const NetCells<double, Spacing::stretched>&, const Tally*,
                                   Estimate*, const Stream&);
template void launch_net_estimates(const NetWalls<float>&, const Tally*, Estimate*, const Stream&);
template void launch_net_estimates(const NetWalls<double>&, const Tally*, Estimate*, const Stream&);

}  // namespace ermine
