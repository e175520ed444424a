#pragma once

#include <ermine/case.hpp>
#include <ermine/result.hpp>

#include "progress_line.hpp"

#include <string>

namespace ermine::cli {

/// Solves a problem with these options in place of its own, and shows how far it is.
Result solve_shown(const Case& problem, const Options& options, const std::string& label,
                   Verbosity verbosity);

}  // namespace ermine::cli
