#pragma once

#include "transport/sample_gas_point.hpp"
#include "transport/trace_cell.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace ermine::test {

/// How much there is behind the pointers of a tracer.
struct ArraySizes {
  std::size_t cells;
  std::size_t wall_cells;
  std::size_t bands = 0;  ///< of a gas
  std::size_t points = 1;
  std::array<std::size_t, 4> component_bands = {};
};

/// Scores of the first `rays` rays of every cell, traced by a kernel that runs the same functor as
/// the host: score of ray r of cell c at c * rays + r. Throws without a usable device.
/// For GreyView, GasView of one and of four species, in double precision.
template <class Medium, class Sampler>
std::vector<RayScore<double>> trace_on_device(CellTracer<Medium, Sampler> host_tracer,
                                              const ArraySizes& sizes, int rays);

bool device_available();

}  // namespace ermine::test
