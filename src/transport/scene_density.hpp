#pragma once

#include <ermine/tracer.hpp>

#include "medium/point_density.hpp"

#include <span>

namespace ermine {

/// What the probabilities of spectral points are built for in this run.
PointDensity scene_density(const Tracer& tracer, std::span<const double> temperature);

}  // namespace ermine
