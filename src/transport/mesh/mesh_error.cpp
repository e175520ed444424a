#include <ermine/mesh_error.hpp>

#include "core/fp_guard.hpp"
#include "medium/temperature_position.hpp"
#include "transport/mesh/coarsening.hpp"
#include "transport/mesh/stencil.hpp"
#include "transport/run/solving.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ermine {
namespace {

/// Temperatures that the medium is known for [K].
CoveredTemperatures covered_by(const Medium& medium) {
  if (const auto* list = std::get_if<SpectralList>(&medium)) {
    return {list->nodes().first, list->nodes().last()};
  }
  if (const auto* gas = std::get_if<GasMedium>(&medium)) return {gas->coldest(), gas->hottest()};
  return {0.0, 1e5};
}

/// Whether some axis has too few cells to tell what they do, though there is something to tell.
bool too_coarse(const Grid& grid, std::span<const double> temperature) {
  const Stencil stencil(grid);
  for (const std::size_t a : {0, 1, 2}) {
    if (grid.cells(a) >= 8 || (grid.cells(a) == 1 && grid.periodic(a))) continue;
    if (!grid.periodic(a)) return true;
    for (std::size_t cell = 0; cell < temperature.size(); ++cell) {
      const Neighbour& next = stencil.neighbour(a, grid.index(cell)[a], 1);
      if (temperature[next.from(cell)] != temperature[cell]) return true;
    }
  }
  return false;
}

/// On a coarser mesh: without levels of detail, whose bias depends on the mesh, too, and with more
/// rays for each of its few cells.
Options options_there(const Tracer& tracer, double rays_per_cell) {
  Options options = tracer.options();
  options.backend = tracer.backend();
  options.target = {};
  options.rays_per_cell = static_cast<std::int64_t>(
      std::clamp(std::round(rays_per_cell), 2.0, static_cast<double>(most_rays)));
  options.rays_per_wall_face = 0;
  options.replicates = 0;
  options.levels = 1;
  options.unbiased = false;
  options.estimate_bias = false;
  options.estimate_mesh_error = false;
  return options;
}

/// Root mean square over cells of the differences of two solutions, on the coarser mesh of the two,
/// noise taken out.
Estimate difference(const Coarsening& coarsening, const Result& fine, const Result& coarse,
                    const Options& options) {
  const bool averages = options.start != StartPoint::point;
  const auto values = averages ? coarsening.averages(fine.flux_divergence)
                               : coarsening.at_centres(fine.flux_divergence);
  const auto variances =
      averages ? coarsening.variance_of_averages(fine.standard_error, fine.tile_correlation)
               : coarsening.variance_at_centres(fine.standard_error, fine.tile_correlation);
  const auto count = static_cast<double>(values.size());
  double square = 0.0;       // mean of (difference)^2 less its noise
  double noise = 0.0;        // mean variance
  double uncertainty = 0.0;  // variance of `square`
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double d = coarse.flux_divergence[i] - values[i];
    const double variance = variances[i] + std::pow(coarse.standard_error[i], 2);
    square += (d * d - variance) / count;
    noise += variance / count;
    uncertainty += (4 * d * d * variance + 2 * variance * variance) / (count * count);
  }
  // Error bars themselves are known to some ten per cent: so much noise may be left, too.
  const double of_square = std::hypot(std::sqrt(uncertainty), 0.2 * noise);
  const double rms = std::sqrt(std::max(square, 0.0));
  return {rms, of_square > 0 ? of_square / std::max(2 * rms, std::sqrt(of_square)) : 0.0};
}

}  // namespace

MeshError estimate_mesh_error(const Tracer& tracer, std::span<const double> temperature,
                              double rays_per_cell) {
  const FloatingPointGuard guard;
  OneRank alone;
  return estimate_mesh_error(tracer, temperature, rays_per_cell, alone);
}

MeshError estimate_mesh_error(const Tracer& tracer, std::span<const double> temperature,
                              double rays_per_cell, Ranks& ranks) {
  const FloatingPointGuard guard;
  if (too_coarse(tracer.grid(), temperature)) return {};
  const auto [coldest, hottest] = covered_by(tracer.medium());
  const auto cells = static_cast<double>(tracer.grid().cell_count());
  std::vector<Estimate> differences;
  std::optional<Tracer> last;
  std::vector<double> field(temperature.begin(), temperature.end());
  Result fine;
  // Half the rays of the solution for the first mesh, a quarter for the next, and so on.
  for (const double share : {2.0, 4.0, 8.0}) {
    const Tracer& finer = last ? *last : tracer;
    const Coarsening coarsening(finer.grid());
    if (!coarsening.any()) break;
    const double more = cells / static_cast<double>(coarsening.grid().cell_count()) / share;
    Tracer coarser(coarsening.grid(), coarsening.walls(finer.walls()),
                   coarsening.medium(finer.medium()), coarsening.scattering(finer.scattering()),
                   options_there(tracer, std::clamp(more, 1.0, 16.0) * rays_per_cell));
    field = coarsening.at_centres(field);
    for (double& kelvin : field) kelvin = std::clamp(kelvin, coldest, hottest);
    Result coarse = solve(coarser, field, {.ranks = &ranks});
    if (last) differences.push_back(difference(coarsening, fine, coarse, coarser.options()));
    fine = std::move(coarse);
    last.emplace(std::move(coarser));
  }
  if (differences.empty()) return {};
  // The error falls as h^p: d(4h, 2h) = (2^p - 1) error(2h) = (2^p - 1) 2^p error(h), and
  // d(8h, 4h) = 2^p d(4h, 2h). Of a p that noise hides, the smaller.
  double order = 1.0;
  const Estimate& near = differences.front();
  if (differences.size() == 2 && near.value > 2 * near.standard_error) {
    order = std::clamp(std::log2(differences.back().value / near.value), 1.0, 2.0);
  }
  const double part = (std::exp2(order) - 1) * std::exp2(order);
  return {true, {near.value / part, near.standard_error / part}, order};
}

}  // namespace ermine
