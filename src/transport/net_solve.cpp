#include "transport/net_solve.hpp"

#include "core/thread_count.hpp"
#include "geometry/tiles.hpp"
#include "transport/error_norm.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

/// Of independent ones.
Estimate operator+(const Estimate& a, const Estimate& b) {
  return {a.value + b.value, std::hypot(a.standard_error, b.standard_error)};
}

void trace(ReplicateTracer& rays, Sum sum, Sum correction, std::int64_t count,
           const Options& options, int levels) {
  if (count == 0) return;
  const int replicates = options.replicates;
  const std::uint32_t each = rays_per_replicate(count, replicates);
  rays.trace(sum, replicates, each);
  if (options.unbiased && levels > 1) rays.trace(correction, replicates, correction_rays(each));
}

}  // namespace

void trace_cells(ReplicateTracer& rays, const Options& options, int levels) {
  trace(rays, Sum::cells, Sum::cell_correction, options.rays_per_cell, options, levels);
}

void trace_walls(ReplicateTracer& rays, const Options& options, int levels) {
  trace(rays, Sum::walls, Sum::wall_correction, options.rays_per_wall_face, options, levels);
}

namespace {

/// Estimates with their corrections.
std::vector<Estimate> combined(ReplicateTracer& rays, Sum sum, Sum correction) {
  const auto estimates = rays.origins(sum);
  const auto corrections = rays.origins(correction);
  std::vector<Estimate> values;
  values.reserve(estimates.size());
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    values.push_back(estimates[i] + corrections[i]);
  }
  return values;
}

/// Tiles are independent of each other: variances add.
Estimate total(std::span<const Estimate> tiles) {
  double sum = 0.0;
  double variance = 0.0;
  for (const auto& [value, error] : tiles) {
    sum += value;
    variance += error * error;
  }
  return {sum, std::sqrt(variance)};
}

/// From the variances of the totals of tiles: with correlation c of all pairs of a tile,
///   var sum(V Q) = (1 - c) sum (V s)^2 + c (sum V s)^2,   s the standard error of a cell.
double tile_correlation(ReplicateTracer& rays, const Grid& grid) {
  const auto cells = rays.origins(Sum::cells);
  const auto tiles = rays.tiles(Sum::cells);
  const auto n = [&](std::size_t a) { return static_cast<int>(grid.cells(a)); };
  const CellTiles places{{{{n(0), n(1), n(2)}}, {{1, n(0), n(0) * n(1)}}, {}, 0, {}}};
  double found = 0.0;
  double independent = 0.0;
  double together = 0.0;
  const std::size_t stride = tiles.size() / 4096 + 1;  // some tiles tell as much as all
  for (std::size_t t = 0; t < tiles.size(); t += stride) {
    double squares = 0.0;
    double sum = 0.0;
    for (int lane = 0; lane < cells_per_tile; ++lane) {
      const CellId cell = places.at(static_cast<int>(t), lane);
      if (cell.value < 0) continue;
      const auto i = static_cast<std::size_t>(cell.value);
      const double part = grid.volume(i) * cells[i].standard_error;
      squares += part * part;
      sum += part;
    }
    independent += squares;
    together += sum * sum;
    found += tiles[t].standard_error * tiles[t].standard_error;
  }
  if (!(together > independent)) return 0.0;
  return std::clamp((found - independent) / (together - independent), 0.0, 1.0);
}

/// Norms of what is known of the errors.
void judge(const Options& options, Result& result) {
  Accuracy& accuracy = result.accuracy;
  accuracy.standard_error =
      norm_of(result.standard_error, options.target, thread_count(options.threads));
  accuracy.error = std::hypot(accuracy.standard_error, accuracy.bias.value);
}

}  // namespace

void gather(ReplicateTracer& rays, const Tracer& tracer, Result& result) {
  const Options& options = tracer.options();
  Accuracy& accuracy = result.accuracy;
  if (!(options.target.error > 0)) accuracy.corrected = options.unbiased && result.levels > 1;
  if (options.estimate_bias && !accuracy.bias_estimated && !accuracy.corrected) {
    accuracy.bias = estimate_bias(rays, options, result.levels);
    accuracy.bias_estimated = true;
  }
  result.rays = rays.counts();
  check_lost_rays(result.rays, options, rays.hopeless());
  const bool corrected = accuracy.corrected;
  if (corrected) {
    gather(tracer, combined(rays, Sum::cells, Sum::cell_correction),
           combined(rays, Sum::walls, Sum::wall_correction), result);
  } else {
    gather(tracer, rays.origins(Sum::cells), rays.origins(Sum::walls), result);
  }
  Ledger& ledger = result.ledger;
  ledger.gas = total(rays.tiles(Sum::cells));
  if (corrected) ledger.gas = ledger.gas + total(rays.tiles(Sum::cell_correction));
  std::span<const Estimate> tiles = rays.tiles(Sum::walls);
  std::span<const Estimate> corrections;
  if (corrected) corrections = rays.tiles(Sum::wall_correction);
  for (const Face face : all_faces) {
    WallFlux& wall = result.wall_flux[static_cast<std::size_t>(face)];
    const std::size_t count = (wall.net_flux.size() + cells_per_tile - 1) / cells_per_tile;
    wall.heat = total(tiles.first(count));
    tiles = tiles.subspan(count);
    if (!corrections.empty()) {
      wall.heat = wall.heat + total(corrections.first(count));
      corrections = corrections.subspan(count);
    }
    ledger.walls = ledger.walls + wall.heat;
  }
  ledger.total = ledger.gas + ledger.walls;
  result.replicates = options.replicates;
  result.tile_correlation = tile_correlation(rays, tracer.grid());
  result.rays_per_cell = rays.rays_of_cells();
  result.rays_per_wall_face = rays.rays_of_walls();
  judge(options, result);
}

}  // namespace ermine
