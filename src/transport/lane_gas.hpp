#pragma once

#include "core/pack.hpp"
#include "transport/lane_scene.hpp"

namespace ermine {

/// What rays meet in their cells, see GreyEntry.
template <class Pack>
struct LaneGas {
  typename Pack::Float absorption;
  typename Pack::Float intensity;
  typename Pack::Mask wall;  ///< black
};

/// Spectral point of a table.
template <class Pack>
struct TableGas {
  using Float = typename Pack::Float;
  using Int = typename Pack::Int;

  /// Rays may start at nodes.
  static constexpr bool has_nodes = true;

  const float* coordinate;
  const float* node;  ///< of the first of the points in use
  int nodes;

  ERMINE_PACK TableGas(const LaneScene& scene, int first_point)
      : coordinate(static_cast<const float*>(scene.entry)),
        node(scene.node + 4 * static_cast<long>(first_point) * scene.nodes),
        nodes(scene.nodes) {}

  /// Asks for the row of a point that is needed soon: rows come from far away.
  ERMINE_PACK static void prefetch(const LaneScene& scene, int point) {
    const float* row = scene.node + 4 * static_cast<long>(point) * scene.nodes;
    for (int i = 0; i < scene.nodes; i += 4) __builtin_prefetch(row + 4 * i);
  }

  /// Of the row of a point, so many after the first [bytes].
  ERMINE_PACK Int row(int points) const { return Int(points * nodes * 16); }

  /// What cells have in store, in memory: its parts are addresses.
  struct Place {
    alignas(64) int node[Pack::width];  ///< [bytes]
    alignas(64) float fraction[Pack::width];
  };

  ERMINE_PACK void find(const int* cell, Int row_of, Place& place) const {
    find(Pack::gather(coordinate, cell), row_of, place);
  }
  ERMINE_PACK void find(Float at, Int row_of, Place& place) const {
    const Int lower = Pack::truncate(Pack::absolute(at));
    (lower.template left<4>() + row_of).store(place.node);
    // Keeps its sign, and NaN leads to the first node.
    (Pack::absolute(at) - Pack::to_float(lower)).with_sign_of(at).store(place.fraction);
  }

  ERMINE_PACK LaneGas<Pack> at(const Place& place) const {
    const Float fraction = Float::load(place.fraction);
    Float absorption, absorption_rise, intensity, intensity_rise;
    Pack::quadruples(node, place.node, absorption, absorption_rise, intensity, intensity_rise);
    const Float way = Pack::absolute(fraction);
    return {Pack::fma(way, absorption_rise, absorption), Pack::fma(way, intensity_rise, intensity),
            Pack::negative(fraction)};
  }
};

template <class Pack>
struct GreyGas {
  static constexpr bool has_nodes = false;

  const GreyEntry* entry;

  ERMINE_PACK GreyGas(const LaneScene& scene, int)
      : entry(static_cast<const GreyEntry*>(scene.entry)) {}

  ERMINE_PACK static void prefetch(const LaneScene&, int) {}
  ERMINE_PACK typename Pack::Int row(int) const { return typename Pack::Int(0); }

  struct Place {
    alignas(64) float absorption[Pack::width];
    alignas(64) float intensity[Pack::width];
  };

  ERMINE_PACK void find(const int* cell, typename Pack::Int, Place& place) const {
    typename Pack::Float absorption, intensity;
    Pack::halves(entry, cell, absorption, intensity);
    absorption.store(place.absorption);
    intensity.store(place.intensity);
  }

  ERMINE_PACK LaneGas<Pack> at(const Place& place) const {
    const auto absorption = Pack::Float::load(place.absorption);
    return {absorption, Pack::Float::load(place.intensity), Pack::negative(absorption)};
  }
};

}  // namespace ermine
