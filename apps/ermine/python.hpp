#pragma once

#include <string>
#include <vector>

namespace ermine::cli {

/// Runs a script with Python: the one named in ERMINE_PYTHON, or the first that has the modules, or
/// the first. `input` is its standard input if not empty. Throws Error if there is no Python and
/// Failure if the script failed (it has then said why).
void run_python(const std::string& script, const std::vector<std::string>& arguments,
                const std::vector<std::string>& modules, const std::string& input = {});

}  // namespace ermine::cli
