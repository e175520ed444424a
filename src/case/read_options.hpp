#pragma once

#include <ermine/options.hpp>

#include "case/section.hpp"

namespace ermine {

/// The table [solver] of a case.
Options read_options(const Section& top);

}  // namespace ermine
