#pragma once

#include "core/pack.hpp"
#include "transport/lane_scene.hpp"

namespace ermine {

/// Lengths along rays are in units of ln(2), as powers of two are what processors are good at.
inline constexpr float log2_e = 1.44269504f;

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

/// Rays that have ended.
struct LaneFindings {
  int count;
  float difference[LaneRayStates::room];
  int lane[LaneRayStates::room];
};

/// Some of LaneRayStates, in registers.
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
  Int lane;
  Int draws;
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
    pack.lane = Int::load(rays.lane + first);
    pack.draws = Int::load(rays.draws + first);
    pack.row = Int::load(rays.row + first);
    return pack;
  }

  /// Makes all others harmless.
  ERMINE_PACK void keep(typename Pack::Mask used) {
    for (int a = 0; a < 3; ++a) index[a] = Pack::where(used, index[a]);
    row = Pack::where(used, row);
    transmissivity = Pack::where(used, transmissivity);
    intensity = Pack::where(used, intensity);
    difference = Pack::where(used, difference);
  }

  /// What a segment changes, where the rest is already.
  ERMINE_PACK void store_in_place(LaneRayStates& rays, int first) const {
    for (int a = 0; a < 3; ++a) {
      next[a].store(rays.next[a] + first);
      slope[a].store(rays.slope[a] + first);
      index[a].store(rays.index[a] + first);
    }
    transmissivity.store(rays.transmissivity + first);
    intensity.store(rays.intensity + first);
    difference.store(rays.difference + first);
    draws.store(rays.draws + first);
  }

  /// Stores the chosen ones, one after the other.
  ERMINE_PACK void store(LaneRayStates& rays, int first, unsigned chosen) const {
    const typename Pack::Compress compress(chosen);
    for (int a = 0; a < 3; ++a) {
      compress(next[a]).store(rays.next[a] + first);
      compress(slope[a]).store(rays.slope[a] + first);
      compress(index[a]).store(rays.index[a] + first);
    }
    compress(transmissivity).store(rays.transmissivity + first);
    compress(intensity).store(rays.intensity + first);
    compress(difference).store(rays.difference + first);
    compress(lane).store(rays.lane + first);
    compress(draws).store(rays.draws + first);
    compress(row).store(rays.row + first);
  }

  ERMINE_PACK void store(LaneFindings& findings, unsigned chosen) const {
    const typename Pack::Compress compress(chosen);
    compress(difference).store(findings.difference + findings.count);
    compress(lane).store(findings.lane + findings.count);
    findings.count += __builtin_popcount(chosen);
  }
};

}  // namespace ermine
