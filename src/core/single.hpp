#pragma once

#include "core/macros.hpp"

#include <cmath>
#include <cstdint>

namespace ermine {

/// Operations on single precision that a GPU has one instruction for.

/// a b + c with one rounding.
ERMINE_FUNCTION float fused(float a, float b, float c) {
#ifdef __CUDA_ARCH__
  return __fmaf_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

/// 2^-x. The error of a GPU's instruction is below 2e-7.
ERMINE_FUNCTION float halvings(float x) {
#ifdef __CUDA_ARCH__
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(-x));
  return y;
#else
  return std::exp2(-x);
#endif
}

ERMINE_FUNCTION float smaller(float a, float b) {
#ifdef __CUDA_ARCH__
  return fminf(a, b);
#else
  return b < a ? b : a;
#endif
}

ERMINE_FUNCTION float with_sign_flipped(float x, std::uint32_t sign_bit) {
#ifdef __CUDA_ARCH__
  return __uint_as_float(__float_as_uint(x) ^ sign_bit);
#else
  return sign_bit ? -x : x;
#endif
}

/// A number from 0 up to 2^22 in two parts.
struct WholeAndFraction {
  int whole;
  float fraction;
};
ERMINE_FUNCTION WholeAndFraction in_parts(float x) {
#ifdef __CUDA_ARCH__
  // Rounded down to a whole number by its sum with 2^23, which is then in the low bits: conversions
  // would wait for a slower unit.
  constexpr float shift = 0x1p23f;
  const float sum = __fadd_rd(x, shift);
  return {__float_as_int(sum) - 0x4B000000, x - (sum - shift)};
#else
  const int whole = static_cast<int>(x);
  return {whole, x - static_cast<float>(whole)};
#endif
}

}  // namespace ermine
