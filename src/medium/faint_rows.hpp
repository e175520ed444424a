#pragma once

#include <ermine/gas_medium.hpp>

#include "medium/gas_points.hpp"
#include "medium/point_density.hpp"

#include <vector>

namespace ermine {

/// Spectral points of a mixture without the rows that hardly matter: at most points one species
/// absorbs nearly all, and looking the others up would take as long. Of each species those rows are
/// left out in which it is faintest beside the others, as long as they add up to less than 0.05 %
/// of what it exchanges: of its emission, through thin and thick gas, and of the light of others
/// and of walls that it absorbs, at all temperatures of the scene.
std::vector<GasListPoint> without_faint_rows(const GasMedium& gas, std::vector<GasListPoint> points,
                                             const PointDensity& density, int threads);

}  // namespace ermine
