#pragma once

#include "transport/cuda/launch.hpp"
#include "transport/net/pooled_errors.hpp"
#include "transport/net/replicates.hpp"
#include "transport/scene/halo_field.hpp"

namespace ermine {

/// Some replicates of some tiles, one warp for each replicate of each tile.
struct NetLaunch {
  int tiles;             ///< in this launch
  const int* tile_list;  ///< their numbers; null: the first ones
  ReplicateRange range;
  double* means;  ///< of each origin: (replicate * tiles + tile) * cells_per_tile + lane
  RayTotals* totals;
  double* earlier_means = nullptr;  ///< where rays are followed in two fields at once
};

/// Tallies of the origins and tiles of a sum.
struct NetTallies {
  Tally* origins;
  Tally* tiles;
  /// Totals of tiles, replicate * tile_count + tile, where groups of them are tallied; else null.
  double* totals;
  /// Updates that are differences: values of replicates, replicate * origins + origin, of the one
  /// before, which become those of this one (see carried_on()); else null.
  double* carried;
  double keep;
  const char* changed_starts;  ///< of origins, 1: nothing is kept; null: none (changed_starts())
};

/// What the GPU does with a net. Trace is a CellTracer or WallTracer of NetRays whose arrays lie on
/// the device.
template <class Trace>
struct NetLauncher {
  /// Traces replicates. `block`: threads per block, up to 128, a multiple of 32.
  static void trace(const Trace& trace, const NetLaunch& launch, int block, const Stream& stream);

  /// Adds the means of a launch to tallies, replicate after replicate; those of `other`, if there
  /// is one, are taken off before, or are those of the earlier field where values are carried on.
  static void tally(const Trace& trace, const NetLaunch& launch, const double* other,
                    const NetTallies& tallies, const Stream& stream);

  /// Estimates of origins with pooled errors, see pooled_estimate().
  static void estimate(const Trace& trace, const Tally* tallies, const CellKinds& kinds,
                       Estimate* estimates, const Stream& stream);
};

/// Traces replicates of cells, or of face cells of walls. Segments is a SegmentMarch.
template <class Segments>
struct SegmentLauncher {
  /// Fills the entries of all levels.
  static void fill(const Segments& march, const HaloLevels& levels,
                   typename Segments::Entry* entries, const Stream& stream);
  static void trace(const Segments& march, const HaloLevel* levels, const NetLaunch& launch,
                    int block, const Stream& stream);
};

/// Estimates of tallies.
void launch_estimates(const Tally* tallies, Estimate* estimates, std::size_t count,
                      const Stream& stream);

}  // namespace ermine
