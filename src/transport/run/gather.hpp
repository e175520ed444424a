#pragma once

#include <ermine/tracer.hpp>

#include "core/ranks.hpp"

#include <chrono>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

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

/// Threads that fill a large GPU a few times over. Part of what defines a batch, not of how it is
/// traced: the same number everywhere.
inline constexpr std::int64_t enough_threads = std::int64_t{1} << 20;

/// Batches of origins with so many rays each. One for each origin where origins are many, as sorted
/// rays are the better sorted the more of them there are; more where origins are few, so that a GPU
/// has work for all its threads, and where rays are so many that one batch takes seconds.
int batch_count(const Options& options, std::size_t origins, std::int64_t rays);

/// Rays of a wall face cell where cells have so many: as many, or more on sides of few cells, whose
/// totals would be less certain than those of the gas.
std::int64_t rays_of_wall_faces(const Grid& grid, std::int64_t rays_per_cell);

std::int64_t rays_in_all(const Options& options, std::size_t cells, std::size_t wall_cells);

/// Share of lost rays beyond which there is no point in tracing more.
double hopeless_fraction(const Options& options);

/// Throws if more rays were lost than the options allow.
void check_lost_rays(const RayCounts& counts, const Options& options, bool hopeless);

/// Puts the estimates of cells and wall face cells (none: not asked for) into the result, whose
/// emission is known.
void gather(const Tracer& tracer, std::span<const Estimate> gas, std::span<const Estimate> wall,
            Result& result);

/// Estimates of all parts.
std::vector<Estimate> of_all_ranks(std::vector<Estimate> mine, Ranks& ranks);
/// Rays of all, and whether one of them has lost too many.
std::pair<RayCounts, bool> of_all_ranks(const RayCounts& mine, bool hopeless, Ranks& ranks);

/// What noise and bias leave unexplained of the energy balance goes into the error of the gas; for
/// a result that is complete but for that.
void explain_balance(const Tracer& tracer, Result& result);

/// Energy balance of estimates that are all independent: variances add. Sums up the sides too.
Ledger balance(const Tracer& tracer, Result& result);

}  // namespace ermine
