#pragma once

#include "core/pack.hpp"

namespace ermine {

/// 2^-x for 0 <= x <= 125, relative error 2e-7; x = 0 gives 1. 2^-x = 2^-n 2^-g with |g| <= 1/2;
/// 2^-g by the polynomial of smallest relative error (1.1e-7) that is 1 at 0, paired (Estrin) so
/// that few steps wait for each other.
template <class Pack>
ERMINE_PACK typename Pack::Float halvings(typename Pack::Float x) {
  using Float = typename Pack::Float;
  const Float g = x - Pack::round(x);
  const auto n = Pack::nearest(x).template left<23>();
  const Float p01 = Pack::fma(Float(-6.931470037e-1f), g, Float(1.0f));
  const Float p23 = Pack::fma(Float(-5.550733581e-2f), g, Float(2.402224243e-1f));
  const Float p45 = Pack::fma(Float(-1.326472731e-3f), g, Float(9.671512991e-3f));
  const Float square = g * g;
  const Float p = Pack::fma(Pack::fma(p45, square, p23), square, p01);
  return Pack::from_bits(Pack::bits_of(p) - n);
}

}  // namespace ermine
