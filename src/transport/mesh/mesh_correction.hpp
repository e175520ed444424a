#pragma once

#include <ermine/tracer.hpp>

#include "core/ranks.hpp"
#include "transport/scene/field_summary.hpp"

#include <array>
#include <span>
#include <vector>

namespace ermine {

/// What a mesh of cells, each of one temperature, leaves out of a solution: deterministic, from
/// differences of neighbouring temperatures (docs/theory/mesh.md). Zero where these are equal.
struct CorrectionField {
  std::vector<double> flux_divergence;           ///< per cell [W/m3]; empty: there is none
  std::array<std::vector<double>, 6> wall_flux;  ///< per face cell [W/m2], of ermine::Face
};

/// For a tracer whose options ask for one; else an empty one. Of the cells that are this rank's
/// part of all: the rest is zero until they share() what they have.
CorrectionField mesh_correction(const Tracer& tracer, const TemperatureField& temperature,
                                const Ranks& ranks = OneRank());
void share(CorrectionField& correction, const Grid& grid, const TemperatureField& temperature,
           Ranks& ranks);

void apply(const CorrectionField& correction, const Tracer& tracer, Result& result);

}  // namespace ermine
