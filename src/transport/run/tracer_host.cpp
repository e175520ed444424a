#include "transport/run/tracer_host.hpp"

#include "core/thread_count.hpp"
#include "transport/net/net_host.hpp"
#include "transport/ray/tally.hpp"
#include "transport/run/gather.hpp"
#include "transport/run/run_monitor.hpp"
#include "transport/scene/levels_of.hpp"
#include "transport/scene/scene.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace ermine {
namespace {

double relative_error(std::span<const Tally> tallies) {
  double error = 0.0;
  double value = 0.0;
  for (const Tally& tally : tallies) {
    error += tally.standard_error() * tally.standard_error();
    value += tally.mean() * tally.mean();
  }
  return value > 0 ? std::sqrt(error / value) : 0.0;
}

std::vector<Estimate> estimates(std::span<const Tally> tallies) {
  std::vector<Estimate> values;
  values.reserve(tallies.size());
  for (const Tally& tally : tallies) values.push_back(tally.estimate());
  return values;
}

enum class ErrorReport { live, silent };

/// All batches of this rank's part of all origins (cells, or wall face cells), OpenMP over origins.
/// One thread owns one tally, rays are summed in order: the answer does not depend on the number of
/// threads.
template <class Trace>
std::vector<Tally> run_batches(const Trace& trace, std::size_t origins, std::int64_t rays,
                               const Options& options, int threads, ErrorReport error_report,
                               RunMonitor& monitor, const Ranks& ranks) {
  static_assert(std::is_trivially_copyable_v<Trace>);
  const IndexRange part = part_of_rank(rays > 0 ? origins : 0, ranks);
  std::vector<Tally> tallies(part.count());
  const int batches = batch_count(options, origins, rays);
  const int count = static_cast<int>(tallies.size());
  const int first = static_cast<int>(part.begin);
  // Blocks, the first ones small, so that a run that loses its rays is noticed after few of them;
  // between blocks, so that the verdict does not depend on threads.
  constexpr int largest_block = 4096;
  int block = 16;
  const int chunk = std::clamp(count / (8 * threads), 1, 16);
  for (int batch = 0; batch < batches; ++batch) {
    const RayRange range = batch_of_rays(rays, batches, batch);
    for (int begin = 0, end = 0; begin < count; begin = end) {
      if (monitor.hopeless()) return tallies;
      end = std::min(begin + block, count);
      block = std::min(2 * block, largest_block);
#pragma omp parallel for schedule(dynamic, chunk) num_threads(threads)
      for (int i = begin; i < end; ++i) {
        if (monitor.cancelled()) continue;
        const bool started_the_run = omp_get_thread_num() == 0;
        const WatchScope watched(monitor.watch(started_the_run));
        const BatchScore score = trace(typename Trace::Origin{first + i}, range);
        tallies[static_cast<std::size_t>(i)].add_batch(range.count, score.sum, score.squares);
        monitor.add(range.count, {score.traced, score.lost, score.crossings});
        if (score.gave_up) monitor.give_up();
        if (started_the_run) monitor.report();
      }
    }
    if (error_report == ErrorReport::live) {
      monitor.set_relative_error(relative_error(tallies));
    }
  }
  return tallies;
}

template <Spacing spacing, class SceneType>
void trace(SceneType& scene, const Tracer& tracer, const Solving& how, Result& result) {
  const Options& options = tracer.options();
  RunMonitor monitor(rays_in_all(options, scene.cells(), scene.wall_cells()),
                     hopeless_fraction(options), how.progress, how.cancelled);
  const InPlace place;
  const PlainField<typename SceneType::Real> field{place(scene.coordinate()), scene.window(place)};
  const Stopwatch gas_time;
  const auto gas = run_batches(
      scene.template cell_tracer<RandomRays>(
          scene.template march<spacing, Detail::levelled>(place, field), place, how.update),
      scene.cells(), options.rays_per_cell, options, result.threads, ErrorReport::live, monitor,
      how.team());
  result.seconds.gas = gas_time.seconds();

  const Stopwatch walls_time;
  const auto wall =
      run_batches(scene.template wall_tracer<RandomRays>(
                      scene.template march<Spacing::stretched, Detail::levelled>(place, field),
                      place, how.update),
                  scene.wall_cells(), options.rays_per_wall_face, options, result.threads,
                  ErrorReport::silent, monitor, how.team());
  result.seconds.walls = walls_time.seconds();
  monitor.check_wanted();
  const auto [counts, hopeless] = of_all_ranks(monitor.counts(), monitor.hopeless(), how.team());
  result.rays = counts;
  check_lost_rays(result.rays, options, hopeless);
  gather(tracer, of_all_ranks(estimates(gas), how.team()),
         of_all_ranks(estimates(wall), how.team()), result);
  result.ledger = balance(tracer, result);
  result.rays_per_cell = static_cast<double>(options.rays_per_cell);
  result.rays_per_wall_face = static_cast<double>(options.rays_per_wall_face);
}

}  // namespace

Result solve_on_host(const Tracer& tracer, const TemperatureField& temperature, const Solving& how,
                     Instructions instructions) {
  const Options& options = tracer.options();
  if (options.sampler == RaySampler::net) {
    return solve_net_on_host(tracer, temperature, how, instructions);
  }
  const Stopwatch setup_time;
  Result result;
  result.threads = thread_count(options.threads);
  const Levels levels = levels_of(tracer);
  result.levels = levels.count();
  result.steps_per_level = levels.count() > 1 ? levels.steps() : 1;
  result.wall_levels = result.levels;
  result.wall_steps_per_level = result.steps_per_level;
  with_scene(tracer, levels, temperature, [&](auto& scene) {
    result.emission = scene.take_emission();
    result.termination = scene.termination();
    if (how.emission_slope) result.emission_slope = scene.emission_slope();
    result.seconds.setup = setup_time.seconds();
    scene.template with_spacing<RandomRays>(
        [&]<Spacing spacing>() { trace<spacing>(scene, tracer, how, result); });
  });
  return result;
}

}  // namespace ermine
