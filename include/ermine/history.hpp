#pragma once

#include <cstdint>
#include <vector>

namespace ermine {

/// What an update of a coupled run takes over from the one before: the levels of detail that were
/// chosen at the first and, where Options::temporal is `difference`, the solution, of one medium
/// between the same walls. Plain values, for restart files: from copies of them a run goes on with
/// the same bits.
struct History {
  std::uint64_t updates = 0;        ///< so far
  std::vector<double> temperature;  ///< of the last one, one per cell [K]
  /// Q of each replicate [W/m3], replicate * cells + cell, as rays have it: without the mesh
  /// correction.
  std::vector<double> flux_divergence;
  /// The same of net heat fluxes [W/m2], replicate * wall face cells + face cell, with the sides in
  /// the order of ermine::Face.
  std::vector<double> wall_flux;
  int levels = 0;           ///< of detail, for rays of cells; 0: not chosen yet
  int steps_per_level = 0;  ///< the same
  int wall_levels = 0;      ///< the same for rays of walls
  int wall_steps_per_level = 0;

  /// Keeps nothing but the levels.
  void forget_solution() {
    updates = 0;
    temperature.clear();
    flux_divergence.clear();
    wall_flux.clear();
  }

  bool empty() const { return updates == 0; }
  friend bool operator==(const History&, const History&) = default;
};

}  // namespace ermine
