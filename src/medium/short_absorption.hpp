#pragma once

#include "core/macros.hpp"
#include "medium/packed_point.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace ermine {

/// Absorption coefficients in 16 bits: 6 of an exponent and 10 of a mantissa, laid out as in single
/// precision, whose lowest exponents they have. Numbers are scaled by a power of two so that the
/// largest has the highest exponent but one, for rounding; what is 2^-62 of it is zero. Relative
/// rounding errors are at most 2^-11, of either sign: sums over hundreds of spectral points have
/// next to nothing of them.
ERMINE_FUNCTION float from_bits(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return __uint_as_float(bits);
#else
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
#endif
}

/// Power of two by which to scale numbers up to `largest`.
inline int short_exponent(double largest) {
  int exponent = 0;
  std::frexp(largest, &exponent);
  return -64 - exponent;
}

/// Of a scaled number, to the nearest, ties to even.
inline std::uint16_t short_code(double scaled) {
  constexpr std::uint32_t smallest = 1u << 23;  // below, exponents of single precision end
  const auto value = static_cast<float>(scaled);
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (bits < smallest || bits >> 31) return 0;
  bits += (1u << (short_shift - 1)) - 1 + (bits >> short_shift & 1u);
  return static_cast<std::uint16_t>(bits >> short_shift);
}

/// Scaled numbers of two codes in one word.
ERMINE_FUNCTION float lower_short(std::uint32_t word) {
  return from_bits((word & 0xFFFFu) << short_shift);
}
ERMINE_FUNCTION float upper_short(std::uint32_t word) {
  return from_bits((word >> 16) << short_shift);
}

}  // namespace ermine
