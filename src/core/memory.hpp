#pragma once

#include <unistd.h>

namespace ermine {

/// Memory of this machine [bytes].
inline double physical_memory() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace ermine
