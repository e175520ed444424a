#pragma once

#include "core/macros.hpp"

namespace ermine {

/// 1 / x. A GPU has an instruction for single precision, right to one unit in the last place; the
/// division of the language takes ten times as long.
ERMINE_FUNCTION float reciprocal(float x) {
#ifdef __CUDA_ARCH__
  return __fdividef(1.0f, x);
#else
  return 1.0f / x;
#endif
}

ERMINE_FUNCTION double reciprocal(double x) { return 1.0 / x; }

}  // namespace ermine
