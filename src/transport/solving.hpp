#pragma once

#include <ermine/tracer.hpp>

#include "core/ranks.hpp"

#include <atomic>
#include <span>

namespace ermine {

/// How a temperature field is solved.
struct Solving {
  std::uint32_t update = 0;
  ProgressCallback progress = {};
  Ranks* ranks = nullptr;                        ///< that share the work; null: this process alone
  const std::atomic<bool>* cancelled = nullptr;  ///< becomes true when nobody wants the result
  bool emission_slope = false;                   ///< Result::emission_slope is wanted
};

/// Tracer::solve() in full. All ranks have the same temperature, and get the same result.
Result solve(const Tracer& tracer, std::span<const double> temperature, const Solving& how);

}  // namespace ermine
