#pragma once

#include "core/check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace ermine {

/// How long processes wait for one that does not come to a call of all [s]. Imbalance of a flow
/// code, a restart file written by one process for instance, must not count as failure; a job that
/// waits for ever costs more than one that ends.
struct Patience {
  double warning = 600.0;
  double limit = 3600.0;  ///< 0: for ever

  static Patience from_environment() {
    const char* text = std::getenv("ERMINE_RANK_TIMEOUT");
    if (text == nullptr || *text == '\0') return {};
    char* end = nullptr;
    const double seconds = std::strtod(text, &end);
    ERMINE_REQUIRE(*end == '\0' && std::isfinite(seconds) && seconds >= 0,
                   "ERMINE_RANK_TIMEOUT is \"{}\", give seconds, or 0 to wait for ever", text);
    Patience patience;
    patience.limit = seconds;
    if (seconds > 0) patience.warning = std::min(patience.warning, 0.5 * seconds);
    return patience;
  }
};

}  // namespace ermine
