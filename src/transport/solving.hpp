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

  Ranks& team() const {
    static OneRank alone;  // has no state
    return ranks ? *ranks : alone;
  }
};

/// Tracer::solve() in full. All ranks have the same temperature, and get the same result.
Result solve(const Tracer& tracer, std::span<const double> temperature, const Solving& how);

/// As in <ermine/mesh_error.hpp>, by ranks that share the work.
MeshError estimate_mesh_error(const Tracer& tracer, std::span<const double> temperature,
                              double rays_per_cell, Ranks& ranks);

}  // namespace ermine
