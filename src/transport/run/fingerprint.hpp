#pragma once

#include <ermine/grid.hpp>
#include <ermine/medium.hpp>
#include <ermine/options.hpp>
#include <ermine/scattering.hpp>
#include <ermine/walls.hpp>

#include "core/fingerprint.hpp"

#include <array>
#include <vector>

namespace ermine {

/// Parts of a problem under the names of their keys in case files. Reading a medium takes a moment:
/// about a second for 8 GB.
Fingerprint fingerprint(const Grid& grid);
Fingerprint fingerprint(const Wall& wall, Face face);
Fingerprint fingerprint(const std::array<Wall, 6>& walls);
Fingerprint fingerprint(const Medium& medium);
Fingerprint fingerprint(const std::vector<Scattering>& scattering);
/// All but the number of threads, which may differ from machine to machine.
Fingerprint fingerprint(const Options& options);

}  // namespace ermine
