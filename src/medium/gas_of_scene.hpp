#pragma once

#include <ermine/gas_medium.hpp>

#include "medium/point_density.hpp"

namespace ermine {

/// The gas at the nodes of a scene (scene_temperatures()): k along smooth curves through the rows
/// of the gas, intensities exact. Between the nodes rays take both as linear. The gas as it is
/// where its own nodes are close enough, or where it would become too long. `threads` of the CPU.
GasMedium gas_of_scene(const GasMedium& gas, const PointDensity& density, int threads);

}  // namespace ermine
