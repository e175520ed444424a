#pragma once

#include <ermine/medium.hpp>

#include "case/read_field.hpp"

#include <filesystem>

namespace ermine {

/// The table [medium] of a case: grey, a gas or mixture that ermine knows, or a table in a file.
/// `cells`: where its fields are wanted.
Medium read_medium(const Section& top, const FieldSites& cells,
                   const std::filesystem::path& folder);

}  // namespace ermine
