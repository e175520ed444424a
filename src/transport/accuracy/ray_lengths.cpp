#include "transport/accuracy/ray_lengths.hpp"

#include "core/check.hpp"
#include "core/thread_count.hpp"
#include "medium/gas_points.hpp"
#include "medium/temperature_position.hpp"
#include "transport/draw/scene_density.hpp"
#include "transport/ray/termination.hpp"
#include "transport/run/gather.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

namespace ermine {
namespace {

/// Rays of one spectral point.
struct PointRays {
  double absorption;              ///< largest in the domain [1/m]
  double share;                   ///< of all rays of cells, up to a common factor
  double wall_share = 0.0;        ///< the same of walls
  double usual_absorption = 0.0;  ///< as PointStrength has it, or the largest [1/m]
};

double largest(std::span<const double> values) {
  return *std::max_element(values.begin(), values.end());
}

std::vector<PointRays> rays_of(const GreyMedium& grey, int threads) {
  const auto k = grey.absorption_coefficient();
  double most = 0.0;
#pragma omp parallel for num_threads(threads) reduction(max : most)
  for (std::size_t i = 0; i < k.size(); ++i) most = std::max(most, k[i]);
  return {{most, most > 0 ? 1.0 : 0.0, 1.0, most}};
}

/// Share of rays of walls that a spectral point has (see PointDensity), from its largest k and its
/// intensity at temperatures.
template <class Intensity>
double share_of_walls(const PointDensity& density, double k, const Intensity& at) {
  const double hottest = at(density.hottest);
  if (density.emission()) return hottest;
  const double between_walls = at(density.wall_hottest) - at(density.wall_coldest);
  return std::max(density.seen(k) * (hottest - at(density.coldest)) + between_walls,
                  1e-3 * hottest);
}

/// Straight between the values of a row, with a position from 0 to its last.
double value_between(std::span<const double> row, double position) {
  const auto node = std::min(static_cast<std::size_t>(position), row.size() - 2);
  return row[node] + (position - static_cast<double>(node)) * (row[node + 1] - row[node]);
}

/// Without a density nothing is known of rays of walls.
std::vector<PointRays> rays_of(const SpectralList& list,
                               const std::optional<PointDensity>& density) {
  std::vector<PointRays> rays;
  for (std::size_t point = 0; point < list.point_count(); ++point) {
    const auto k = list.absorption_coefficient(point);
    const auto intensity = list.blackbody_intensity(point);
    double emission = 0.0;
    for (std::size_t node = 0; node < k.size(); ++node) {
      emission = std::max(emission, k[node] * intensity[node]);
    }
    rays.push_back({largest(k), emission, 0.0, largest(k)});
    if (!density) continue;
    const TemperatureNodes& nodes = list.nodes();
    const auto at = [&](double kelvin) {
      const auto last = static_cast<double>(nodes.count - 1);
      return value_between(intensity, std::clamp((kelvin - nodes.first) / nodes.step, 0.0, last));
    };
    rays.back().wall_share = share_of_walls(*density, largest(k), at);
  }
  return rays;
}

std::vector<PointRays> rays_of(const GasMedium& gas, const PointDensity& density, int threads) {
  const std::vector<GasListPoint> points = gas_points(gas, threads);
  const std::vector<double> largest = peak_absorption(gas, points, threads);
  const std::vector<PointStrength> strengths = gas_strengths(gas, points, density, threads);
  std::vector<PointRays> rays;
  for (std::size_t i = 0; i < points.size(); ++i) {
    rays.push_back({largest[i], strengths[i].absorption * strengths[i].intensity, strengths[i].wall,
                    strengths[i].usual_absorption});
  }
  return rays;
}

std::vector<PointRays> rays_of(const Tracer& tracer, const TemperatureField& temperature) {
  const Medium& medium = tracer.medium();
  const int threads = thread_count(tracer.options().threads);
  if (const auto* grey = std::get_if<GreyMedium>(&medium)) return rays_of(*grey, threads);
  std::optional<PointDensity> density;
  if (temperature.complete()) density = scene_density(tracer, temperature);
  if (const auto* list = std::get_if<SpectralList>(&medium)) return rays_of(*list, density);
  if (!density) return {};
  return rays_of(std::get<GasMedium>(medium), *density, threads);
}

/// What isotropic rays meet per metre: a component of a direction is 1/2 on average.
struct PerMetre {
  double crossings = 0.0;
  double wall_losses = 0.0;   ///< of the logarithm of transmissivity
  double way_to_walls = 0.0;  ///< before the first of them, among particles that scatter [m]
  bool emitting_walls = false;
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
    sum.emitting_walls = sum.emitting_walls || emissivity > 0;
  }
  // Particles turn rays: from the middle of a slab whose optical thickness is large they wander
  // to its sides on a way of a quarter of this thickness times its length, on average.
  double turned_round = 0.0;
  for (const Scattering& particles : tracer.scattering()) {
    const std::vector<double>& coefficient = particles.coefficient;
    const double mean = std::accumulate(coefficient.begin(), coefficient.end(), 0.0) /
                        static_cast<double>(coefficient.size());
    sum.crossings += mean;
    turned_round += (1 - particles.asymmetry) * mean;
  }
  const double length = shortest_way(grid);
  sum.way_to_walls = 0.25 * turned_round * length * length;
  return sum;
}

}  // namespace

RayLengths ray_lengths(const Tracer& tracer, const TemperatureField& temperature) {
  const Options& options = tracer.options();
  const bool plays = termination_of(tracer) == Termination::roulette;
  const double tolerance = std::max(options.tolerance, 1e-38);  // single precision ends there
  const PerMetre meets = per_metre(tracer);
  const double most = static_cast<double>(options.max_crossings);
  const auto crossings_of = [&](double k, double end) {
    const double logarithm = -std::log(end);
    const double at_walls =
        meets.wall_losses > 0 ? logarithm / meets.wall_losses + meets.way_to_walls : HUGE_VAL;
    const double per_metre = k / logarithm + 1 / at_walls;
    return per_metre > 0 ? meets.crossings / per_metre : HUGE_VAL;
  };
  constexpr double short_rays = 100;  // whatever the medium: not worth a look at it
  const double longest_of_all = crossings_of(0.0, plays ? roulette_threshold : tolerance);
  if (longest_of_all <= short_rays) return {longest_of_all, 0.0};
  const std::vector<PointRays> rays = rays_of(tracer, temperature);
  const auto lengths = [&](double PointRays::*share, bool roulette) {
    double all = 0.0;
    RayLengths sum;
    for (const PointRays& point : rays) {
      if (!(point.*share > 0)) continue;
      const double crossings =
          crossings_of(point.absorption, roulette ? roulette_threshold : tolerance);
      all += point.*share;
      sum.crossings += point.*share * std::min(crossings, most);
      if (crossings > most) sum.lost_share += point.*share;
    }
    return all > 0 ? RayLengths{sum.crossings / all, sum.lost_share / all} : RayLengths{};
  };
  const bool asked_for = options.termination != Termination::automatic;
  Fading fading;
  for (const PointRays& point : rays) {
    fading.add(point.share, point.usual_absorption * shortest_way(tracer.grid()));
  }
  RayLengths longest = lengths(&PointRays::share, plays && (asked_for || fading.in_gas()));
  if (meets.emitting_walls && options.rays_per_wall_face != 0) {
    const RayLengths of_walls = lengths(&PointRays::wall_share, plays && asked_for);
    longest = {std::max(longest.crossings, of_walls.crossings),
               std::max(longest.lost_share, of_walls.lost_share)};
  }
  return longest;
}

void check_rays_end(const Tracer& tracer, const TemperatureField& temperature) {
  if (*tracer.rays_end_) return;
  const Options& options = tracer.options();
  const double share = ray_lengths(tracer, temperature).lost_share;
  ERMINE_REQUIRE(
      tracer.scattering().empty() || share <= hopeless_fraction(options),
      "rays cannot end: about {:.3g} % of them would be scattered, or cross cells, more than "
      "max_crossings = {} times before they are absorbed or leave, and be lost; scatter less "
      "((1 - asymmetry) times the coefficient, with asymmetry 0, does nearly the same), add "
      "absorption or absorbing walls, or raise max_crossings",
      100 * share, options.max_crossings);
  ERMINE_REQUIRE(
      share <= hopeless_fraction(options),
      "rays cannot end: the domain is nearly transparent and has no wall that absorbs, so that "
      "about {:.3g} % of the rays would cross more than max_crossings = {} cells and be lost; add "
      "absorbing walls, or raise max_crossings",
      100 * share, options.max_crossings);
  *tracer.rays_end_ = true;
}

}  // namespace ermine
