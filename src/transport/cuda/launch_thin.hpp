#pragma once

#include "transport/cuda/launch_net.hpp"
#include "transport/thin/thin_view.hpp"

namespace ermine {

/// Sums over rays of a node, see ThinView.
struct NodeSums {
  double of[thin_parts];
};

/// Some replicates of rays from some tiles of nodes, one warp for each share of the rays of each
/// replicate of each tile: nodes are few.
struct NodeLaunch {
  int tiles;             ///< in this launch
  const int* tile_list;  ///< their numbers; null: the first ones
  ReplicateRange range;
  int shares;
  NodeSums* sums;  ///< ((replicate * shares + share) * tiles + tile) * cells_per_tile + lane
  RayTotals* totals;
};

/// What the GPU does with thin points. Segments is a SegmentMarch of rays of nodes.
template <class Segments>
struct ThinLauncher {
  /// Traces replicates; `found` becomes that of each node of each replicate, replicate *
  /// node_count + node. `block` as in NetLauncher.
  static void trace(const Segments& march, const HaloLevel* levels, const ThinView& view,
                    const NodeLaunch& launch, ThinParts* found, int block, const Stream& stream);

  /// Adds what was found to the means of a launch of cells; or, if they are not `traced`, makes
  /// them of it.
  static void add(const Segments& march, const ThinView& view, const ThinParts* found,
                  const NetLaunch& launch, bool traced, const Stream& stream);
};

/// Adds the totals of the tiles of some groups (null: of the first ones) to tallies, replicate
/// after replicate. `totals`: replicate * tiles + tile.
void launch_group_tallies(const TileGroups& groups, const int* list, int count, int replicates,
                          const double* totals, Tally* tallies, const Stream& stream);

}  // namespace ermine
