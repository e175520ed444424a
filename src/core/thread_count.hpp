#pragma once

#include <omp.h>

namespace ermine {

/// Threads of the CPU where so many are wanted; 0: all that the machine offers.
inline int thread_count(int wanted) { return wanted > 0 ? wanted : omp_get_max_threads(); }

}  // namespace ermine
