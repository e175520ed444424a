#pragma once

#include <ermine/tracer.hpp>

#include "core/ranks.hpp"
#include "transport/scene/temperature_field.hpp"

#include <algorithm>
#include <atomic>
#include <span>

namespace ermine {

class Pilot;

/// How a temperature field is solved.
struct Solving {
  std::uint32_t update = 0;
  ProgressCallback progress = {};
  Ranks* ranks = nullptr;                        ///< that share the work; null: this process alone
  const std::atomic<bool>* cancelled = nullptr;  ///< becomes true when nobody wants the result
  bool emission_slope = false;                   ///< Result::emission_slope is wanted
  /// Updates that are differences. What they go on from (null: there is nothing), and what becomes
  /// the replicates of this one; null: nobody asks for it.
  const History* before = nullptr;
  History* after = nullptr;
  /// Net: levels of detail chosen before; 0: chosen now.
  int levels = 0;
  int steps_per_level = 0;
  int wall_levels = 0;
  int wall_steps = 0;
  /// Net: traces some rays in place of all, to tell what these would take; null: solves.
  Pilot* pilot = nullptr;

  Ranks& team() const {
    static OneRank alone;  // has no state
    return ranks ? *ranks : alone;
  }
};

/// Field in which rays are followed once more; empty: none.
inline std::span<const double> earlier_temperature(const Solving& how) {
  if (!how.before) return {};
  return how.before->temperature;
}

/// Share of the past that is kept. Early updates have a short one, and take their mean: what they
/// would keep is mainly the error of the first.
inline double kept_share(const Solving& how, const Options& options) {
  if (!how.before) return 0.0;
  return 1 - std::max(options.forgetting, 1 / static_cast<double>(how.before->updates + 1));
}

/// Tracer::solve() in full. All ranks have the same temperature, or each its part of it, and get
/// the same result.
Result solve(const Tracer& tracer, const TemperatureField& temperature, const Solving& how);

/// Refuses options and media for which rays need more of the field than a part.
void check_distributed(const Tracer& tracer);

/// As in <ermine/mesh_error.hpp>, by ranks that share the work.
MeshError estimate_mesh_error(const Tracer& tracer, std::span<const double> temperature,
                              double rays_per_cell, Ranks& ranks);

}  // namespace ermine
