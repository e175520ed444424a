#pragma once

#include "medium/point_density.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace ermine {

/// Nodes reach so far beyond the temperatures of a scene, of the temperature, as emission is
/// differentiated over 0.5 %.
inline constexpr double scene_margin = 0.0051;

/// Temperatures [K] at which a scene has its k and intensities; between them both are linear.
struct SceneTemperatures {
  std::vector<double> kelvin;
  std::size_t first_gas_node = 0;  ///< colder ones are of walls alone
};

/// Nodes for a scene whose gas is tabulated at `table` [K]: equally spaced in ln T over the range
/// of the scene, whose ends are nodes, and a little beyond as far as the gas is known. None if
/// those of the table itself are close enough for the range. What is linear between nodes has kinks
/// there, which rays see as ripples of Q, about p dT / (10 T) of the largest |Q| for an intensity
/// ~ T^p (docs/decisions/0022): a range has at least 64 intervals, or intervals of 0.02 % of the
/// temperature, and none above 1 %. A function of the range alone.
SceneTemperatures scene_temperatures(std::span<const double> table, const PointDensity& density);

}  // namespace ermine
