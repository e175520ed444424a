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

template struct NetLauncher<NetCells<float, Spacing::stretched>>;
template struct NetLauncher<NetCells<double, Spacing::stretched>>;
template struct NetLauncher<NetWalls<float>>;
template struct NetLauncher<NetWalls<double>>;

}  // namespace ermine
