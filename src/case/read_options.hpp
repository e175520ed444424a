#pragma once

#include <ermine/coupling.hpp>
#include <ermine/options.hpp>

#include "case/section.hpp"

namespace ermine {

/// The table [solver] of a case.
Options read_options(const Section& top);

/// The table [coupling].
CouplingOptions read_coupling(const Section& top);

}  // namespace ermine
