#pragma once

#include "transport/trace_cell.hpp"

#include <vector>

namespace ermine::test {

/// Scores of the first `rays` rays of every cell, traced by a kernel that runs the same functor as
/// the host: score of ray r of cell c at c * rays + r. Throws without a usable device.
std::vector<RayScore<double>> trace_on_device(const CellTracer<GreyView<double>>& host_tracer,
                                              int cells, int wall_cells, int rays);

bool device_available();

}  // namespace ermine::test
