#pragma once

#include <ermine/tracer.hpp>

#include "core/ranks.hpp"

#include <array>
#include <span>
#include <vector>

namespace ermine {

/// What a mesh of cells, each of one temperature, leaves out of a solution: deterministic, from
/// differences of neighbouring temperatures (docs/theory/mesh.md). Zero where these are equal.
struct CorrectionField {
  std::vector<double> flux_divergence;           ///< per cell [W/m3]; empty: there is none
  std::array<std::vector<double>, 6> wall_flux;  ///< per face cell [W/m2], of ermine::Face
  std::size_t planes = 0;                        ///< of cells across z
};

/// For a tracer whose options ask for one; else an empty one. Of the planes that are this rank's
/// part of all: the rest is zero until they share() what they have.
CorrectionField mesh_correction(const Tracer& tracer, std::span<const double> temperature,
                                const Ranks& ranks = OneRank());
void share(CorrectionField& correction, Ranks& ranks);

void apply(const CorrectionField& correction, const Tracer& tracer, Result& result);

/// Wavenumber [1/m] of the structures of a field, as far as its second differences along an axis
/// show them: root mean square of the gradient of these over that of themselves. 0: there are none.
/// Cells that are `transparent` (none: empty) have no temperature to speak of.
double structure_wavenumber(const Grid& grid, std::span<const double> field, std::size_t axis,
                            int threads, std::span<const char> transparent = {});

}  // namespace ermine
