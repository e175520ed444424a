#pragma once

#include "core/macros.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace ermine {

/// -ln((word + 1/2) / 2^32), an exponential variate. Written out, with every rounding fixed, so
/// that all backends get the same bits: a last bit could send a ray to another spectral point.
ERMINE_FUNCTION float exponential_variate(std::uint32_t word) {
  // (word + 1/2) / 2^32 = m 2^e with m in [1/sqrt(2), sqrt(2)).
  const float value = static_cast<float>(word) + 0.5f;
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t shifted = bits - 0x3F3504F3u;  // 1/sqrt(2)
  const int exponent = static_cast<int>(shifted >> 23) - 32 - (shifted >> 31 ? 512 : 0);
  bits = (shifted & 0x007FFFFFu) + 0x3F3504F3u;
  float mantissa;
  std::memcpy(&mantissa, &bits, sizeof mantissa);
  // ln m = 2 artanh(z), z = (m - 1) / (m + 1), |z| < 0.172: series to z^9.
  const float z = (mantissa - 1.0f) / (mantissa + 1.0f);
  const float z2 = z * z;
  float series = std::fma(z2, 2.0f / 9, 2.0f / 7);
  series = std::fma(series, z2, 2.0f / 5);
  series = std::fma(series, z2, 2.0f / 3);
  series = std::fma(series, z2, 2.0f);
  return -std::fma(static_cast<float>(exponent), 0.693147181f, z * series);
}

/// The n smallest-to-largest of n independent uniform variates u, one after the other, without
/// storing or sorting them, as levels L = -ln(1 - u): the gap from the i-th to the next is an
/// exponential variate over n - i (A. Renyi, Acta Math. Acad. Sci. Hung. 4, 1953). Levels, unlike
/// u, lose no digits at either end.
class OrderedUniforms {
 public:
  ERMINE_FUNCTION explicit OrderedUniforms(std::uint32_t count) : left_(count) {}

  ERMINE_FUNCTION double next(std::uint32_t word) {
    level_ += static_cast<double>(exponential_variate(word) / static_cast<float>(left_));
    --left_;
    return level_;
  }

 private:
  std::uint32_t left_;
  double level_ = 0.0;
};

}  // namespace ermine
