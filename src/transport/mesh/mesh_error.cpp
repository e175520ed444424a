#include <ermine/mesh_error.hpp>

#include "transport/error_norm.hpp"
#include "transport/mesh/coarsening.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ermine {
namespace {

/// A solution and what it was made from.
struct Solution {
  std::vector<double> temperature;
  std::vector<double> flux_divergence;
  std::vector<double> variance;  ///< of it, by noise
};

Solution solution_of(std::vector<double> temperature, const Result& result) {
  Solution solution{std::move(temperature), result.flux_divergence, {}};
  for (const double error : result.standard_error) solution.variance.push_back(error * error);
  return solution;
}

/// On a coarser mesh: without levels of detail, whose bias depends on the mesh, too, and with more
/// rays for each of its few cells.
Options options_there(const Tracer& tracer, double rays_per_cell) {
  Options options = tracer.options();
  options.backend = tracer.backend();
  options.target = {.norm = options.target.norm, .quantile = options.target.quantile};
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

/// Norm of the differences of two solutions on the coarser mesh of the two.
Estimate difference(const Coarsening& coarsening, const Solution& fine, const Solution& coarse,
                    const Options& options) {
  const bool averages = options.mesh_correction == MeshCorrection::average;
  const auto values = averages ? coarsening.averages(fine.flux_divergence)
                               : coarsening.at_centres(fine.flux_divergence);
  const auto variances = averages ? coarsening.variance_of_averages(fine.variance)
                                  : coarsening.variance_at_centres(fine.variance);
  constexpr std::size_t block = 32;
  std::vector<std::vector<Estimate>> blocks;
  double noise = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % block == 0) blocks.emplace_back();
    const double variance = variances[i] + coarse.variance[i];
    noise += variance / static_cast<double>(values.size());
    blocks.back().push_back({coarse.flux_divergence[i] - values[i], std::sqrt(variance)});
  }
  Estimate norm = norm_of_values(blocks, options.target);
  // Error bars themselves are known to some ten per cent: so much noise may be left.
  const double unknown = std::sqrt(0.2 * noise);
  norm.standard_error = std::hypot(
      norm.standard_error, std::sqrt(norm.value * norm.value + unknown * unknown) - norm.value);
  return norm;
}

}  // namespace

MeshError estimate_mesh_error(const Tracer& tracer, std::span<const double> temperature,
                              double rays_per_cell) {
  std::vector<Estimate> differences;
  std::optional<Tracer> last;
  Solution fine{{temperature.begin(), temperature.end()}, {}, {}};
  for (const double more_rays : {4.0, 16.0, 16.0}) {
    const Tracer& finer = last ? *last : tracer;
    const Coarsening coarsening(finer.grid());
    if (!coarsening.any()) break;
    Tracer coarser(coarsening.grid(), coarsening.walls(finer.walls()),
                   coarsening.medium(finer.medium()),
                   options_there(tracer, more_rays * rays_per_cell));
    auto field = coarsening.at_centres(fine.temperature);
    const Result there = coarser.solve(field);
    Solution coarse = solution_of(std::move(field), there);
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
