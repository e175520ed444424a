#pragma once

#include <ermine/grid.hpp>
#include <ermine/medium.hpp>

#include "case/section.hpp"

#include <filesystem>

namespace ermine {

/// The table [medium] of a case: grey, a gas or mixture that ermine knows, or a table in a file.
Medium read_medium(const Section& top, const Grid& grid, const std::filesystem::path& folder);

}  // namespace ermine
