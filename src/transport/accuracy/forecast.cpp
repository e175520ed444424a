#include <ermine/forecast.hpp>

#include "core/fp_guard.hpp"
#include "core/thread_count.hpp"
#include "geometry/all_cells.hpp"
#include "transport/accuracy/pilot.hpp"
#include "transport/run/solving.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

/// Without what is estimated once rays are traced.
Tracer without_estimates(const Tracer& tracer, Options options) {
  options.estimate_mesh_error = false;
  return {tracer.grid(), tracer.walls(), tracer.medium(), tracer.scattering(), options};
}

/// All of a pilot but its rays is as in the run.
void take_rest(const Result& result, const Cost& rest, Forecast& found) {
  found.seconds.setup = result.seconds.setup;
  found.other_seconds = std::max(rest.wall - result.seconds.setup, 0.0);
  found.processor_seconds = rest.processor;
  found.levels = result.levels;
  found.thickest_cell = result.thickest_cell;
  found.device_memory = result.device_memory;
}

Forecast of_net(const Tracer& tracer, std::span<const double> temperature, double seconds,
                WorkSpeed speed) {
  const Options& options = tracer.options();
  Pilot pilot(tracer.grid(), options, seconds, speed);
  const CostMeter meter;
  const Solving how{.pilot = &pilot};
  const Result result = options.estimate_mesh_error
                            ? solve(without_estimates(tracer, options), temperature, how)
                            : solve(tracer, temperature, how);
  Forecast found;
  take_rest(result, meter.cost() - pilot.spent, found);
  if (speed.given()) {
    const Cost choice = speed.of(pilot.choice_crossings);
    found.seconds.setup = choice.wall;
    found.other_seconds = 0.0;
    found.processor_seconds = choice.processor;
  }
  found.seconds.gas = pilot.gas.wall;
  found.seconds.walls = pilot.walls.wall;
  found.processor_seconds += pilot.gas.processor + pilot.walls.processor;
  found.rays_per_cell = pilot.rays_per_cell;
  found.rays_per_wall_face = pilot.rays_per_wall_face;
  found.rays = pilot.choice_rays;
  found.relative_error = pilot.relative_error;
  found.stopped_by = pilot.stopped_by;
  found.corrected = pilot.corrected;
  found.thin_blocks = pilot.grouped;
  const ErrorTarget& target = options.target;
  if (target.any() && target.time_limit > 0 && found.seconds.total() > target.time_limit) {
    const double share = target.time_limit / found.seconds.total();
    found.stopped_by = StoppedBy::time_limit;
    found.relative_error *= std::pow(share, -pilot.exponent);
    for (double* part : {&found.seconds.gas, &found.seconds.walls, &found.processor_seconds,
                         &found.rays_per_cell, &found.rays_per_wall_face}) {
      *part *= share;
    }
  }
  return found;
}

/// Random rays: errors fall as their square root, whatever the rays. All cells, as few rays of each
/// as tell something.
Forecast of_random(const Tracer& tracer, std::span<const double> temperature, double seconds,
                   WorkSpeed speed) {
  const Options& asked = tracer.options();
  Options options = asked;
  options.rays_per_cell = 2;
  Cost spent;
  for (;;) {
    options.rays_per_wall_face = asked.rays_per_wall_face != 0
                                     ? std::min(asked.rays_per_wall_face, options.rays_per_cell)
                                     : 0;
    const CostMeter meter;
    Result result = without_estimates(tracer, options).solve(temperature);
    Cost cost = meter.cost();
    if (speed.given()) {
      // Rays of gas and walls are about equally long.
      const auto cells = static_cast<double>(tracer.grid().cell_count());
      const double of_gas = static_cast<double>(options.rays_per_cell) * cells;
      cost = speed.of(static_cast<double>(result.rays.crossings));
      result.seconds = {};
      result.seconds.gas = of_gas / static_cast<double>(result.rays.traced) * cost.wall;
      result.seconds.walls = cost.wall - result.seconds.gas;
    }
    spent = spent + cost;
    const double growth = std::min(
        4.0, static_cast<double>(asked.rays_per_cell) / static_cast<double>(options.rays_per_cell));
    if (growth > 1 && spent.wall + growth * cost.wall < seconds) {
      options.rays_per_cell =
          static_cast<std::int64_t>(growth * static_cast<double>(options.rays_per_cell));
      continue;
    }
    const auto times = [](std::int64_t many, std::int64_t few) {
      return few > 0 ? static_cast<double>(many) / static_cast<double>(few) : 0.0;
    };
    const double more = times(asked.rays_per_cell, options.rays_per_cell);
    const double more_walls = times(asked.rays_per_wall_face, options.rays_per_wall_face);
    const double tracing = result.seconds.gas + result.seconds.walls;
    const double all = more * result.seconds.gas + more_walls * result.seconds.walls;
    Forecast found;
    take_rest(result, {cost.wall - tracing, cost.processor}, found);
    found.seconds.gas = more * result.seconds.gas;
    found.seconds.walls = more_walls * result.seconds.walls;
    const double threads = tracing > 0 ? cost.processor / cost.wall : 0.0;
    found.processor_seconds += threads * (all - tracing);
    found.rays_per_cell = static_cast<double>(asked.rays_per_cell);
    found.rays_per_wall_face = static_cast<double>(asked.rays_per_wall_face);
    // Q has its noise in it, now and then.
    const double noise = std::pow(result.relative_standard_error(), 2);
    const double then = noise / more;
    found.relative_error = then > 0 ? std::sqrt(then / (std::max(1 - noise, 0.0) + then)) : 0.0;
    return found;
  }
}

}  // namespace

Forecast forecast(const Tracer& tracer, std::span<const double> temperature, double pilot_seconds) {
  return forecast(tracer, temperature, pilot_seconds, WorkSpeed());
}

Forecast forecast(const Tracer& tracer, std::span<const double> temperature, double pilot_seconds,
                  WorkSpeed speed) {
  const FloatingPointGuard guard;
  const Stopwatch watch;
  const Options& options = tracer.options();
  Forecast found = options.sampler == RaySampler::net
                       ? of_net(tracer, temperature, pilot_seconds, speed)
                       : of_random(tracer, temperature, pilot_seconds, speed);
  if (options.estimate_mesh_error) {
    // Coarser meshes have a half, a quarter and an eighth of the rays.
    found.other_seconds += 0.875 * found.seconds.gas;
    found.processor_seconds *= 1.875;
  }
  found.threads = thread_count(options.threads);
  found.rays +=
      found.rays_per_cell * static_cast<double>(tracer.grid().cell_count()) +
      (found.rays_per_wall_face > 0
           ? found.rays_per_wall_face * static_cast<double>(wall_cell_count(tracer.grid()))
           : 0.0);
  found.pilot_seconds = watch.seconds();
  return found;
}

}  // namespace ermine
