#pragma once

#include <ermine/result.hpp>
#include <ermine/tracer.hpp>

#include <span>

namespace ermine {

/// Error of Q that comes from the size of the cells, by solving the same field on meshes of a half,
/// a quarter and an eighth of the cells along each axis (Richardson). In the norm of the tracer's
/// target [W/m3]. Costs about as much as a solution with so many rays per cell.
MeshError estimate_mesh_error(const Tracer& tracer, std::span<const double> temperature,
                              double rays_per_cell);

}  // namespace ermine
