#include "transport/net_solve.hpp"

#include "transport/error_norm.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {

std::uint32_t rays_per_replicate(std::int64_t rays, int replicates) {
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>((rays + replicates - 1) / replicates, 1, most_rays / replicates));
}

namespace {

/// Of independent ones.
Estimate operator+(const Estimate& a, const Estimate& b) {
  return {a.value + b.value, std::hypot(a.standard_error, b.standard_error)};
}

/// Rays that are followed twice are so many times fewer.
constexpr std::uint32_t correction_share = 16;

std::uint32_t correction_rays(std::uint32_t rays) {
  return std::max<std::uint32_t>(rays / correction_share, 4);
}

void trace(ReplicateTracer& rays, Sum sum, Sum correction, std::int64_t count,
           const Options& options, int levels) {
  if (count == 0) return;
  const int replicates = options.replicates;
  const std::uint32_t each = rays_per_replicate(count, replicates);
  rays.trace(sum, {0, replicates, each});
  if (!options.unbiased || levels == 1) return;
  rays.trace(correction,
             {static_cast<std::uint32_t>(replicates), replicates, correction_rays(each)});
}

}  // namespace

void trace_cells(ReplicateTracer& rays, const Options& options, int levels) {
  trace(rays, Sum::cells, Sum::cell_correction, options.rays_per_cell, options, levels);
}

void trace_walls(ReplicateTracer& rays, const Options& options, int levels) {
  trace(rays, Sum::walls, Sum::wall_correction, options.rays_per_wall_face, options, levels);
}

namespace {

/// With the correction, if there is one.
std::vector<Estimate> combined(ReplicateTracer& rays, Sum sum, Sum correction, bool corrected) {
  const auto estimates = rays.origins(sum);
  std::vector<Estimate> values(estimates.begin(), estimates.end());
  if (!corrected) return values;
  const auto corrections = rays.origins(correction);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = values[i] + corrections[i];
  return values;
}

/// Tiles are independent of each other: variances add.
Estimate total(std::span<const Estimate> tiles) {
  Estimate sum;
  for (const Estimate& tile : tiles) sum = sum + tile;
  return sum;
}

}  // namespace

void gather(ReplicateTracer& rays, const Tracer& tracer, Result& result) {
  const bool corrected = result.accuracy.corrected;
  gather(tracer.grid(), combined(rays, Sum::cells, Sum::cell_correction, corrected),
         combined(rays, Sum::walls, Sum::wall_correction, corrected), result);
  Ledger& ledger = result.ledger;
  ledger.gas = total(rays.tiles(Sum::cells));
  ledger.walls = total(rays.tiles(Sum::walls));
  if (corrected) {
    ledger.gas = ledger.gas + total(rays.tiles(Sum::cell_correction));
    ledger.walls = ledger.walls + total(rays.tiles(Sum::wall_correction));
  }
  ledger.total = ledger.gas + ledger.walls;
}

}  // namespace ermine
