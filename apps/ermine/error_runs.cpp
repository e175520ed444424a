#include "error_runs.hpp"

#include "solve_shown.hpp"
#include "time_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ermine::cli {
namespace {

constexpr std::int64_t first_net_rays = 64;
constexpr int least_seeds = 25;
constexpr int calibration_replicates = 200;  // of all seeds together
constexpr std::int64_t most_calibration_rays = 1024;

/// What the net does about the bias of its levels, one after the other.
struct Remedy {
  int steps_per_level;
  bool unbiased;
};
constexpr std::array remedies{Remedy{8, false}, Remedy{12, false}, Remedy{8, true}};

/// Of a method by name: those of ermine::Method, and classic-levels, classic on the levels of the
/// net.
Options options_of(const Case& problem, const ErrorSetting& setting) {
  Options options = problem.options;
  options.backend = setting.backend;
  options.threads = setting.backend == Backend::cpu ? setting.threads : 0;
  for (const Method method : {Method::classic, Method::multigrid, Method::net}) {
    if (setting.method == name_of(method)) set_method(options, method);
  }
  if (setting.method == "classic-levels") {
    Options net = options;
    set_method(net, Method::net);
    set_method(options, Method::classic);
    options.levels = 0;  // all that the net may choose
    options.steps_per_level = net.steps_per_level;
    options.coarse_temperature = net.coarse_temperature;
  }
  options.mesh_correction = false;  // rays are compared, on one mesh
  return options;
}

/// Powers of two and, halfway between them, three halves of one.
std::int64_t next_net_rays(std::int64_t rays) {
  const bool power_of_two = (rays & (rays - 1)) == 0;
  return power_of_two ? rays / 2 * 3 : rays / 3 * 4;
}

std::string label(const Case& problem, const ErrorSetting& setting, std::int64_t rays) {
  return fmt::format("{} on {}, {}, {} rays per cell", setting.problem, cells_text(problem),
                     setting.method, rays);
}

}  // namespace

std::string cells_text(const Case& problem) {
  const Grid& grid = problem.grid;
  return fmt::format("{} x {} x {} cells", grid.cells(0), grid.cells(1), grid.cells(2));
}

ErrorRun ErrorRunner::once(const Options& options, std::int64_t rays) const {
  Options some = options;
  some.rays_per_cell = rays;
  const Result result = solve_shown(problem_, some, label(problem_, setting_, rays), verbosity_);
  const double traced = static_cast<double>(result.rays.traced);
  return {.rays = traced / static_cast<double>(result.flux_divergence.size()),
          .seconds = result.seconds.gas,
          .setup_seconds = result.seconds.setup,
          .rays_per_second = traced / result.seconds.gas,
          .levels = result.levels,
          .steps_per_level = some.steps_per_level,
          .unbiased = some.unbiased,
          .score = score(result, reference_)};
}

void ErrorRunner::repeat(ErrorRun& run, const Options& options, std::int64_t rays,
                         double seconds) const {
  const Stopwatch watch;
  const int repeats = setting_.backend == Backend::cuda ? 3 : 2;
  for (int i = 1; i < repeats; ++i) {
    if (1.1 * (run.seconds + run.setup_seconds) > seconds - watch.seconds()) return;
    const ErrorRun again = once(options, rays);
    if (again.seconds < run.seconds) run = again;
  }
}

void ErrorRunner::reach(const std::vector<double>& targets, double seconds,
                        ErrorRecord& record) const {
  const Stopwatch watch;
  Options options = options_of(problem_, setting_);
  std::size_t remedy = 0;
  std::int64_t rays = first_net_rays;
  ErrorRun run = once(options, rays);
  bool out_of_time = false;
  for (const double target : targets) {
    if (target < reference_.smallest_error()) {
      record.gaps.push_back(
          {setting_, target,
           fmt::format("its reference tells errors from {:.2g} % on, give it more time",
                       100 * reference_.smallest_error())});
      continue;
    }
    while (run.score.error > target && !out_of_time) {
      if (out_of_reach(run.score, target) && remedy + 1 < remedies.size()) {
        ++remedy;
        options.steps_per_level = remedies[remedy].steps_per_level;
        options.unbiased = remedies[remedy].unbiased;
        // Without that bias, fewer rays may do.
        rays = std::max(first_net_rays, rays / 4);
      } else {
        rays = next_net_rays(rays);
      }
      const double expected =
          run.seconds * static_cast<double>(rays) / run.rays + run.setup_seconds;
      out_of_time = expected > seconds - watch.seconds();
      if (!out_of_time) run = once(options, rays);
    }
    if (out_of_time) {
      record.gaps.push_back(
          {setting_, target,
           fmt::format("does not fit into the budget of time ({:.2g} % with {:.0f} rays per cell)",
                       100 * run.score.error, run.rays)});
      continue;
    }
    repeat(run, options, rays, (seconds - watch.seconds()) / 4);
    record.rows.push_back({setting_, target, false, run});
  }
}

ErrorRun ErrorRunner::fit(const Options& options, double smallest_target, double seconds) const {
  const Stopwatch watch;
  std::int64_t rays = least_rays;  // the first and shortest run also warms the GPU up
  ErrorRun run = once(options, rays);
  while (true) {
    const double enough = run.rays * std::pow(run.score.standard_error / smallest_target, 2);
    const auto planned =
        static_cast<std::int64_t>(std::min(std::ceil(enough), static_cast<double>(most_rays)));
    const std::int64_t more = more_rays({rays, run.seconds, run.seconds + run.setup_seconds},
                                        planned, seconds - watch.seconds());
    if (more == 0) return run;
    rays = more;
    run = once(options, rays);
  }
}

void ErrorRunner::scale(const std::vector<double>& targets, double seconds,
                        ErrorRecord& record) const {
  const ErrorRun run = fit(options_of(problem_, setting_), targets.back(), seconds);
  for (const double target : targets) record.rows.push_back({setting_, target, true, run});
}

void ErrorRunner::rate(double seconds, ErrorRecord& record) const {
  constexpr double good_enough = 0.01;  // more rays would not be faster or slower ones
  record.rows.push_back(
      {setting_, 0.0, false, fit(options_of(problem_, setting_), good_enough, seconds)});
}

CalibrationRow calibrate(const Case& problem, const ErrorSetting& setting, double seconds,
                         Verbosity verbosity) {
  Options options = options_of(problem, setting);
  const auto solve = [&](std::int64_t rays) {
    options.rays_per_cell = rays;
    ++options.seed;
    return solve_shown(
        problem, options,
        fmt::format("calibration: {}, seed {}", label(problem, setting, rays), options.seed),
        verbosity);
  };
  std::int64_t rays = first_net_rays;
  const Result first = solve(rays);
  const int seeds = std::max(least_seeds, calibration_replicates / first.replicates);
  const double expected = seeds * first.seconds.total();
  for (double doubled = 2 * expected; doubled < seconds && rays < most_calibration_rays;
       doubled *= 2) {
    rays *= 2;
  }
  Calibration calibration;
  for (int i = 0; i < seeds; ++i) calibration.add(solve(rays));
  return {setting,
          rays,
          first.replicates,
          calibration.seeds(),
          calibration.ratio(),
          calibration.within_two()};
}

}  // namespace ermine::cli
