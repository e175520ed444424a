#pragma once

#include "core/pack.hpp"
#include "transport/scene/lane_scene.hpp"

namespace ermine {

/// Lengths along rays are in units of ln(2), as powers of two are what processors are good at.

/// Rays under way, all of them on the same level after the same number of crossings. Those that
/// end are taken out, so that the others stay together.
struct LaneRayStates {
  static constexpr int room = rays_together * most_lanes + 16;  // packs are stored whole
  float next[3][room];
  float slope[3][room];
  int index[3][room];
  float transmissivity[room];
  float intensity[room];
  float difference[room];
  int lane[room];   ///< of LaneCells, counted on from ray to ray
  int draws[room];  ///< of the ray's stream
  int row[room];    ///< of the spectral point [bytes]
};

/// Whether some of them are where a process has entries of the level.
template <class Pack>
bool has_entries(const LaneLevel& level, const LaneRayStates& rays, int first, unsigned in_use) {
  const int count[3] = {level.stride[1], level.stride[2] / level.stride[1], level.planes};
  for (; in_use; in_use &= in_use - 1) {
    for (int a = 0; a < 3; ++a) {
      const int within = rays.index[a][first + __builtin_ctz(in_use)] - level.low[a];
      if (within < 0 || within >= count[a]) return false;
    }
  }
  return true;
}

/// Rays that have ended.
struct LaneFindings {
  int count;
  float difference[LaneRayStates::room];
  int lane[LaneRayStates::room];

  template <class Pack>
  ERMINE_PACK void store(typename Pack::Float found, typename Pack::Int lanes, unsigned chosen) {
    const typename Pack::Compress compress(chosen);
    compress(found).store(difference + count);
    compress(lanes).store(lane + count);
    count += __builtin_popcount(chosen);
  }
};

/// Rays that have come to a black wall with the last step of a segment, and have yet to look at it.
struct LaneArrivals {
  int count;
  int cell[LaneRayStates::room];
  int row[LaneRayStates::room];
  float transmissivity[LaneRayStates::room];
  float intensity[LaneRayStates::room];
  float difference[LaneRayStates::room];
  int lane[LaneRayStates::room];
};

/// Some of LaneRayStates, in registers; who they are and what they have drawn stays in memory.
template <class Pack>
struct LanePack {
  using Float = typename Pack::Float;
  using Int = typename Pack::Int;

  Float next[3];
  Float slope[3];
  Int index[3];
  Float transmissivity;
  Float intensity;
  Float difference;
  Int row;

  ERMINE_PACK static LanePack load(const LaneRayStates& rays, int first) {
    LanePack pack;
    for (int a = 0; a < 3; ++a) {
      pack.next[a] = Float::load(rays.next[a] + first);
      pack.slope[a] = Float::load(rays.slope[a] + first);
      pack.index[a] = Int::load(rays.index[a] + first);
    }
    pack.transmissivity = Float::load(rays.transmissivity + first);
    pack.intensity = Float::load(rays.intensity + first);
    pack.difference = Float::load(rays.difference + first);
    pack.row = Int::load(rays.row + first);
    return pack;
  }

  /// Makes all others harmless: they walk where the first one might.
  ERMINE_PACK void keep(typename Pack::Mask used, const LaneRayStates& rays, int first) {
    for (int a = 0; a < 3; ++a) {
      index[a] = Pack::select(used, index[a], Int(rays.index[a][first]));
    }
    row = Pack::where(used, row);
    transmissivity = Pack::where(used, transmissivity);
    intensity = Pack::where(used, intensity);
    difference = Pack::where(used, difference);
  }

  /// Stores what they have, as `arrange` changes it.
  template <class Arrange>
  ERMINE_PACK void store(LaneRayStates& rays, int first, const Arrange& arrange) const {
    for (int a = 0; a < 3; ++a) {
      arrange(next[a]).store(rays.next[a] + first);
      arrange(slope[a]).store(rays.slope[a] + first);
      arrange(index[a]).store(rays.index[a] + first);
    }
    arrange(transmissivity).store(rays.transmissivity + first);
    arrange(intensity).store(rays.intensity + first);
    arrange(difference).store(rays.difference + first);
    arrange(row).store(rays.row + first);
  }

  ERMINE_PACK void store(LaneArrivals& arrivals, unsigned chosen, Int cell, Int lane) const {
    const typename Pack::Compress compress(chosen);
    const int first = arrivals.count;
    compress(cell).store(arrivals.cell + first);
    compress(row).store(arrivals.row + first);
    compress(transmissivity).store(arrivals.transmissivity + first);
    compress(intensity).store(arrivals.intensity + first);
    compress(difference).store(arrivals.difference + first);
    compress(lane).store(arrivals.lane + first);
    arrivals.count += __builtin_popcount(chosen);
  }
};

/// Leaves a pack as it is; others bring some of it together, see Compress.
struct AsTheyAre {
  template <class T>
  ERMINE_PACK T operator()(T a) const {
    return a;
  }
};

}  // namespace ermine
