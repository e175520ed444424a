#pragma once

#include "core/fp_guard.hpp"

#include <omp.h>

namespace ermine {

/// Threads of the CPU where so many are wanted; 0: all that the machine offers. For a parallel
/// region to come: under a guard, they compute in the default environment from now on.
inline int thread_count(int wanted) {
  const int threads = wanted > 0 ? wanted : omp_get_max_threads();
  FloatingPointGuard::hold_threads(threads);
  return threads;
}

}  // namespace ermine
