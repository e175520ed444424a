#pragma once

#include <ermine/case.hpp>

#include <array>
#include <string>
#include <vector>

namespace ermine::cli {

/// A problem of the studies: gas rays only, spectral points drawn as emission has them.
struct BenchProblem {
  std::string name;
  std::string text;                   ///< case file; its numbers of cells are replaced
  std::array<int, 3> shape{1, 1, 1};  ///< cells along each axis, in units of the grid
  /// [K], where it is not that of the case file.
  double (*temperature)(const std::array<double, 3>& at) = nullptr;
  bool profile = false;  ///< Q depends on x only

  std::size_t cell_count(int grid) const;
  Case make(int grid, const std::string& backend) const;
  /// With 3 x 3 cells across, which has the same Q if this is a profile.
  Case make_profile(int grid, const std::string& backend) const;
};

/// All problems of `ermine bench error`. Cubes differ in gas and walls, not in temperature; flame
/// and furnace are those of `ermine validate`.
const std::vector<BenchProblem>& bench_problems();
const BenchProblem& bench_problem(const std::string& name);

/// Case 10 of the paper, a slab of water vapour with parabolic temperature, on grid^3 cells.
Case slab_problem(int grid, const std::string& backend);

/// A cube of water vapour of 1 m and 1 atm, hot and cold eddies of many sizes about 750 K, between
/// black walls of 750 K; grid^3 cells.
Case eddies_problem(int grid, const std::string& backend);

/// A channel of water vapour at 1 atm, 2 x 2 pi x 4 pi m, cells clustered at the black walls of 955
/// and 573 K, the other two axes periodic: steep mean temperature at the walls, random smooth modes
/// between them. grid^3 cells.
Case channel_problem(int grid, const std::string& backend);

/// Case file of that channel, and its temperature [K].
extern const char* const channel_case;
double channel_temperature(const std::array<double, 3>& at);

/// Temperature of that channel [K] once its modes have moved downstream by so many cells. Those
/// shorter than 16 cells are left out, but for the longest.
std::vector<double> moving_channel(const Grid& grid, double cells);

}  // namespace ermine::cli
