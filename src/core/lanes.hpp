#pragma once

#include "core/macros.hpp"
#include "core/watch.hpp"

namespace ermine {

/// How a thread takes its turns with others.

/// It does not: it works until its work is done.
struct Alone {
  ERMINE_FUNCTION static bool any(bool condition) { return condition; }
  ERMINE_FUNCTION static bool pause(bool working, bool) { return !working; }
  /// Whether nobody wants its work any more. On a GPU launches are short, and end.
  ERMINE_FUNCTION static bool stop() {
#ifdef __CUDA_ARCH__
    return false;
#else
    return stop_asked();
#endif
  }
};

/// The threads of a GPU's warp, which go on at the same time or wait for each other. Every one of
/// them must ask. A thread of the host is alone.
struct Warp {
  /// Whether this is so for any of them.
  ERMINE_FUNCTION static bool any(bool condition) {
#ifdef __CUDA_ARCH__
    return __any_sync(0xFFFFFFFFu, condition);
#else
    return condition;
#endif
  }

  /// Whether to stop for a moment and let those who wait begin new work: when a third of them
  /// waits, or none works.
  ERMINE_FUNCTION static bool pause(bool working, bool waiting) {
#ifdef __CUDA_ARCH__
    return __popc(__ballot_sync(0xFFFFFFFFu, waiting)) >= 12 || !__any_sync(0xFFFFFFFFu, working);
#else
    return Alone::pause(working, waiting);
#endif
  }
  ERMINE_FUNCTION static bool stop() { return Alone::stop(); }
};

}  // namespace ermine
