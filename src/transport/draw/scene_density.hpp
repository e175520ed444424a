#pragma once

#include <ermine/tracer.hpp>

#include "medium/point_density.hpp"
#include "transport/scene/field_summary.hpp"

#include <span>
#include <utility>

namespace ermine {

/// From wall to wall, or through the domain if there are no walls [m].
double shortest_way(const Grid& grid);

/// Coldest and hottest that the gas may be in scenes that are prepared as one [K]: that of the
/// field, and of an `earlier` one that rays see, rounded outwards to a grid of 1/32 to 1/16 of the
/// range of gas and walls. Successive fields of a flow share a scene this way, and yet it depends
/// on the problem alone. Not beyond what the medium covers, nor past walls that are as cold or as
/// hot; nothing is rounded where the gas has one temperature: before walls of another, rays then
/// find the same but for directions, and points drawn for any other temperature would have more
/// noise.
std::pair<double, double> scene_range(const Tracer& tracer, const TemperatureField& temperature,
                                      std::span<const double> earlier = {});

/// What the probabilities of spectral points are built for in scenes of this range of the gas.
PointDensity scene_density(const Tracer& tracer, const std::pair<double, double>& range);
inline PointDensity scene_density(const Tracer& tracer, const TemperatureField& temperature) {
  return scene_density(tracer, scene_range(tracer, temperature));
}

}  // namespace ermine
