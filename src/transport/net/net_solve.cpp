#include "transport/net/net_solve.hpp"

#include "core/thread_count.hpp"
#include "geometry/tiles.hpp"
#include "transport/accuracy/error_norm.hpp"
#include "transport/accuracy/level_choice.hpp"
#include "transport/net/error_classes.hpp"
#include "transport/scene/field_summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ermine {
namespace {

/// Of independent ones.
Estimate operator+(const Estimate& a, const Estimate& b) {
  return {a.value + b.value, std::hypot(a.standard_error, b.standard_error)};
}

void trace(ReplicateTracer& rays, Sum sum, Sum correction, std::int64_t count, int replicates,
           const Options& options, int levels) {
  if (count == 0) return;
  const std::uint32_t each = rays_per_replicate(count, replicates);
  rays.trace(sum, replicates, each);
  if (options.unbiased && levels > 1) rays.trace(correction, replicates, correction_rays(each));
}

}  // namespace

void set_levels(ReplicateTracer& rays, const Tracer& tracer, const TemperatureField& temperature,
                const Levels& levels, const Solving& how, Result& result) {
  const Options& options = tracer.options();
  const Resolution all{levels.count(), levels.steps()};
  LevelChoice choice{all, all, std::nullopt};
  const auto [coldest, hottest] = temperature_range(temperature, thread_count(options.threads));
  const LevelScene scene{tracer.grid(),   options, temperature.finest(), coldest, hottest,
                         result.emission, all};
  if (how.levels > 0) {
    choice.cells = {how.levels, how.steps_per_level};
    choice.walls = {how.wall_levels, how.wall_steps};
    if (temperature.complete()) measure_bias(rays, scene, choice);
  } else if (temperature.complete()) {
    choice = choose_levels(rays, scene);
  }
  if (options.target.wall_error > 0) choice.walls = one_level;
  rays.set_resolution(choice.cells, choice.walls);
  result.levels = choice.cells.levels;
  result.steps_per_level = choice.cells.steps;
  result.wall_levels = choice.walls.levels;
  result.wall_steps_per_level = choice.walls.steps;
  Accuracy& accuracy = result.accuracy;
  accuracy.bias_estimated = choice.bias.has_value();
  if (!choice.bias) return;
  for (std::size_t face = 0; face < 6; ++face) {
    if (choice.walls.levels > 1) result.wall_flux[face].bias = choice.bias->walls[face];
  }
  if (choice.cells.levels == 1) return;
  accuracy.bias = choice.bias->source;
  for (std::size_t c = 0; c < class_count; ++c) {
    accuracy.bias_by_temperature.push_back(
        {coldest + class_ends[c] * (hottest - coldest), choice.bias->classes[c].value});
  }
  result.ledger.gas_bias = choice.bias->gas;
}

void trace_cells(ReplicateTracer& rays, const Options& options, int levels) {
  trace(rays, Sum::cells, Sum::cell_correction, options.rays_per_cell, options.replicates, options,
        levels);
}

void trace_walls(ReplicateTracer& rays, const Options& options, int levels) {
  trace(rays, Sum::walls, Sum::wall_correction, options.rays_per_wall_face,
        wall_replicates(options), options, levels);
}

namespace {

/// Estimates with their corrections; walls that have a target use one level and have none.
std::vector<Estimate> combined(ReplicateTracer& rays, Sum sum, Sum correction) {
  const auto estimates = rays.origins(sum);
  const auto corrections = rays.origins(correction);
  if (corrections.empty()) return {estimates.begin(), estimates.end()};
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

/// Correlation of the errors of the cells of some tiles, from the variances of their totals: with
/// correlation c of all pairs of a tile,
///   var sum(V Q) = (1 - c) sum (V s)^2 + c (sum V s)^2,   s the standard error of a cell.
struct Correlation {
  double found = 0.0;
  double independent = 0.0;
  double together = 0.0;

  void add(const Correlation& tile) {
    found += tile.found;
    independent += tile.independent;
    together += tile.together;
  }
  double value() const {
    if (!(together > independent)) return 0.0;
    return std::clamp((found - independent) / (together - independent), 0.0, 1.0);
  }
};

void correlate_tiles(ReplicateTracer& rays, const Grid& grid, int threads, Result& result) {
  const auto cells = rays.origins(Sum::cells);
  const auto tiles = rays.tiles(Sum::cells);
  std::array<std::size_t, 3> counts;
  std::array<std::vector<Correlation>, 3> layers;
  for (const std::size_t a : {0, 1, 2}) {
    result.tile_cells[a] = (rays.grouped(Sum::cells) ? 2 : 1) * tile_cells[a];
    const auto width = static_cast<std::size_t>(result.tile_cells[a]);
    counts[a] = (grid.cells(a) + width - 1) / width;
    layers[a].resize(counts[a]);
  }
  // Some tiles tell as much as all: steps that have no divisor in common with their number come to
  // all layers alike.
  std::size_t step = tiles.size() / 8192 + 1;
  while (std::gcd(step, tiles.size()) > 1) ++step;
  std::vector<Correlation> some((tiles.size() + step - 1) / step);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t n = 0; n < some.size(); ++n) {
    const std::size_t t = n * step;
    Correlation& tile = some[n];
    tile.found = tiles[t].standard_error * tiles[t].standard_error;
    double sum = 0.0;
    rays.each_of_group(Sum::cells, t, [&](int cell) {
      const auto i = static_cast<std::size_t>(cell);
      const double part = grid.volume(i) * cells[i].standard_error;
      tile.independent += part * part;
      sum += part;
    });
    tile.together = sum * sum;
  }
  Correlation of_all;
  for (std::size_t n = 0; n < some.size(); ++n) {
    const Correlation& tile = some[n];
    const std::size_t t = n * step;
    of_all.add(tile);
    layers[0][t % counts[0]].add(tile);
    layers[1][t / counts[0] % counts[1]].add(tile);
    layers[2][t / (counts[0] * counts[1])].add(tile);
  }
  result.tile_correlation = of_all.value();
  for (const std::size_t a : {0, 1, 2}) {
    for (const Correlation& layer : layers[a]) {
      result.layer_correlation[a].push_back(layer.value());
    }
  }
}

/// Norms of what is known of the errors.
void judge(const Options& options, Result& result) {
  Accuracy& accuracy = result.accuracy;
  const int threads = thread_count(options.threads);
  const double rms = root_mean_square(result.flux_divergence, threads);
  accuracy.thin_bias = thin_bias(result, options.target) * rms;
  accuracy.standard_error = norm_of(result.standard_error, options.target, threads);
  accuracy.error = std::hypot(accuracy.standard_error, accuracy.bias.value, accuracy.thin_bias);
}

/// Errors of cells and face cells contain the bias. That of levels is known by temperature; what is
/// only known for all cells together is shared out as the noise is.
void add_bias(const Tracer& tracer, const TemperatureField& temperature, Result& result) {
  const Accuracy& accuracy = result.accuracy;
  const int threads = thread_count(tracer.options().threads);
  const bool by_temperature = !accuracy.bias_by_temperature.empty();
  const double noise = root_mean_square(result.standard_error, threads);
  double bias = result.thin_relative_bias * root_mean_square(result.flux_divergence, threads);
  if (!by_temperature) bias = std::hypot(bias, accuracy.bias.value);
  const double larger = noise > 0 && std::isfinite(noise) ? std::hypot(1.0, bias / noise) : 1.0;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t i = 0; i < result.standard_error.size(); ++i) {
    double& error = result.standard_error[i];
    error *= larger;
    if (by_temperature) error = std::hypot(error, accuracy.bias_at(temperature[i]));
  }
  for (const Face face : all_faces) {
    WallFlux& wall = result.wall_flux[static_cast<std::size_t>(face)];
    if (wall.bias.value == 0 || wall.net_flux.empty()) continue;
    double area = 0.0;
    for (std::size_t i = 0; i < wall.net_flux.size(); ++i) {
      area += tracer.grid().face_cell_area(face, i);
    }
    for (double& error : wall.standard_error) error = std::hypot(error, wall.bias.value / area);
  }
}

/// Bias that thin starts leave in the heat lost by the gas [W]. In smooth fields it has either sign
/// and cancels; in cells that average, as they lie at jumps, it has one.
double thin_bias_of_total(const Tracer& tracer, std::span<const char> starts,
                          const Result& result) {
  if (!(result.thin_relative_bias > 0)) return 0.0;
  const Grid& grid = tracer.grid();
  const bool all = tracer.options().start == StartPoint::uniform;
  double volume = 0.0;
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    if (all || (!starts.empty() && (starts[i] & 1))) volume += grid.volume(i);
  }
  return result.thin_relative_bias * root_mean_square(result.flux_divergence) * volume;
}

/// The number with the bias in its error.
Estimate with_bias(const Estimate& estimate, const Estimate& bias) {
  return {estimate.value, std::hypot(estimate.standard_error, bias.value)};
}

}  // namespace

void share_kinds(const Grid& grid, const TemperatureField& temperature, Ranks& ranks,
                 std::vector<char>& starts, Result& result) {
  if (temperature.complete()) return;
  std::vector<double> numbers(starts.begin(), starts.end());
  if (!numbers.empty()) share_owned(numbers, grid, temperature.parts(), ranks);
  std::transform(numbers.begin(), numbers.end(), starts.begin(),
                 [](double number) { return static_cast<char>(number); });
  share_owned(result.emission, grid, temperature.parts(), ranks);
  if (!result.emission_slope.empty()) {
    share_owned(result.emission_slope, grid, temperature.parts(), ranks);
  }
}

double thin_bias(const Result& result, const ErrorTarget& target) {
  // The largest are some four times the root mean square.
  return (target.norm == ErrorNorm::rms ? 1 : 4) * result.thin_relative_bias;
}

void gather(ReplicateTracer& rays, const Tracer& tracer, const TemperatureField& temperature,
            std::span<const char> starts, Result& result) {
  const Options& options = tracer.options();
  Accuracy& accuracy = result.accuracy;
  if (!(options.target.error > 0)) accuracy.corrected = options.unbiased && result.levels > 1;
  result.rays = rays.counts();
  check_lost_rays(result.rays, options, rays.hopeless());
  const bool corrected = accuracy.corrected;
  if (corrected) {
    gather(tracer, combined(rays, Sum::cells, Sum::cell_correction),
           combined(rays, Sum::walls, Sum::wall_correction), result);
  } else {
    gather(tracer, rays.origins(Sum::cells), rays.origins(Sum::walls), result);
    // Many cells resolve how errors change, and need not be looked at.
    constexpr std::size_t many_cells = std::size_t{1} << 16;
    if (tracer.grid().cell_count() <= many_cells) {
      match_own_variances(tracer.grid(), result.emission, starts, rays.own_variances(Sum::cells),
                          result.standard_error);
    }
  }
  Ledger& ledger = result.ledger;
  ledger.gas = total(rays.tiles(Sum::cells));
  if (corrected) ledger.gas = ledger.gas + total(rays.tiles(Sum::cell_correction));
  std::span<const Estimate> tiles = rays.tiles(Sum::walls);
  std::span<const Estimate> corrections;
  if (corrected) corrections = rays.tiles(Sum::wall_correction);
  for (const Face face : all_faces) {
    WallFlux& wall = result.wall_flux[static_cast<std::size_t>(face)];
    const std::size_t count = wall.net_flux.empty() ? 0 : rays.wall_tiles_of(face);
    wall.heat = total(tiles.first(count));
    tiles = tiles.subspan(count);
    if (!corrections.empty()) {
      wall.heat = wall.heat + total(corrections.first(count));
      corrections = corrections.subspan(count);
    }
    wall.heat = with_bias(wall.heat, wall.bias);
    ledger.walls = ledger.walls + wall.heat;
  }
  ledger.gas = with_bias(ledger.gas, ledger.gas_bias);
  ledger.gas = with_bias(ledger.gas, {thin_bias_of_total(tracer, starts, result), 0.0});
  ledger.total = ledger.gas + ledger.walls;
  result.replicates = options.replicates;
  correlate_tiles(rays, tracer.grid(), thread_count(options.threads), result);
  result.rays_per_cell = rays.rays_of_cells();
  result.rays_per_wall_face = rays.rays_of_walls();
  judge(options, result);
  add_bias(tracer, temperature, result);
}

}  // namespace ermine
