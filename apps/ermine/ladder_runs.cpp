#include "ladder_runs.hpp"

#include "solve_shown.hpp"
#include "time_budget.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ermine::cli {

MeasuredRun LadderRunner::once(const Case& problem, const Options& options,
                               const LadderSetting& setting, std::int64_t rays) const {
  Options scaled = options;
  scaled.rays_per_cell = rays;
  Result result =
      solve_shown(problem, scaled,
                  fmt::format("{}: {}, {} on {}^3 cells, {} rays per cell", setting.part,
                              setting.problem, setting.method, setting.grid, rays),
                  verbosity_);
  const double traced = static_cast<double>(result.rays.traced);
  LadderRow row{.setting = setting,
                .rays_used = rays,
                .backend = result.backend,
                .device = result.device,
                .threads = result.threads,
                .levels = result.levels,
                .steps_per_level = scaled.steps_per_level,
                .coarse_temperature = scaled.coarse_temperature,
                .seconds = result.seconds.gas,
                .total_seconds = result.seconds.total(),
                .rays_per_second = traced / result.seconds.gas,
                .crossings_per_ray = static_cast<double>(result.rays.crossings) / traced,
                .standard_error = result.relative_standard_error(),
                .device_memory = result.device_memory};
  return {std::move(row), std::move(result)};
}

MeasuredRun LadderRunner::fit(const Case& problem, const Options& options,
                              const LadderSetting& setting, double seconds) const {
  const Stopwatch watch;
  // The first and shortest run also warms the GPU up.
  MeasuredRun run = once(problem, options, setting, std::min(least_rays, setting.rays));
  while (const std::int64_t rays =
             more_rays({run.row.rays_used, run.row.seconds, run.row.total_seconds}, setting.rays,
                       seconds - watch.seconds())) {
    run = once(problem, options, setting, rays);
  }
  // Others use the machine too: the best of three, if there is time.
  for (int repeat = 1; repeat < 3 && !run.row.scaled(); ++repeat) {
    if (1.1 * run.row.total_seconds > seconds - watch.seconds()) break;
    const LadderRow again = once(problem, options, setting, setting.rays).row;
    if (again.seconds < run.row.seconds) run.row = again;
  }
  return run;
}

}  // namespace ermine::cli
