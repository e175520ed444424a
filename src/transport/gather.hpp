#pragma once

#include <ermine/tracer.hpp>

#include "transport/tally.hpp"

#include <chrono>
#include <cstdint>
#include <span>

namespace ermine {

/// Wall-clock time since it was made.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Batches behind the error bars of origins with so many rays each: no batch is empty.
int batch_count(const Options& options, std::int64_t rays);

std::int64_t rays_in_all(const Options& options, std::size_t cells, std::size_t wall_cells);

/// Throws if more rays were lost than the options allow.
void check_lost_rays(const RayCounts& counts, const Options& options, bool hopeless);

/// Puts the tallies of cells and wall face cells (none: not asked for) into the result, whose
/// emission is known.
void gather(const Grid& grid, std::span<const Tally> gas, std::span<const Tally> wall,
            Result& result);

}  // namespace ermine
