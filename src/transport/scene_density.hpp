#pragma once

#include <ermine/tracer.hpp>

#include "medium/point_density.hpp"

#include <span>
#include <utility>

namespace ermine {

/// Lowest and highest of a field [K].
std::pair<double, double> temperature_range(std::span<const double> temperature, int threads);

/// What the probabilities of spectral points are built for in this run. `earlier`: another field
/// that rays see, or none.
PointDensity scene_density(const Tracer& tracer, std::span<const double> temperature,
                           std::span<const double> earlier = {});

/// Axis along which the mean temperature of planes across it varies most: that of a slab or a
/// channel is the wall-normal one. What rays find depends on their direction along it most of all.
int steepest_axis(const Grid& grid, std::span<const double> temperature, int threads);

}  // namespace ermine
