#pragma once

#include "core/pack.hpp"
#include "transport/scene/lane_scene.hpp"

namespace ermine {

/// What rays meet in their cells, see GreyEntry.
template <class Pack>
struct LaneGas {
  typename Pack::Float absorption;
  typename Pack::Float intensity;
  typename Pack::Mask wall;  ///< black
};

/// Where rays are at once: numbers of cells, or positions of temperatures.
template <class Pack, class Gas, class At>
ERMINE_PACK LaneGas<Pack> look_up(const Gas& gas, const At& at, typename Pack::Int row) {
  typename Gas::Place place;
  gas.find(at, row, place);
  // Components that are absent are neither found nor used, which compilers cannot see: without this
  // they warn of values that may be uninitialised.
  asm volatile("" : "+m"(place));
  return gas.at(place);
}

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
  ERMINE_PACK Int row(int points, int) { return Int(points * nodes * 16); }

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

/// Spectral point of a gas of so many components, see GasEntry and PackedGasView.
template <class Pack, int components>
struct ComponentGas {
  using Float = typename Pack::Float;
  using Int = typename Pack::Int;

  static constexpr bool has_nodes = true;
  /// What cells hold, in four words each.
  static constexpr int quads = components > 3 ? 2 : 1;

  const LaneScene& scene;
  int first_point;
  // Of the rays that are together, by their number.
  unsigned present = 0;  ///< bits of the components that any of them has
  alignas(64) int band[16] = {};
  alignas(64) int rows[components][16] = {};

  ERMINE_PACK ComponentGas(const LaneScene& of, int first) : scene(of), first_point(first) {}

  ERMINE_PACK static void prefetch(const LaneScene& scene, int point) {
    __builtin_prefetch(scene.point + point);
  }

  /// Rows of a point are looked up by the number of its ray.
  ERMINE_PACK Int row(int points, int number) {
    static_assert(rays_together <= Pack::width);
    const PackedPoint& point = scene.point[first_point + points];
    band[number] = point.band;
    for (int c = 0; c < components; ++c) {
      rows[c][number] = point.row[c];
      if (point.row[c] != 0) present |= 1u << c;
    }
    return Int(number);
  }

  struct Place {
    alignas(64) int node[components][Pack::width];
    alignas(64) int intensity[Pack::width];
    alignas(64) float fraction[Pack::width];      ///< between nodes of the intensity
    alignas(64) float gas_fraction[Pack::width];  ///< between those of k
    alignas(64) float amount[components][Pack::width];
    alignas(64) float width[components][Pack::width];
  };

  ERMINE_PACK void find(const int* cell, Int number, Place& place) const {
    Float word[4 * quads];
    int bytes[Pack::width];
    for (int q = 0; q < quads; ++q) {
      (Int::load(cell) * Int(16 * quads) + Int(16 * q)).store(bytes);
      Pack::quadruples(static_cast<const float*>(scene.entry), bytes, word[4 * q], word[4 * q + 1],
                       word[4 * q + 2], word[4 * q + 3]);
    }
    const Float position = Pack::absolute(word[0]);
    // NaN leads to the first node.
    const Int lower = Pack::truncate(position) & Int(0x7FFFFFFF);
    (position - Pack::to_float(lower)).with_sign_of(word[0]).store(place.fraction);
    (Pack::lookup(Int::load(band), number) + lower).store(place.intensity);
    const Float of_gas = position * Float(scene.gas_nodes_per_node);
    const Int below = Pack::truncate(of_gas) & Int(0x7FFFFFFF);
    (of_gas - Pack::to_float(below)).store(place.gas_fraction);
    for (int c = 0; c < components; ++c) {
      if (!has(c)) continue;
      const Int code = Pack::bits_of(word[1 + c]);
      const Int interval = code.template right<share_bits + width_bits>();
      const Int node = Pack::lookup(Int::load(rows[c]), number) + interval * Int(scene.gas_nodes);
      (node + below).store(place.node[c]);
      const Int width = code.template right<share_bits>() & Int((1 << width_bits) - 1);
      (Pack::to_float(width) * Float(1.0f / (1 << width_bits))).store(place.width[c]);
      const Int share = (code & Int((1 << share_bits) - 1)).template left<share_shift>();
      (Pack::from_bits(share) * Float(share_scale)).store(place.amount[c]);
    }
  }

  /// Where there is no gas, at a temperature.
  ERMINE_PACK void find(Float position, Int number, Place& place) const {
    const Int lower = Pack::truncate(position);
    (position - Pack::to_float(lower)).store(place.fraction);
    (Pack::lookup(Int::load(band), number) + lower).store(place.intensity);
    Float(0.0f).store(place.gas_fraction);
    for (int c = 0; c < components; ++c) {
      if (!has(c)) continue;
      Pack::lookup(Int::load(rows[c]), number).store(place.node[c]);
      Float(0.0f).store(place.amount[c]);
      Float(0.0f).store(place.width[c]);
    }
  }

  ERMINE_PACK LaneGas<Pack> at(const Place& place) const {
    const Float fraction = Float::load(place.fraction);
    const Float way = Pack::absolute(fraction);
    const Float gas_way = Float::load(place.gas_fraction);
    Float absorption(0.0f);
    for (int c = 0; c < components; ++c) {
      if (!has(c)) continue;
      Float narrow_codes, wide_codes;
      Pack::halves(scene.component[c], place.node[c], narrow_codes, wide_codes);
      const Float narrow = between(gas_way, Pack::bits_of(narrow_codes));
      const Float wide = between(gas_way, Pack::bits_of(wide_codes));
      const Float of_one = Pack::fma(Float::load(place.width[c]), wide - narrow, narrow);
      absorption = Pack::fma(Float::load(place.amount[c]), of_one, absorption);
    }
    struct Pair {
      float intensity, rise;
    };
    Float intensity, rise;
    Pack::halves(reinterpret_cast<const Pair*>(scene.intensity), place.intensity, intensity, rise);
    return {absorption * Float(scene.gas_scale), Pack::fma(way, rise, intensity),
            Pack::negative(fraction)};
  }

 private:
  ERMINE_PACK bool has(int component) const { return present >> component & 1u; }

  /// Of two short codes, see GasNode.
  ERMINE_PACK static Float between(Float way, Int codes) {
    const Float low = Pack::from_bits((codes & Int(0xFFFF)).template left<short_shift>());
    const Float high = Pack::from_bits(codes.template right<16>().template left<short_shift>());
    return Pack::fma(way, high - low, low);
  }
};
template <class Pack>
using OneGas = ComponentGas<Pack, 1>;
template <class Pack>
using TwoGases = ComponentGas<Pack, 2>;
template <class Pack>
using ThreeGases = ComponentGas<Pack, 3>;
template <class Pack>
using FourGases = ComponentGas<Pack, 4>;
template <class Pack>
using FiveGases = ComponentGas<Pack, 5>;

template <class Pack>
struct GreyGas {
  static constexpr bool has_nodes = false;

  const GreyEntry* entry;

  ERMINE_PACK GreyGas(const LaneScene& scene, int)
      : entry(static_cast<const GreyEntry*>(scene.entry)) {}

  ERMINE_PACK static void prefetch(const LaneScene&, int) {}
  ERMINE_PACK typename Pack::Int row(int, int) { return typename Pack::Int(0); }

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
