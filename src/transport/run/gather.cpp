#include "transport/run/gather.hpp"

#include "core/block_sum.hpp"
#include "core/check.hpp"
#include "core/constants.hpp"
#include "core/fresh_memory.hpp"
#include "core/thread_count.hpp"
#include "transport/net/replicates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ermine {
namespace {

/// `values` have room for all of them.
void store(std::span<const Estimate> estimates, double Estimate::*part,
           std::vector<double>& values) {
  for (const Estimate& estimate : estimates) values.push_back(estimate.*part);
}

/// By gas and walls [W].
double emitted(const Tracer& tracer, const Result& result) {
  const Grid& grid = tracer.grid();
  double power = block_sum(grid.cell_count(), thread_count(tracer.options().threads),
                           [&](std::size_t i) { return grid.volume(i) * result.emission[i]; });
  for (const Face face : all_faces) {
    if (!grid.walled(face)) continue;
    for (std::size_t i = 0; i < grid.face_cell_count(face); ++i) {
      power += grid.face_cell_area(face, i) * tracer.walls().emissivity(face, i) *
               constants::stefan_boltzmann * std::pow(tracer.walls().temperature(face, i), 4);
    }
  }
  return power;
}

}  // namespace

int batch_count(const Options& options, std::size_t origins, std::int64_t rays) {
  // A batch counts its rays with 32 bits.
  const int fewest = rays >> 32 > 0 ? 2 : 1;
  if (options.batches > 0) {
    return static_cast<int>(std::min<std::int64_t>(std::max(options.batches, fewest), rays));
  }
  constexpr std::int64_t fewest_rays = 8;
  constexpr double rays_of_seconds = 2e9;
  const auto count = static_cast<std::int64_t>(std::max<std::size_t>(origins, 1));
  const std::int64_t to_fill = enough_threads / count;
  const double seconds = static_cast<double>(count) * static_cast<double>(rays) / rays_of_seconds;
  const auto to_report = static_cast<std::int64_t>(std::min(seconds, 16.0));
  const std::int64_t most = std::max<std::int64_t>(1, rays / fewest_rays);
  return static_cast<int>(std::clamp<std::int64_t>(std::max(to_fill, to_report), fewest, most));
}

std::int64_t rays_of_wall_faces(const Grid& grid, std::int64_t rays_per_cell) {
  constexpr double of_side = 1 << 21;
  constexpr double most = 16.0;           // times those of a cell
  constexpr double hardly_any = 1 << 20;  // of all walls, on small grids
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  std::size_t faces = 0;
  for (const Face face : all_faces) {
    if (!grid.walled(face)) continue;
    fewest = std::min(fewest, grid.face_cell_count(face));
    faces += grid.face_cell_count(face);
  }
  if (faces == 0) return rays_per_cell;
  const double of_cell = static_cast<double>(rays_per_cell);
  const double of_cells = of_cell * static_cast<double>(grid.cell_count());
  const double of_face = std::min({of_side / static_cast<double>(fewest), most * of_cell,
                                   std::max(of_cells, hardly_any) / static_cast<double>(faces)});
  return std::min(static_cast<std::int64_t>(std::max(of_cell, of_face)), most_rays);
}

std::int64_t rays_in_all(const Options& options, std::size_t cells, std::size_t wall_cells) {
  const auto of_origin = [&](std::int64_t rays, int replicates) {
    if (options.sampler != RaySampler::net || rays == 0) return static_cast<double>(rays);
    const std::uint32_t each = rays_per_replicate(rays, replicates);
    const std::uint32_t twice = options.unbiased ? correction_rays(each) : 0;
    return replicates * (static_cast<double>(each) + 2.0 * twice);
  };
  const double count =
      static_cast<double>(cells) * of_origin(options.rays_per_cell, options.replicates) +
      static_cast<double>(wall_cells) *
          of_origin(options.rays_per_wall_face, wall_replicates(options));
  return static_cast<std::int64_t>(std::min(count, 9e18));  // more are never traced
}

double hopeless_fraction(const Options& options) {
  return std::max(0.01, options.max_lost_fraction);
}

void check_lost_rays(const RayCounts& counts, const Options& options, bool hopeless) {
  const double allowed = options.max_lost_fraction * static_cast<double>(counts.traced);
  ERMINE_REQUIRE(
      !hopeless && static_cast<double>(counts.lost) <= allowed,
      "{} of {} rays were lost (still alive after {} cell crossings, so the answer "
      "cannot be trusted): the domain is nearly transparent and has no wall that ends "
      "rays, or scatters far more than it absorbs; scatter less, add absorbing walls, or raise "
      "max_crossings",
      counts.lost, counts.traced, options.max_crossings);
}

void gather(const Tracer& tracer, std::span<const Estimate> gas, std::span<const Estimate> wall,
            Result& result) {
  const Grid& grid = tracer.grid();
  const int threads = thread_count(tracer.options().threads);
  const std::array fields{&result.flux_divergence, &result.standard_error, &result.absorption};
  for (auto* field : fields) reserve_pages(*field, gas.size(), threads);
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static, 1)
    for (std::size_t f = 0; f < fields.size(); ++f) fields[f]->resize(gas.size());
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < gas.size(); ++i) {
      result.flux_divergence[i] = gas[i].value;
      result.standard_error[i] = gas[i].standard_error;
      result.absorption[i] = result.emission[i] - gas[i].value;
    }
  }
  for (const Face face : all_faces) {
    if (wall.empty() || !grid.walled(face)) continue;
    WallFlux& flux = result.wall_flux[static_cast<std::size_t>(face)];
    const auto estimates = wall.first(grid.face_cell_count(face));
    flux.net_flux.reserve(estimates.size());
    flux.standard_error.reserve(estimates.size());
    store(estimates, &Estimate::value, flux.net_flux);
    store(estimates, &Estimate::standard_error, flux.standard_error);
    wall = wall.subspan(estimates.size());
  }
}

std::vector<Estimate> of_all_ranks(std::vector<Estimate> mine, Ranks& ranks) {
  if (ranks.alone()) return mine;
  const auto parts = gather(ranks, std::span<const Estimate>(mine));
  std::vector<Estimate> all;
  for (std::size_t r = 0; r < parts.size(); ++r) {
    all.insert(all.end(), parts[r].begin(), parts[r].end());
  }
  return all;
}

std::pair<RayCounts, bool> of_all_ranks(const RayCounts& mine, bool hopeless, Ranks& ranks) {
  RayCounts all;
  bool any = false;
  for (const auto& [traced, lost, crossings, lost_too_many] : gather_one(
           ranks, std::array<std::int64_t, 4>{mine.traced, mine.lost, mine.crossings, hopeless})) {
    all.traced += traced;
    all.lost += lost;
    all.crossings += crossings;
    any = any || lost_too_many != 0;
  }
  return {all, any};
}

void explain_balance(const Tracer& tracer, Result& result) {
  const Grid& grid = tracer.grid();
  Ledger& ledger = result.ledger;
  const double of_cells = block_sum(
      grid.cell_count(), thread_count(tracer.options().threads),
      [&](std::size_t i) { return 0.5 * grid.volume(i) * std::abs(result.flux_divergence[i]); });
  double of_walls = 0.0;
  bool any_wall = false;
  for (const Face face : all_faces) {
    of_walls += 0.5 * std::abs(result.wall_flux[static_cast<std::size_t>(face)].heat.value);
    any_wall = any_wall || grid.walled(face);
  }
  ledger.exchanged = std::max({std::abs(ledger.gas.value), of_cells, of_walls});
  if (any_wall && tracer.options().rays_per_wall_face == 0) return;  // nobody knows
  // Exchange is reciprocal there: nothing but noise can be left.
  const bool finest = result.levels == 1 && result.wall_levels == 1;
  if (tracer.options().start == StartPoint::uniform && finest) return;
  const double known = ledger.total.standard_error;
  const double found = std::abs(ledger.total.value);
  if (!(found > 2 * known)) return;
  constexpr double rounding = 1e-6;
  if (!(found > rounding * emitted(tracer, result))) return;
  ledger.unexplained = std::sqrt(found * found - known * known);
  ledger.gas.standard_error = std::hypot(ledger.gas.standard_error, ledger.unexplained);
  ledger.total.standard_error = std::hypot(known, ledger.unexplained);
}

Ledger balance(const Tracer& tracer, Result& result) {
  const Grid& grid = tracer.grid();
  Ledger ledger;
  const auto sum_of_cells = [&](const auto& term) {
    return block_sum(grid.cell_count(), thread_count(tracer.options().threads), term);
  };
  ledger.gas.value =
      sum_of_cells([&](std::size_t i) { return grid.volume(i) * result.flux_divergence[i]; });
  const double gas_variance = sum_of_cells(
      [&](std::size_t i) { return std::pow(grid.volume(i) * result.standard_error[i], 2); });
  double wall_variance = 0.0;
  for (const Face face : all_faces) {
    WallFlux& wall = result.wall_flux[static_cast<std::size_t>(face)];
    double variance = 0.0;
    for (std::size_t i = 0; i < wall.net_flux.size(); ++i) {
      const double area = grid.face_cell_area(face, i);
      wall.heat.value += area * wall.net_flux[i];
      variance += std::pow(area * wall.standard_error[i], 2);
    }
    wall.heat.standard_error = std::sqrt(variance);
    ledger.walls.value += wall.heat.value;
    wall_variance += variance;
  }
  ledger.gas.standard_error = std::sqrt(gas_variance);
  ledger.walls.standard_error = std::sqrt(wall_variance);
  ledger.total = {ledger.gas.value + ledger.walls.value, std::sqrt(gas_variance + wall_variance)};
  return ledger;
}

}  // namespace ermine
