#pragma once

#include <ermine/case.hpp>

#include <array>
#include <string>
#include <vector>

namespace ermine::cli {

/// Case 10 of the paper, a slab of water vapour with parabolic temperature, on grid^3 cells: no
/// wall rays, spectral points drawn as emission has them.
Case slab_problem(int grid, const std::string& backend);

/// The same slab on grid x 3 x 3 cells: Q depends on x only, so that this has the Q of
/// slab_problem.
Case slab_profile_problem(int grid, const std::string& backend);

/// A cube of water vapour of 1 m and 1 atm, hot and cold eddies of many sizes about 750 K, between
/// black walls of 750 K; grid^3 cells, no wall rays.
Case eddies_problem(int grid, const std::string& backend);

/// A channel of water vapour at 1 atm, 2 x 2 pi x 4 pi m, cells clustered at the black walls of 955
/// and 573 K, the other two axes periodic: steep mean temperature at the walls, random smooth modes
/// between them. grid^3 cells, no wall rays.
Case channel_problem(int grid, const std::string& backend);

/// Temperature of that channel [K] once its modes have moved downstream by so many cells. Those
/// shorter than 16 cells are left out, but for the longest.
std::vector<double> moving_channel(const Grid& grid, double cells);

/// What the command line of a problem says beside its file: cells per axis, gas rays only.
std::vector<std::string> problem_overrides(const std::array<int, 3>& cells,
                                           const std::string& backend);

}  // namespace ermine::cli
