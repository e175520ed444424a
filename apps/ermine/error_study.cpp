#include "error_study.hpp"

#include <ermine/error.hpp>

#include "cpu_guess.hpp"
#include "error_runs.hpp"
#include "machine.hpp"
#include "solve_shown.hpp"
#include "time_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ermine::cli {
namespace {

constexpr double reference_shares = 6;
constexpr double calibration_shares = 6;

double shares_of(const std::string& method) {
  return method == "net" ? 8 : method == "classic-levels" ? 0.5 : 1.5;
}

/// Time grows faster than this with the grid, but small ones need some of it, too.
double shares_of(int grid) { return grid * grid / 1024.0; }

/// What traces rays.
struct Place {
  Backend backend;
  int threads;
};

/// All methods at all places on one problem and grid, against one reference.
struct Plan {
  std::string problem;
  int grid;
  std::vector<Place> places;
  double shares;  ///< of the time
};

class ErrorStudy {
 public:
  explicit ErrorStudy(const ErrorOptions& options)
      : options_(options), verbosity_(options.quiet ? Verbosity::quiet : Verbosity::normal) {
    const Machine machine = this_machine();
    for (const std::string& name : options.backends) {
      // A backend that is not there ends everything; what fails later only leaves a gap. A GPU is
      // slow when first used.
      const Case probe = slab_problem(8, name);
      const Backend backend = probe.tracer().backend();
      if (backend == Backend::cuda) record_.device = machine.device;
      for (const int threads : backend == Backend::cuda ? std::vector{0} : options.threads) {
        add({backend, threads == 0 ? machine.threads : threads});
      }
      Options few = probe.options;
      set_method(few, Method::net);
      few.rays_per_cell = 16;
      solve_shown(probe, few, "warming up", verbosity_);
    }
  }

  ErrorRecord run() {
    plan();
    drop_the_hopeless();
    TimeBudget budget(options_.budget, planned_shares());
    for (const Plan& plan : plans_) measure(plan, budget);
    if (options_.calibration) {
      for (const std::string& name : options_.problems) calibrate(name, budget);
    }
    return std::move(record_);
  }

 private:
  void add(const Place& place) {
    const bool known = std::any_of(places_.begin(), places_.end(), [&](const Place& other) {
      return other.backend == place.backend && other.threads == place.threads;
    });
    if (!known) places_.push_back(place);
  }

  double shares_of_methods() const {
    double shares = 0.0;
    for (const std::string& method : options_.methods) shares += shares_of(method);
    return shares;
  }

  std::vector<int> grids_of(const Place& place) const {
    if (!options_.grids.empty()) return options_.grids;
    return place.backend == Backend::cuda ? std::vector{64, 128, 192} : std::vector{32};
  }

  int calibration_grid() const { return grids_of(places_.front()).front(); }

  void plan() {
    std::map<int, std::vector<Place>> places_by_grid;
    for (const Place& place : places_) {
      for (const int grid : grids_of(place)) places_by_grid[grid].push_back(place);
    }
    for (const auto& [grid, places] : places_by_grid) {
      const double shares =
          shares_of(grid) *
          (reference_shares + static_cast<double>(places.size()) * shares_of_methods());
      for (const std::string& problem : options_.problems) {
        plans_.push_back({problem, grid, places, shares});
      }
    }
  }

  double planned_shares() const {
    double shares = 0.0;
    for (const Plan& plan : plans_) shares += plan.shares;
    if (options_.calibration) {
      shares += static_cast<double>(options_.problems.size()) * calibration_shares *
                shares_of(calibration_grid());
    }
    return shares;
  }

  /// What a CPU has no time for goes first, the slowest first, and leaves its time to the others.
  void drop_the_hopeless() {
    while (!plans_.empty()) {
      const double seconds_per_share = options_.budget / planned_shares();
      const auto excess = [&](const Plan& plan) {
        double least = 0.0;
        for (const Place& place : plan.places) {
          if (place.backend == Backend::cuda) continue;
          least += guess_.seconds(plan.problem, place.threads, plan.grid, least_reference_rays);
        }
        return least / (plan.shares * seconds_per_share);
      };
      const auto worst =
          std::max_element(plans_.begin(), plans_.end(),
                           [&](const Plan& a, const Plan& b) { return excess(a) < excess(b); });
      if (excess(*worst) <= 1) return;
      leave_out(*worst, "does not fit into the budget of time");
      plans_.erase(worst);
    }
  }

  void leave_out(const ErrorSetting& setting, const std::string& why) {
    const bool aims = setting.method != "classic-levels";
    for (const double target : aims ? options_.targets : std::vector{0.0}) {
      record_.gaps.push_back({setting, target, why});
    }
  }

  void leave_out(const Plan& plan, const std::string& why) {
    for (const ErrorSetting& setting : settings_of(plan)) leave_out(setting, why);
  }

  std::vector<ErrorSetting> settings_of(const Plan& plan) const {
    std::vector<ErrorSetting> settings;
    for (const Place& place : plan.places) {
      for (const std::string& method : options_.methods) {
        settings.push_back({plan.problem, plan.grid, place.backend, place.threads, method});
      }
    }
    return settings;
  }

  void measure(const Plan& plan, TimeBudget& budget) {
    const BenchProblem& problem = bench_problem(plan.problem);
    // The fastest place computes the reference for all.
    const Place& fastest =
        *std::max_element(plan.places.begin(), plan.places.end(), [](const auto& a, const auto& b) {
          return std::pair(a.backend, a.threads) < std::pair(b.backend, b.threads);
        });
    const double seconds = budget.take(reference_shares * shares_of(plan.grid));
    try {
      const Case made = problem.make(plan.grid, ermine::name_of(fastest.backend));
      const auto [reference, about] = converged(problem, plan.grid, made, seconds, verbosity_);
      record_.references.push_back(about);
      for (const ErrorSetting& setting : settings_of(plan)) {
        const double share = budget.take(shares_of(setting.method) * shares_of(plan.grid));
        measure({made, setting, reference, verbosity_}, setting, share);
      }
    } catch (const Error& error) {
      leave_out(plan, fmt::format("its reference failed ({})", error.what()));
    }
  }

  void measure(const ErrorRunner& runner, const ErrorSetting& setting, double seconds) {
    try {
      if (setting.method == "net") {
        runner.reach(options_.targets, seconds, record_);
      } else if (setting.method == "classic-levels") {
        runner.rate(seconds, record_);
      } else {
        runner.scale(options_.targets, seconds, record_);
      }
    } catch (const Error& error) {
      leave_out(setting, error.what());
    }
  }

  void calibrate(const std::string& problem, TimeBudget& budget) {
    const Place& place = places_.front();
    const int grid = calibration_grid();
    record_.calibrations.push_back(
        cli::calibrate(bench_problem(problem).make(grid, ermine::name_of(place.backend)),
                       {problem, grid, place.backend, place.threads, "net"},
                       budget.take(calibration_shares * shares_of(grid)), verbosity_));
  }

  const ErrorOptions& options_;
  Verbosity verbosity_;
  CpuGuess guess_{verbosity_};
  std::vector<Place> places_;
  std::vector<Plan> plans_;
  ErrorRecord record_;
};

}  // namespace

ErrorRecord study_errors(const ErrorOptions& options) { return ErrorStudy(options).run(); }

}  // namespace ermine::cli
