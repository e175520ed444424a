#include "seed_study.hpp"

#include "cold_gas.hpp"
#include "geometry/all_cells.hpp"
#include "solve_shown.hpp"
#include "time_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ermine::cli {
namespace {

constexpr std::uint64_t reference_seed = 20190605;  // no run under test has it

double root(double square) { return square > 0 ? std::sqrt(square) : 0.0; }

/// Which cells are in which group: hot ones, cold ones, those along walls.
struct CellGroups {
  static constexpr std::size_t count = 4;
  static constexpr std::array names{"all cells", "hot cells", "cold cells", "cells along walls"};

  CellGroups(const Case& problem) {
    const auto& t = problem.temperature;
    const auto [low, high] = std::minmax_element(t.begin(), t.end());
    const double range = *high - *low;
    for (std::size_t i = 0; i < t.size(); ++i) {
      belongs.push_back({true, t[i] > *low + 2 * range / 3, t[i] <= *low + range / 20,
                         beside_wall(problem.grid, i)});
    }
  }

  std::vector<std::array<bool, count>> belongs;
};

Result solve_reference(const Case& problem, std::int64_t rays, Verbosity verbosity) {
  Options options = problem.options;
  options.target = {};
  options.levels = 1;
  options.unbiased = false;
  options.thin_starts = ThinStarts::cells;
  options.replicates = 4;
  options.rays_per_cell = rays;
  if (options.rays_per_wall_face != 0) options.rays_per_wall_face = automatic_rays;
  options.seed = reference_seed;
  return solve_shown(problem, options, fmt::format("reference, {} rays per cell", rays), verbosity);
}

/// Totals of a run, in one order.
std::vector<Estimate> totals_of(const Case& problem, const Result& result, double below) {
  std::vector<Estimate> totals;
  for (const WallFlux& wall : result.wall_flux) {
    if (!wall.net_flux.empty()) totals.push_back(wall.heat);
  }
  // Runs and reference start at the same points of the same mesh: what these leave is no
  // difference.
  const Estimate& gas = result.ledger.gas;
  totals.push_back(
      {gas.value, root(std::pow(gas.standard_error, 2) - std::pow(result.ledger.unexplained, 2))});
  // Nothing is reported of its error.
  if (const double heat = absorbed_below(below, problem, result).value; heat > 0) {
    totals.push_back({heat, 0.0});
  }
  return totals;
}

std::vector<SeedTotal> empty_totals(const Case& problem, const Result& reference, double below) {
  std::vector<std::string> names;
  for (const Face face : all_faces) {
    if (!reference.wall_flux[static_cast<std::size_t>(face)].net_flux.empty()) {
      names.push_back(name_of(face));
    }
  }
  names.push_back("gas");
  names.push_back(fmt::format("absorbed below {:g} K", below));
  std::vector<SeedTotal> totals;
  for (const Estimate& total : totals_of(problem, reference, below)) {
    const std::string& name = names[totals.size()];
    totals.push_back({.name = name, .reference = total, .errors = ErrorGroup(name)});
  }
  return totals;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

double ErrorGroup::true_error() const { return root(true_squares_ / count_); }
double ErrorGroup::reported_error() const { return root(reported_squares_ / count_); }
double ErrorGroup::ratio() const {
  return true_squares_ > 0 ? std::sqrt(reported_squares_ / true_squares_) : 0.0;
}

double SeedTotal::deviation() const {
  return reference.value != 0 ? (mean - reference.value) / std::abs(reference.value) : 0.0;
}
double SeedTotal::deviation_error() const {
  return reference.value != 0 ? scatter / std::abs(reference.value) : 0.0;
}

SeedStudy study_seeds(const Case& problem, const SeedOptions& options) {
  const Verbosity verbosity = options.quiet ? Verbosity::quiet : Verbosity::normal;
  SeedStudy study;
  study.reference_rays =
      options.reference_rays > 0 ? options.reference_rays : 10 * problem.options.rays_per_cell;
  const Result reference = solve_reference(problem, study.reference_rays, verbosity);
  const std::size_t cells = problem.grid.cell_count();
  double squares = 0.0;
  double noise = 0.0;
  for (std::size_t i = 0; i < cells; ++i) {
    noise += std::pow(reference.standard_error[i], 2) / static_cast<double>(cells);
    squares += std::pow(reference.flux_divergence[i], 2) / static_cast<double>(cells);
  }
  study.reference_rms = root(squares - noise);
  const double percent_of = study.reference_rms > 0 ? 1 / study.reference_rms : 0.0;
  study.reference_error = std::sqrt(noise) * percent_of;
  study.totals = empty_totals(problem, reference, options.cold);
  for (const char* name : CellGroups::names) study.groups.emplace_back(name);
  ErrorGroup faces("wall face cells");

  const CellGroups groups(problem);
  std::vector<double> sum(cells), sum_of_squares(cells), seconds;
  std::vector<double> total_squares(study.totals.size());
  for (int seed = 1; seed <= options.seeds; ++seed) {
    Options run = problem.options;
    run.seed = static_cast<std::uint64_t>(seed);
    const Stopwatch watch;
    const Result result =
        solve_shown(problem, run, fmt::format("seed {} of {}", seed, options.seeds), verbosity);
    seconds.push_back(watch.seconds());
    double error = -noise;
    for (std::size_t i = 0; i < cells; ++i) {
      const Estimate found{result.flux_divergence[i], result.standard_error[i]};
      const Estimate right{reference.flux_divergence[i], reference.standard_error[i]};
      const double difference = found.value - right.value;
      sum[i] += difference;
      sum_of_squares[i] += difference * difference;
      error += difference * difference / static_cast<double>(cells);
      for (std::size_t g = 0; g < CellGroups::count; ++g) {
        if (groups.belongs[i][g]) study.groups[g].add(found, right);
      }
    }
    for (std::size_t side = 0; side < 6; ++side) {
      const WallFlux& wall = result.wall_flux[side];
      const WallFlux& right = reference.wall_flux[side];
      for (std::size_t i = 0; i < wall.net_flux.size(); ++i) {
        faces.add({wall.net_flux[i], wall.standard_error[i]},
                  {right.net_flux[i], right.standard_error[i]});
      }
    }
    const auto totals = totals_of(problem, result, options.cold);
    for (std::size_t t = 0; t < totals.size(); ++t) {
      SeedTotal& total = study.totals[t];
      total.errors.add(totals[t], total.reference);
      total.mean += totals[t].value / options.seeds;
      total_squares[t] += totals[t].value * totals[t].value / options.seeds;
    }
    const double relative = root(error) * percent_of;
    const ErrorTarget& target = problem.options.target;
    const double allowed = target.absolute ? target.error * percent_of : target.error;
    study.largest_error = std::max(study.largest_error, relative);
    study.mean_reported += result.relative_standard_error() / options.seeds;
    study.reached += result.accuracy.stopped_by == StoppedBy::target;
    study.within += allowed > 0 && relative <= allowed;
    const Ledger& ledger = result.ledger;
    study.balanced += std::abs(ledger.total.value) <= 4 * ledger.explained_error();
    if (ledger.exchanged > 0) {
      study.unexplained = std::max(study.unexplained, ledger.unexplained / ledger.exchanged);
      study.balance_error += ledger.total.standard_error / ledger.exchanged / options.seeds;
    }
    study.rays += result.rays_per_cell / options.seeds;
    study.levels = result.levels;
    study.steps_per_level = result.steps_per_level;
    study.runs += 1;
  }
  // Of the mean over seeds, less what is left of the noise of runs and reference.
  const double runs = static_cast<double>(options.seeds);
  double bias = -noise;
  for (std::size_t i = 0; i < cells; ++i) {
    const double mean = sum[i] / runs;
    const double variance = (sum_of_squares[i] / runs - mean * mean) / std::max(runs - 1, 1.0);
    bias += (mean * mean - variance) / static_cast<double>(cells);
  }
  study.bias = root(bias) * percent_of;
  for (std::size_t t = 0; t < study.totals.size(); ++t) {
    SeedTotal& total = study.totals[t];
    const double variance = std::max(total_squares[t] - total.mean * total.mean, 0.0);
    total.scatter =
        std::hypot(std::sqrt(variance / std::max(runs - 1, 1.0)), total.reference.standard_error);
  }
  if (!faces.empty()) study.groups.push_back(faces);
  study.seconds = median(seconds);
  return study;
}

}  // namespace ermine::cli
