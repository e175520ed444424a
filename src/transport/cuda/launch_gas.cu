#include "medium/gas_view.hpp"
#include "transport/cuda/launch.cuh"
#include "transport/ray/trace_cell.hpp"
#include "transport/ray/trace_wall.hpp"

namespace ermine {

template <class Real, class Field, Detail detail>
using GasCells =
    CellTracer<March<GasView<Real, most_gas_components>, Field, Spacing::stretched, detail>,
               RandomRays<PointSampler<Real>>>;
template <class Real>
using GasWalls = WallTracer<March<GasView<Real, most_gas_components>, PlainField<Real>,
                                  Spacing::stretched, Detail::levelled>,
                            RandomRays<PointSampler<Real>>>;

template void launch_trace(const GasCells<float, PlainField<float>, Detail::single>&,
                           const TraceLaunch&, int, const Stream&);
template void launch_trace(const GasCells<float, PlainField<float>, Detail::levelled>&,
                           const TraceLaunch&, int, const Stream&);
template void launch_trace(const GasCells<float, TextureField, Detail::single>&, const TraceLaunch&,
                           int, const Stream&);
template void launch_trace(const GasCells<float, TextureField, Detail::levelled>&,
                           const TraceLaunch&, int, const Stream&);
template void launch_trace(const GasCells<double, PlainField<double>, Detail::levelled>&,
                           const TraceLaunch&, int, const Stream&);
template void launch_trace(const GasWalls<float>&, const TraceLaunch&, int, const Stream&);
template void launch_trace(const GasWalls<double>&, const TraceLaunch&, int, const Stream&);

}  // namespace ermine
