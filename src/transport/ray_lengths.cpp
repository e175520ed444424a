#include "transport/ray_lengths.hpp"

#include "core/check.hpp"
#include "core/thread_count.hpp"
#include "medium/gas_points.hpp"
#include "transport/gather.hpp"
#include "transport/scene_density.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ermine {
namespace {

/// Rays of one spectral point.
struct PointRays {
  double absorption;  ///< largest in the domain [1/m]
  double share;       ///< of all rays, up to a common factor
};

double largest(std::span<const double> values) {
  return *std::max_element(values.begin(), values.end());
}

std::vector<PointRays> rays_of(const GreyMedium& grey, int threads) {
  const auto k = grey.absorption_coefficient();
  double most = 0.0;
#pragma omp parallel for num_threads(threads) reduction(max : most)
  for (std::size_t i = 0; i < k.size(); ++i) most = std::max(most, k[i]);
  return {{most, most > 0 ? 1.0 : 0.0}};
}

std::vector<PointRays> rays_of(const SpectralList& list) {
  std::vector<PointRays> rays;
  for (std::size_t point = 0; point < list.point_count(); ++point) {
    const auto k = list.absorption_coefficient(point);
    const auto intensity = list.blackbody_intensity(point);
    double emission = 0.0;
    for (std::size_t node = 0; node < k.size(); ++node) {
      emission = std::max(emission, k[node] * intensity[node]);
    }
    rays.push_back({largest(k), emission});
  }
  return rays;
}

std::vector<PointRays> rays_of(const GasMedium& gas, const PointDensity& density, int threads) {
  const std::vector<GasListPoint> points = gas_points(gas, threads);
  const std::vector<double> largest = largest_absorption(gas, points, threads);
  const std::vector<PointStrength> strengths = gas_strengths(gas, points, density, threads);
  std::vector<PointRays> rays;
  for (std::size_t i = 0; i < points.size(); ++i) {
    rays.push_back({largest[i], strengths[i].absorption * strengths[i].intensity});
  }
  return rays;
}

std::vector<PointRays> rays_of(const Tracer& tracer, const TemperatureField& temperature) {
  const Medium& medium = tracer.medium();
  const int threads = thread_count(tracer.options().threads);
  if (const auto* grey = std::get_if<GreyMedium>(&medium)) return rays_of(*grey, threads);
  if (const auto* list = std::get_if<SpectralList>(&medium)) return rays_of(*list);
  if (!temperature.complete()) return {};
  return rays_of(std::get<GasMedium>(medium), scene_density(tracer, temperature, {}), threads);
}

/// What isotropic rays meet per metre: a component of a direction is 1/2 on average.
struct PerMetre {
  double crossings = 0.0;
  double wall_losses = 0.0;  ///< of the logarithm of transmissivity
};

PerMetre per_metre(const Tracer& tracer) {
  constexpr std::size_t coarsest = 3;  // cells along an axis of the last level, at least
  const Grid& grid = tracer.grid();
  const Options& options = tracer.options();
  const bool one_level = options.levels == 1 ||
                         (options.levels == automatic_levels && options.sampler != RaySampler::net);
  PerMetre sum;
  for (const std::size_t a : {0, 1, 2}) {
    const std::size_t cells = one_level ? grid.cells(a) : std::min(grid.cells(a), coarsest);
    sum.crossings += 0.5 * static_cast<double>(cells) / grid.length(a);
    if (grid.periodic(a)) continue;
    const auto& sides = tracer.walls().sides();
    const double emissivity =
        std::max(largest(sides[2 * a].emissivity), largest(sides[2 * a + 1].emissivity));
    sum.wall_losses += 0.5 / grid.length(a) * -std::log1p(-emissivity);
  }
  return sum;
}

}  // namespace

RayLengths ray_lengths(const Tracer& tracer, const TemperatureField& temperature) {
  constexpr double roulette_threshold = 0.01;
  const Options& options = tracer.options();
  const double end = options.termination == Termination::roulette
                         ? roulette_threshold
                         : std::max(options.tolerance, 1e-38);  // single precision ends there
  const PerMetre meets = per_metre(tracer);
  const double most = static_cast<double>(options.max_crossings);
  const auto crossings_of = [&](double k) {
    const double losses = k + meets.wall_losses;
    return losses > 0 ? -std::log(end) / losses * meets.crossings : HUGE_VAL;
  };
  constexpr double short_rays = 100;  // whatever the medium: not worth a look at it
  if (crossings_of(0.0) <= short_rays) return {crossings_of(0.0), 0.0};
  double all = 0.0;
  RayLengths sum;
  for (const auto& [k, share] : rays_of(tracer, temperature)) {
    if (!(share > 0)) continue;
    all += share;
    sum.crossings += share * std::min(crossings_of(k), most);
    if (crossings_of(k) > most) sum.lost_share += share;
  }
  if (!(all > 0)) return {};
  return {sum.crossings / all, sum.lost_share / all};
}

void check_rays_end(const Tracer& tracer, const TemperatureField& temperature) {
  const Options& options = tracer.options();
  const double share = ray_lengths(tracer, temperature).lost_share;
  ERMINE_REQUIRE(
      share <= hopeless_fraction(options),
      "rays cannot end: the domain is nearly transparent and has no wall that absorbs, so that "
      "about {:.3g} % of the rays would cross more than max_crossings = {} cells and be lost; add "
      "absorbing walls, or raise max_crossings",
      100 * share, options.max_crossings);
}

}  // namespace ermine
