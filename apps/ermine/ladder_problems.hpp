#pragma once

#include <ermine/case.hpp>

#include <string>

namespace ermine::cli {

/// Case 10 of the paper, a slab of water vapour with parabolic temperature, on grid^3 cells: no
/// wall rays, spectral points drawn as emission has them.
Case slab_problem(int grid, const std::string& backend);

/// A cube of water vapour of 1 m and 1 atm, hot and cold eddies of many sizes about 750 K, between
/// black walls of 750 K; grid^3 cells, no wall rays.
Case eddies_problem(int grid, const std::string& backend);

}  // namespace ermine::cli
