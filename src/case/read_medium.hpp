#pragma once

#include <ermine/particles.hpp>

#include "case/read_field.hpp"

#include <filesystem>
#include <vector>

namespace ermine {

/// The table [medium] of a case: grey, a gas or mixture that ermine knows, or a table in a file.
/// `cells`: where its fields are wanted.
/// Without what particles absorb.
Medium read_medium(const Section& top, const FieldSites& cells,
                   const std::filesystem::path& folder);
/// Its tables [medium.particles.NAME].
std::vector<Particles> read_particles(const Section& top, const FieldSites& cells,
                                      const std::filesystem::path& folder);

}  // namespace ermine
