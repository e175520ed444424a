#pragma once

#include <cstdint>

namespace ermine {

/// Components of a gas, and of one that the fast march knows.
inline constexpr int most_gas_components = 6;
inline constexpr int most_packed = 5;

/// A component in a cell, in 32 bits. The lower 19: its amount as a share of the largest in the
/// scene, with 6 bits of an exponent and 13 of a mantissa, laid out as in single precision, whose
/// exponents are larger by 96; shares below 2^-30 are zero. The upper 13: the position of its line
/// width among those of its rows, 4 bits for the number of the one below and 9 for the fraction.
inline constexpr int share_bits = 19;
inline constexpr int share_shift = 23 - 13;
inline constexpr float share_scale = 0x1p96f;
inline constexpr int width_bits = 9;
inline constexpr int most_width_intervals = 16;

/// Short codes of k: see short_absorption.hpp.
inline constexpr int short_shift = 13;

/// k of a row around one temperature node and one line width, in short codes: at this node and, in
/// the upper half of a word, at the next; of this width and of the next.
struct alignas(8) GasNode {
  std::uint32_t narrow;
  std::uint32_t wide;
};

/// Rows of a spectral point: where the nodes of its band and of each component begin; 0: those of
/// no gas, a component that need not be looked at.
struct alignas(16) PackedPoint {
  float weight;  ///< of the point among those of its band, which intensities are multiplied by
  int band;
  int row[most_packed];
};

}  // namespace ermine
