#include "transport/tracer_host.hpp"

#include "core/check.hpp"
#include "geometry/grid_storage.hpp"
#include "medium/gas_storage.hpp"
#include "medium/medium_storage.hpp"
#include "transport/gas_point_distribution.hpp"
#include "transport/point_distribution.hpp"
#include "transport/run_monitor.hpp"
#include "transport/tally.hpp"
#include "transport/trace_cell.hpp"
#include "transport/trace_wall.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <type_traits>

namespace ermine {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double relative_error(std::span<const Tally> tallies) {
  double error = 0.0;
  double value = 0.0;
  for (const Tally& tally : tallies) {
    error += tally.standard_error() * tally.standard_error();
    value += tally.mean() * tally.mean();
  }
  return value > 0 ? std::sqrt(error / value) : 0.0;
}

/// Rays of one batch from one origin. One thread owns one tally, rays are summed in order: the
/// answer does not depend on the number of threads.
template <class Trace, class Origin>
RayCounts trace_batch(const Trace& trace, Origin origin, std::int64_t first, std::int64_t last,
                      Tally& tally) {
  RayCounts counts;
  double sum = 0.0;
  for (std::int64_t ray = first; ray < last; ++ray) {
    const auto score = trace(origin, ray);
    sum += static_cast<double>(score.value);
    counts.traced += score.crossings > 0;
    counts.crossings += score.crossings;
    counts.lost += score.end == RayEnd::lost;
  }
  tally.add_batch(last - first, sum / static_cast<double>(last - first));
  return counts;
}

enum class ErrorReport { live, silent };

/// All batches of all origins (cells, or wall face cells), OpenMP over origins.
template <class Origin, class Trace>
std::vector<Tally> run_batches(const Trace& trace, std::size_t origins, std::int64_t rays,
                               const Options& options, int threads, ErrorReport error_report,
                               RunMonitor& monitor) {
  static_assert(std::is_trivially_copyable_v<Trace>);
  std::vector<Tally> tallies(rays > 0 ? origins : 0);
  const std::int64_t batches = std::min<std::int64_t>(options.batches, rays);
  const int count = static_cast<int>(tallies.size());
  // Blocks, the first ones small, so that a run that loses its rays is noticed after few of them;
  // between blocks, so that the verdict does not depend on threads.
  constexpr int largest_block = 4096;
  int block = 16;
  for (std::int64_t batch = 0; batch < batches; ++batch) {
    const std::int64_t first = rays * batch / batches;
    const std::int64_t last = rays * (batch + 1) / batches;
    for (int begin = 0, end = 0; begin < count; begin = end) {
      if (monitor.hopeless()) return tallies;
      end = std::min(begin + block, count);
      block = std::min(2 * block, largest_block);
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
      for (int i = begin; i < end; ++i) {
        Tally& tally = tallies[static_cast<std::size_t>(i)];
        monitor.add(last - first, trace_batch(trace, Origin{i}, first, last, tally));
        if (omp_get_thread_num() == 0) monitor.report();
      }
    }
    if (error_report == ErrorReport::live && batch > 0) {
      monitor.set_relative_error(relative_error(tallies));
    }
  }
  return tallies;
}

void check_lost_rays(const RayCounts& counts, const Options& options, bool hopeless) {
  const double allowed = options.max_lost_fraction * static_cast<double>(counts.traced);
  ERMINE_REQUIRE(!hopeless && static_cast<double>(counts.lost) <= allowed,
                 "{} of {} rays were lost (still alive after {} cell crossings, so the answer "
                 "cannot be trusted): the domain is nearly transparent and has no wall that ends "
                 "rays; add absorbing walls, or raise max_crossings",
                 counts.lost, counts.traced, options.max_crossings);
}

void store(std::span<const Tally> tallies, std::vector<double>& mean,
           std::vector<double>& standard_error) {
  for (const Tally& tally : tallies) {
    mean.push_back(tally.mean());
    standard_error.push_back(tally.standard_error());
  }
}

/// A fifth of the shortest way from wall to wall, or through the domain if there are none: rays
/// of the best density see about so far (the optimum is flat).
double exchange_length(const Grid& grid) {
  double walled = 0.0;
  double any = 0.0;
  const auto shorter = [](double length, double other) {
    return length > 0 ? std::min(length, other) : other;
  };
  for (const std::size_t a : {0, 1, 2}) {
    const double extent = grid.axis(a).faces.back() - grid.axis(a).faces.front();
    any = shorter(any, extent);
    if (!grid.periodic(a)) walled = shorter(walled, extent);
  }
  return 0.2 * (walled > 0 ? walled : any);
}

PointDensity point_density(const Tracer& tracer, std::span<const double> temperature) {
  const Grid& grid = tracer.grid();
  const auto [low, high] = std::minmax_element(temperature.begin(), temperature.end());
  PointDensity density{*low, *high, 0.0};
  for (const Face face : all_faces) {
    if (!grid.walled(face)) continue;
    for (std::size_t i = 0; i < grid.face_cell_count(face); ++i) {
      density.coldest = std::min(density.coldest, tracer.walls().temperature(face, i));
      density.hottest = std::max(density.hottest, tracer.walls().temperature(face, i));
    }
  }
  if (tracer.options().density == SpectralDensity::exchange) {
    density.length = exchange_length(grid);
  }
  return density;
}

template <class Storage>
auto distribution(const Storage& medium, std::span<const PointStrength> strengths,
                  RayOrigin origin) {
  return PointDistribution<typename decltype(medium.view())::RealType>(strengths, origin);
}

template <class Real, int most>
auto distribution(const GasStorage<Real, most>& medium, const GasStrengths& strengths,
                  RayOrigin origin) {
  return GasPointDistribution<Real, most>(medium.medium(), strengths, origin);
}

template <class Storage>
Result solve(const Storage& medium, const Tracer& tracer, std::span<const double> temperature,
             std::uint32_t update, const ProgressCallback& progress) {
  using View = decltype(medium.view());
  using Real = typename View::RealType;
  const auto start = std::chrono::steady_clock::now();
  const Grid& grid = tracer.grid();
  const Options& options = tracer.options();
  Result result;
  result.threads = options.threads > 0 ? options.threads : omp_get_max_threads();

  const GridStorage<Real> grid_storage(grid);
  const WallsStorage<Real> walls(grid, tracer.walls(),
                                 [&](double t) { return medium.wall_coordinate(t); });
  std::vector<Real> coordinate(temperature.size());
  for (std::size_t i = 0; i < temperature.size(); ++i) {
    coordinate[i] = static_cast<Real>(medium.coordinate(temperature[i]));
    result.emission.push_back(
        medium.emission(CellId{static_cast<int>(i)}, static_cast<double>(coordinate[i])));
  }
  const auto strengths = medium.strengths(point_density(tracer, temperature));
  const auto gas_points = distribution(medium, strengths, RayOrigin::gas);
  const auto wall_points = distribution(medium, strengths, RayOrigin::wall);
  using Sampler = decltype(gas_points.view());
  const int max_crossings = static_cast<int>(
      std::min<std::int64_t>(options.max_crossings, std::numeric_limits<int>::max() - 1));
  const March<View> march{grid_storage.view(),
                          walls.view(),
                          medium.view(),
                          coordinate.data(),
                          static_cast<Real>(options.tolerance),
                          max_crossings};
  const StartSampler<Real> start_sampler{options.start == StartPoint::uniform};
  const std::size_t wall_cells = static_cast<std::size_t>(walls.view().offset[6]);
  RunMonitor monitor(static_cast<std::int64_t>(temperature.size()) * options.rays_per_cell +
                         static_cast<std::int64_t>(wall_cells) * options.rays_per_wall_face,
                     options.max_lost_fraction, progress);
  result.seconds.setup = seconds_since(start);

  const auto gas_start = std::chrono::steady_clock::now();
  const CellTracer<View, Sampler> trace_cell{march, gas_points.view(), start_sampler, options.seed,
                                             update};
  const auto gas = run_batches<CellId>(trace_cell, temperature.size(), options.rays_per_cell,
                                       options, result.threads, ErrorReport::live, monitor);
  result.seconds.gas = seconds_since(gas_start);

  const auto walls_start = std::chrono::steady_clock::now();
  const WallTracer<View, Sampler> trace_wall{
      march,         wall_points.view(),
      start_sampler, options.seed,
      update,        static_cast<std::uint32_t>(temperature.size())};
  const auto wall = run_batches<WallCellId>(trace_wall, wall_cells, options.rays_per_wall_face,
                                            options, result.threads, ErrorReport::silent, monitor);
  result.seconds.walls = seconds_since(walls_start);

  result.rays = monitor.counts();
  check_lost_rays(result.rays, options, monitor.hopeless());
  store(gas, result.flux_divergence, result.standard_error);
  for (std::size_t i = 0; i < gas.size(); ++i) {
    result.absorption.push_back(result.emission[i] - result.flux_divergence[i]);
  }
  for (std::size_t side = 0; side < 6 && !wall.empty(); ++side) {
    const auto first = static_cast<std::size_t>(walls.view().offset[side]);
    const auto last = static_cast<std::size_t>(walls.view().offset[side + 1]);
    store(std::span(wall).subspan(first, last - first), result.wall_flux[side].net_flux,
          result.wall_flux[side].standard_error);
  }
  return result;
}

template <class Real>
Result solve_in(const Tracer& tracer, std::span<const double> temperature, std::uint32_t update,
                const ProgressCallback& progress) {
  const auto run = [&](const auto& storage) {
    return solve(storage, tracer, temperature, update, progress);
  };
  if (const auto* grey = std::get_if<GreyMedium>(&tracer.medium())) {
    return run(GreyStorage<Real>(*grey));
  }
  if (const auto* list = std::get_if<SpectralList>(&tracer.medium())) {
    return run(SpectralListStorage<Real>(*list));
  }
  const auto& gas = std::get<GasMedium>(tracer.medium());
  constexpr int many = static_cast<int>(all_species.size());
  return gas.component_count() == 1 ? run(GasStorage<Real, 1>(gas, temperature))
                                    : run(GasStorage<Real, many>(gas, temperature));
}

}  // namespace

Result solve_on_host(const Tracer& tracer, std::span<const double> temperature,
                     std::uint32_t update, const ProgressCallback& progress) {
  return tracer.options().precision == Precision::single_precision
             ? solve_in<float>(tracer, temperature, update, progress)
             : solve_in<double>(tracer, temperature, update, progress);
}

}  // namespace ermine
