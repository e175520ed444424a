#pragma once

#include "core/id.hpp"
#include "core/single.hpp"
#include "medium/packed_point.hpp"
#include "medium/short_absorption.hpp"

#include <cstdint>
#include <cstring>

namespace ermine {

/// A gas of several components as the fast march reads it: one load for the state of a cell, one
/// for each component's k and one for the intensity (see PackedGasStorage). Rows come from far
/// away, and rays wait for them: so they are short.

/// Blackbody intensity of a band [W/(m2 sr)].
struct alignas(8) IntensityNode {
  float intensity;
  float rise;
};

/// `share`: from 0 to 1.
ERMINE_FUNCTION std::uint32_t share_code(float share) {
  constexpr std::uint32_t smallest = 97u << 23;  // 2^-30
  std::uint32_t bits;
  std::memcpy(&bits, &share, sizeof bits);
  // Numbers too small for the exponent are left out: hardware that ignores subnormal ones agrees.
  if (bits < smallest || bits >> 31) return 0;
  bits +=
      (1u << (share_shift - 1)) - 1 + (bits >> share_shift & 1u);  // to the nearest, ties to even
  return (bits - (96u << 23)) >> share_shift;
}
ERMINE_FUNCTION float share_value(std::uint32_t code) {
  return from_bits((code & ((1u << share_bits) - 1)) << share_shift) * share_scale;
}

/// `intervals` between the widths of the rows.
ERMINE_FUNCTION std::uint32_t width_code(float position, int intervals) {
  constexpr float unit = 1 << width_bits;
  const float most = static_cast<float>(intervals) * unit - 1;
  const float nearest = position * unit + 0.5f;
  const float within = nearest < most ? nearest : most;
  return static_cast<std::uint32_t>(within > 0 ? within : 0.0f) << share_bits;
}
ERMINE_FUNCTION int width_interval(std::uint32_t code) {
  return static_cast<int>(code >> (share_bits + width_bits));
}
ERMINE_FUNCTION float width_fraction(std::uint32_t code) {
  // Bits of the fraction after those of 1: conversions would wait for a slower unit.
  constexpr std::uint32_t fraction = ((1u << width_bits) - 1) << (23 - width_bits);
  static_assert(share_bits + width_bits > 23);
  return from_bits((code >> (share_bits + width_bits - 23) & fraction) | 0x3F800000u) - 1.0f;
}
/// Scaled k of a component whose share is 1; `fraction` of the way to the next node, `width` of
/// that to the next line width.
ERMINE_FUNCTION float absorption_at(const GasNode& k, float fraction, float width) {
  const float low = lower_short(k.narrow);
  const float narrow = fused(fraction, upper_short(k.narrow) - low, low);
  const float wide_low = lower_short(k.wide);
  const float wide = fused(fraction, upper_short(k.wide) - wide_low, wide_low);
  return fused(width, wide - narrow, narrow);
}

/// What a cell holds for the march: the position of its temperature among the nodes, and its
/// components. Walls: see GreyEntry.
template <int most>
struct alignas(16) GasEntry {
  static constexpr int components = most;
  float position;
  std::uint32_t component[most];
};

/// Positions of temperatures are counted in nodes of intensities.
struct PackedGasView {
  const PackedPoint* point;
  const IntensityNode* intensity;
  const GasNode* node[most_packed];  ///< (row * intervals + interval) * gas_nodes + node
  int nodes;                         ///< of intensities
  int gas_nodes;                     ///< of k
  float gas_nodes_per_node;          ///< intervals of k in each of the intensity, up to 1
  int components;
  int intervals[most_packed];  ///< between line widths, at least one
  float inverse_most;          ///< 1 / largest amount of all components; 0: there is none
  float scale;                 ///< k [1/m] of a scaled k of 1 and the largest amount
  float first;                 ///< position of the first node in the medium's coordinate,
  float steps;                 ///< whose unit has this many nodes
};

}  // namespace ermine
