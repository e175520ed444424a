#pragma once

#include <ermine/tracer.hpp>

#include "core/exact_sum.hpp"
#include "transport/scene/temperature_field.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ermine {

/// Lowest and highest of a field [K].
std::pair<double, double> temperature_range(const TemperatureField& field, int threads);

/// Axis along which the mean temperature of planes across it varies most: that of a slab or a
/// channel is the wall-normal one. What rays find depends on their direction along it most of all.
int steepest_axis(const Grid& grid, const TemperatureField& field, int threads);

/// The same bits on any number of ranks.
FieldStructures field_structures(const Grid& grid, const TemperatureField& field);

/// Wavenumber [1/m] of the structures of a field, as far as its second differences along an axis
/// show them: root mean square of the gradient of these over that of themselves. 0: there are none.
/// Cells that are `transparent` (none: empty) have no temperature to speak of.
double structure_wavenumber(const Grid& grid, const TemperatureField& field, std::size_t axis,
                            int threads, std::span<const char> transparent = {});

/// The summary of a field of which each rank has its windows, that of none being known yet.
FieldSummary summary_of(const Tracer& tracer, const TemperatureField& field, Ranks& ranks);

}  // namespace ermine
