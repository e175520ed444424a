#pragma once

#include <ermine/result.hpp>
#include <ermine/tracer.hpp>

#include <span>

namespace ermine {

/// Error of Q that comes from the size of the cells, by solving the same field on meshes of a half,
/// a quarter and an eighth of the cells along each axis (Richardson). Root mean square over cells
/// [W/m3]. Costs about as much as a solution with so many rays per cell. Not estimated where an
/// axis that is walled, or along which the temperature differs, has less than 8 cells.
MeshError estimate_mesh_error(const Tracer& tracer, std::span<const double> temperature,
                              double rays_per_cell);

}  // namespace ermine
