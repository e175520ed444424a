#pragma once

#include <ermine/grid.hpp>
#include <ermine/result.hpp>

namespace ermine {

/// Throws Error where a value of a result is not a finite number: none may leave the program, to
/// be taken for an answer. Names the quantity and where it is.
void check_result(const Grid& grid, const Result& result, int threads);

}  // namespace ermine
