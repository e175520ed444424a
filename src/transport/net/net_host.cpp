#include "transport/net/net_host.hpp"

#include "core/thread_count.hpp"
#include "transport/accuracy/pilot.hpp"
#include "transport/net/net_solve.hpp"
#include "transport/net/replicates_host.hpp"
#include "transport/run/run_monitor.hpp"
#include "transport/scene/levels_of.hpp"
#include "transport/scene/scene.hpp"

namespace ermine {
namespace {

template <Spacing spacing, class SceneType>
void trace(SceneType& scene, const Tracer& tracer, const Levels& levels, const Solving& how,
           Instructions instructions, const Stopwatch& clock, Result& result) {
  const Options& options = tracer.options();
  const bool to_target = options.target.any();
  const InPlace place;
  const PlainField<typename SceneType::Real> field{place(scene.coordinate()), scene.window(place)};
  const auto cells = scene.template cell_tracer<NetRays>(
      scene.template march<spacing, Detail::levelled>(place, field), place, how.update);
  const auto walls = scene.template wall_tracer<NetRays>(
      scene.template march<Spacing::stretched, Detail::levelled>(place, field), place, how.update);
  const auto points = thin_points(scene, tracer, cells.march);
  if (points) {
    result.thin_below = points->below();
    result.thin_relative_bias = points->relative_bias();
  }
  const auto thin = thin_trace(points, cells, place, scene.cells() + scene.wall_cells());
  const std::size_t of_cells = points ? scene.cells() * points->any_thick() : scene.cells();
  const std::size_t of_nodes = points ? scene.cells() / 8 * node_rays : 0;
  const std::int64_t rays = rays_in_all(options, of_cells + of_nodes, scene.wall_cells());
  RunMonitor monitor(to_target ? 0 : (how.before ? 2 : 1) * rays, hopeless_fraction(options),
                     how.progress, how.cancelled);
  const TileShares shares(how.team(), scene.temperature());
  HostReplicates replicates(cells, walls, thin, instructions, result.threads, monitor, shares);
  std::vector<char> starts = scene.starts();
  replicates.set_kinds(result.emission, starts);
  if (how.after) replicates.carry(how.before, kept_share(how, options), scene.changed_starts());
  if (how.before) {
    const PlainField<typename SceneType::Real> earlier{place(scene.earlier_coordinate())};
    const auto cells_then = scene.in_earlier_field(cells, place, earlier);
    const auto walls_then = scene.in_earlier_field(walls, place, earlier);
    replicates.follow_in(std::make_unique<decltype(replicates)>(
        cells_then, walls_then, in_earlier_field(thin, cells_then), instructions, result.threads,
        monitor, shares));
  }
  set_levels(replicates, tracer, scene.temperature(), levels, how, result);
  result.seconds.setup = clock.seconds();
  const Stopwatch gas_time;
  if (how.pilot) {
    how.pilot->run(replicates, result, SampleSize::some);
  } else if (to_target) {
    trace_to_target(replicates, tracer, clock, result);
  } else {
    trace_cells(replicates, options, result.levels);
    result.seconds.gas = gas_time.seconds();
    const Stopwatch walls_time;
    trace_walls(replicates, options, result.levels);
    result.seconds.walls = walls_time.seconds();
  }
  monitor.check_wanted();
  share_kinds(tracer.grid(), scene.temperature(), how.team(), starts, result);
  gather(replicates, tracer, scene.temperature(), starts, result);
  if (how.after) replicates.leave(*how.after);
}

}  // namespace

Result solve_net_on_host(const Tracer& tracer, const TemperatureField& temperature,
                         const Solving& how, Instructions instructions) {
  const Options& options = tracer.options();
  const Stopwatch clock;
  Result result;
  result.threads = thread_count(options.threads);
  const Levels levels =
      levels_of(tracer, temperature.complete() ? FieldKnown::whole : FieldKnown::windows);
  with_scene(tracer, levels, temperature, earlier_temperature(how), [&](auto& scene) {
    result.emission = scene.take_emission();
    result.termination = scene.termination();
    if (how.emission_slope) result.emission_slope = scene.emission_slope();
    scene.template with_spacing<NetRays>([&]<Spacing spacing>() {
      trace<spacing>(scene, tracer, levels, how, instructions, clock, result);
    });
  });
  return result;
}

}  // namespace ermine
