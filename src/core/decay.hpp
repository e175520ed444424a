#pragma once

#include "core/macros.hpp"
#include "core/reciprocal.hpp"

#include <cstdint>
#include <cstring>

namespace ermine {

/// exp(-x) for x >= 0, inlined in the march of every backend: a library call there would spill
/// the ray's registers and differ from host to device. exp(-x) = 2^-n exp(r) with x = n ln 2 - r
/// and |r| <= ln(2)/2; exp(r) by its Taylor series, paired (Estrin) so that products overlap.
/// Relative error below 1e-15. NaN and x beyond the smallest normal number give 0.
ERMINE_FUNCTION double decay(double x) {
  // Cells of a resolved grid are optically thin: the series itself, without the reduction.
  if (x < 0.0625) {
    const double x2 = x * x;
    const double low = (1.0 - x) + x2 * (1.0 / 2 - x * (1.0 / 6));
    const double high = (1.0 / 24 - x * (1.0 / 120)) + x2 * (1.0 / 720 - x * (1.0 / 5040));
    return low + x2 * x2 * (high + x2 * x2 * (1.0 / 40320));
  }
  if (!(x < 708.0)) return 0.0;
  constexpr double shift = 0x1.8p52;  // adding it rounds to an integer kept in the low bits
  const double shifted = x * 1.4426950408889634 + shift;
  std::uint64_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  const double n = shifted - shift;
  const double r = (n * 6.93147180369123816490e-01 - x) + n * 1.90821492927058770002e-10;
  const double r2 = r * r;
  const double r4 = r2 * r2;
  const double p01 = 1.0 + r;
  const double p23 = 1.0 / 2 + r * (1.0 / 6);
  const double p45 = 1.0 / 24 + r * (1.0 / 120);
  const double p67 = 1.0 / 720 + r * (1.0 / 5040);
  const double p89 = 1.0 / 40320 + r * (1.0 / 362880);
  const double pab = 1.0 / 3628800 + r * (1.0 / 39916800);
  const double low = p01 + r2 * p23;
  const double middle = p45 + r2 * p67;
  const double high = p89 + r2 * (pab + r2 * (1.0 / 479001600));
  const double series = low + r4 * (middle + r4 * high);
  const std::uint64_t scale_bits = (std::uint64_t{1023} - bits) << 52;
  double scale;
  std::memcpy(&scale, &scale_bits, sizeof scale);
  return series * scale;
}

/// The same in single precision, relative error below 2e-7. A GPU has an instruction for it, whose
/// error is below 2e-7 (1 + x).
ERMINE_FUNCTION float decay(float x) {
#ifdef __CUDA_ARCH__
  return __expf(-x);
#else
  if (x < 0.0625f) {
    const float x2 = x * x;
    return (1.0f - x) + x2 * ((1.0f / 2 - x * (1.0f / 6)) + x2 * (1.0f / 24));
  }
  if (!(x < 87.0f)) return 0.0f;
  constexpr float shift = 0x1.8p23f;
  const float shifted = x * 1.44269504f + shift;
  std::uint32_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  const float n = shifted - shift;
  const float r = (n * 0.693145752f - x) + n * 1.42860677e-6f;
  const float r2 = r * r;
  const float low = 1.0f + r + r2 * (1.0f / 2 + r * (1.0f / 6));
  const float high = 1.0f / 24 + r * (1.0f / 120) + r2 * (1.0f / 720 + r * (1.0f / 5040));
  const std::uint32_t scale_bits = (std::uint32_t{127} - bits) << 23;
  float scale;
  std::memcpy(&scale, &scale_bits, sizeof scale);
  return (low + r2 * r2 * high) * scale;
#endif
}

/// Mean of exp(-y) for y from 0 to x: (1 - exp(-x)) / x, without its cancellation at small x.
/// Relative error below 1e-14, and 3e-6 in single precision.
ERMINE_FUNCTION double mean_decay(double x) {
  if (x >= 0.0625) return (1.0 - decay(x)) / x;
  const double x2 = x * x;
  const double low = (1.0 - x * (1.0 / 2)) + x2 * (1.0 / 6 - x * (1.0 / 24));
  const double high = (1.0 / 120 - x * (1.0 / 720)) + x2 * (1.0 / 5040 - x * (1.0 / 40320));
  return low + x2 * x2 * high;
}
ERMINE_FUNCTION float mean_decay(float x) {
  if (x >= 0.125f) return (1.0f - decay(x)) * reciprocal(x);
  const float x2 = x * x;
  return (1.0f - x * (1.0f / 2)) + x2 * ((1.0f / 6 - x * (1.0f / 24)) + x2 * (1.0f / 120));
}

}  // namespace ermine
