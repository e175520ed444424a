#pragma once

#include <ermine/tracer.hpp>

#include "medium/point_density.hpp"
#include "transport/scene/field_summary.hpp"

namespace ermine {

/// From wall to wall, or through the domain if there are no walls [m].
double shortest_way(const Grid& grid);

/// What the probabilities of spectral points are built for in this run. `earlier`: another field
/// that rays see, or none.
PointDensity scene_density(const Tracer& tracer, const TemperatureField& temperature,
                           std::span<const double> earlier = {});

}  // namespace ermine
