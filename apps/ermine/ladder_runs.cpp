#include "ladder_runs.hpp"

#include "ladder_problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace ermine::cli {
namespace {

constexpr int probe_grid = 8;
constexpr std::int64_t probe_rays = 256;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

double LadderBudget::take(double shares) {
  const double left = std::max(0.0, seconds_ - seconds_since(start_));
  const double worth = left * shares / std::max(shares, shares_left_);
  shares_left_ -= shares;
  return worth;
}

MeasuredRun LadderRunner::once(const Case& problem, const Options& options,
                               const LadderSetting& setting, std::int64_t rays) const {
  Options scaled = options;
  scaled.rays_per_cell = rays;
  const Tracer tracer(problem.grid, problem.walls, problem.medium, scaled);
  ProgressLine progress(fmt::format("{}: {}, {} on {}^3 cells, {} rays per cell", setting.part,
                                    setting.problem, setting.method, setting.grid, rays),
                        verbosity_);
  Result result = tracer.solve(problem.temperature, 0, std::ref(progress));
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

double LadderRunner::cpu_seconds(int threads, int grid, std::int64_t rays) {
  auto [rate, unknown] = cpu_seconds_per_ray_.try_emplace(threads, 0.0);
  if (unknown) {
    const Case probe = slab_problem(probe_grid, "cpu");
    Options options = probe.options;
    options.threads = threads;
    const LadderSetting setting{"probe", "case 10", "classic", probe_grid, probe_rays};
    for (int repeat = 0; repeat < 2; ++repeat) {  // the first one wakes the threads up
      rate->second = 1 / once(probe, options, setting, probe_rays).row.rays_per_second;
    }
  }
  // On one grid a ray crosses cells in proportion to their number along an axis.
  return rate->second * grid / probe_grid * static_cast<double>(rays) * std::pow(grid, 3);
}

MeasuredRun LadderRunner::fit(const Case& problem, const Options& options,
                              const LadderSetting& setting, double seconds) const {
  const auto start = Clock::now();
  // The first and shortest run also warms the GPU up.
  MeasuredRun run = once(problem, options, setting, std::min(least_rays, setting.rays));
  while (run.row.scaled()) {
    const double per_ray = run.row.seconds / static_cast<double>(run.row.rays_used);
    const double left =
        0.9 * (seconds - seconds_since(start)) - (run.row.total_seconds - run.row.seconds);
    const auto affordable = static_cast<std::int64_t>(std::max(0.0, left / per_ray));
    if (affordable < run.row.rays_used + run.row.rays_used / 4) break;
    // Short runs predict long ones badly: in steps, each of which the next one dwarfs.
    const auto rays = std::min({setting.rays, affordable, 16 * run.row.rays_used});
    run = once(problem, options, setting, rays);
  }
  // Others use the machine too: the best of three, if there is time.
  for (int repeat = 1; repeat < 3 && !run.row.scaled(); ++repeat) {
    if (1.1 * run.row.total_seconds > seconds - seconds_since(start)) break;
    const LadderRow again = once(problem, options, setting, setting.rays).row;
    if (again.seconds < run.row.seconds) run.row = again;
  }
  return run;
}

}  // namespace ermine::cli
