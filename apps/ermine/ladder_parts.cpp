#include <ermine/error.hpp>

#include "bench_problems.hpp"
#include "cpu_guess.hpp"
#include "ladder.hpp"
#include "ladder_bias.hpp"
#include "ladder_runs.hpp"
#include "machine.hpp"
#include "time_budget.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace ermine::cli {
namespace {

constexpr std::array methods{Method::classic, Method::texture, Method::sorted, Method::multigrid};
constexpr std::array coarse_temperatures{CoarseTemperature::mean,
                                         CoarseTemperature::mean_fourth_power};
constexpr std::array step_counts{3, 5, 8, 12};
/// Two seeds of each setting and of one grid.
constexpr int bias_runs = 2 * (int{coarse_temperatures.size() * step_counts.size()} + 1);
constexpr int most_levels_measured = 7;  // 192^3 leaves 3 cells along an axis
constexpr double cpu_shares = 4.0;       // a CPU thread traces few rays in the time of a GPU

/// Large grids get more of the time: a ray crosses about as many cells as there are along an axis.
double shares_of(int grid) { return std::max(grid, 32) / 64.0; }

/// Levels that leave 3 cells or more along an axis.
int levels_of(int grid) {
  int levels = 1;
  while (levels < most_levels_measured && (grid >> levels) >= 3) ++levels;
  return levels;
}

Options with_method(const Case& problem, Method method) {
  Options options = problem.options;
  set_method(options, method);
  options.mesh_correction = false;  // rays are compared, on one mesh
  return options;
}

/// Runs that stand or fall together, for want of time or memory.
struct Job {
  LadderSetting setting;
  int runs;
  double shares;                            ///< of the time, for each run
  std::function<void(double seconds)> run;  ///< takes the time of each run
};

class Ladder {
 public:
  explicit Ladder(const LadderOptions& options)
      : options_(options),
        runner_(options.quiet ? Verbosity::quiet : Verbosity::normal),
        guess_(options.quiet ? Verbosity::quiet : Verbosity::normal),
        // A backend that is not there ends everything; what fails later only leaves a gap.
        backend_(slab_problem(8, options.backend).tracer().backend()) {}

  LadderRecord climb() {
    if (options_.wants("grids")) plan_grids();
    if (options_.wants("rays")) plan_rays();
    if (options_.wants("levels")) plan_levels();
    if (options_.wants("bias")) {
      plan_bias("case 10", slab_problem, Comparing::planes);
      plan_bias("eddies", eddies_problem, Comparing::cells);
    }
    drop_the_hopeless();
    TimeBudget budget(options_.budget, planned_shares());
    for (const Job& job : jobs_) {
      try {
        job.run(budget.take(job.runs * job.shares) / job.runs);
      } catch (const Error& error) {
        record_.gaps.push_back({job.setting, error.what()});
      }
    }
    return std::move(record_);
  }

 private:
  double planned_shares() const {
    double shares = 0.0;
    for (const Job& job : jobs_) shares += job.runs * job.shares;
    return shares;
  }

  /// What a CPU has no time for goes first, the slowest first, and leaves its time to the others.
  void drop_the_hopeless() {
    if (backend_ == Backend::cuda) return;
    while (!jobs_.empty()) {
      const double seconds_per_share = options_.budget / planned_shares();
      const auto excess = [&](const Job& job) {
        return guess_.seconds("case10", 0, job.setting.grid, least_rays) /
               (job.shares * seconds_per_share);
      };
      const auto worst =
          std::max_element(jobs_.begin(), jobs_.end(),
                           [&](const Job& a, const Job& b) { return excess(a) < excess(b); });
      if (excess(*worst) <= 1) return;
      record_.gaps.push_back({worst->setting, "does not fit into the budget of time"});
      jobs_.erase(worst);
    }
  }

  void measure(const Case& problem, Method method, LadderSetting setting, double seconds) {
    setting.method = name_of(method);
    try {
      record_.rows.push_back(
          runner_.fit(problem, with_method(problem, method), setting, seconds).row);
    } catch (const Error& error) {
      record_.gaps.push_back({setting, error.what()});
    }
  }

  void plan_methods(const LadderSetting& setting) {
    jobs_.push_back(
        {setting, int{methods.size()}, shares_of(setting.grid), [=, this](double seconds) {
           const Case problem = slab_problem(setting.grid, options_.backend);
           for (const Method method : methods) {
             measure(problem, method, setting, seconds);
           }
         }});
  }

  void plan_grids() {
    for (const int grid : options_.grids) {
      plan_methods({"grids", "case 10", "all methods", grid, options_.rays});
    }
    const LadderSetting smallest{"cpu", "case 10", "all methods", options_.grids.front(),
                                 options_.rays};
    jobs_.push_back({smallest, 4, cpu_shares, [this](double seconds) { run_cpu(seconds); }});
  }

  void plan_rays() {
    for (const std::int64_t rays : options_.ray_counts) {
      plan_methods({"rays", "case 10", "all methods", options_.rays_grid, rays});
    }
  }

  /// On the largest grid of the other rows on which one thread has time for some rays.
  void run_cpu(double seconds) {
    int grid = options_.grids.front();
    for (const LadderRow& row : record_.rows) {
      const int measured = row.setting.grid;
      if (guess_.seconds("case10", 1, measured, 2 * least_rays) <= seconds) grid = measured;
    }
    Case problem = slab_problem(grid, "cpu");
    for (const int threads : {1, this_machine().threads}) {
      problem.options.threads = threads;
      for (const Method method : {Method::classic, Method::multigrid}) {
        measure(problem, method, {"cpu", "case 10", "", grid, options_.rays}, seconds);
      }
    }
  }

  /// A run and its twin with another seed; the time is that of the faster one.
  LadderRow twins(const Case& problem, Options options, MeasuredRun run, TwinFields& fields) const {
    options.seed += 1;
    MeasuredRun other = runner_.once(problem, options, run.row.setting, run.row.rays_used);
    fields = {std::move(run.result.flux_divergence), std::move(other.result.flux_divergence)};
    return other.row.seconds < run.row.seconds ? other.row : run.row;
  }

  /// Several settings against one grid, all with as many rays as one run on one grid, the slowest,
  /// has time for.
  void compare(const Case& problem, LadderSetting setting, double seconds,
               const std::vector<Options>& settings, Comparing comparing) {
    const Options one_grid = with_method(problem, Method::sorted);
    TwinFields reference;
    record_.rows.push_back(
        twins(problem, one_grid, runner_.fit(problem, one_grid, setting, seconds), reference));
    const std::int64_t rays = record_.rows.back().rays_used;
    const double most = largest(problem.grid, reference, comparing);
    const double rms = root_mean_square(problem.grid, reference, comparing);
    setting.method = name_of(Method::multigrid);
    for (const Options& options : settings) {
      TwinFields fields;
      const LadderRow row =
          twins(problem, options, runner_.once(problem, options, setting, rays), fields);
      record_.rows.push_back(row);
      record_.biases.push_back(
          {row, squared_difference(problem.grid, fields, reference, comparing), most, rms});
    }
  }

  void plan_levels() {
    const int grid = options_.levels_grid;
    const LadderSetting setting{"levels", "case 10", "sorted", grid, options_.rays};
    jobs_.push_back({setting, 2 * levels_of(grid), shares_of(grid), [=, this](double seconds) {
                       const Case problem = slab_problem(grid, options_.backend);
                       std::vector<Options> settings;
                       for (int levels = 2; levels <= levels_of(grid); ++levels) {
                         settings.push_back(with_method(problem, Method::multigrid));
                         settings.back().levels = levels;
                       }
                       compare(problem, setting, seconds, settings, Comparing::planes);
                     }});
  }

  void plan_bias(const std::string& name, Case (*make)(int, const std::string&),
                 Comparing comparing) {
    const int grid = options_.bias_grid;
    const LadderSetting setting{"bias", name, "sorted", grid, options_.rays};
    jobs_.push_back({setting, bias_runs, shares_of(grid), [=, this](double seconds) {
                       const Case problem = make(grid, options_.backend);
                       std::vector<Options> settings;
                       for (const CoarseTemperature temperature : coarse_temperatures) {
                         for (const int steps : step_counts) {
                           settings.push_back(with_method(problem, Method::multigrid));
                           settings.back().coarse_temperature = temperature;
                           settings.back().steps_per_level = steps;
                         }
                       }
                       compare(problem, setting, seconds, settings, comparing);
                     }});
  }

  const LadderOptions& options_;
  LadderRunner runner_;
  CpuGuess guess_;
  Backend backend_;
  std::vector<Job> jobs_;
  LadderRecord record_;
};

}  // namespace

LadderRecord climb(const LadderOptions& options) { return Ladder(options).climb(); }

}  // namespace ermine::cli
