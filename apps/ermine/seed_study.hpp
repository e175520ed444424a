#pragma once

#include <ermine/case.hpp>
#include <ermine/result.hpp>

#include <array>
#include <string>
#include <vector>

/// Solutions of one problem with many seeds, against a converged one on the same cells: what errors
/// are, beside what was reported.
namespace ermine::cli {

/// Root mean squares of an error, true and as reported, over runs and over the members of a group.
class ErrorGroup {
 public:
  explicit ErrorGroup(std::string name) : name_(std::move(name)) {}

  /// One number of a run, and that of the reference.
  void add(const Estimate& found, const Estimate& reference) {
    const double difference = found.value - reference.value;
    true_squares_ += difference * difference - reference.standard_error * reference.standard_error;
    reported_squares_ += found.standard_error * found.standard_error;
    count_ += 1;
  }

  const std::string& name() const { return name_; }
  bool empty() const { return count_ == 0; }
  double true_error() const;
  double reported_error() const;
  double ratio() const;  ///< reported over true; 0 where there is no true error

 private:
  std::string name_;
  double true_squares_ = 0.0;  ///< less what the noise of the reference adds to them
  double reported_squares_ = 0.0;
  double count_ = 0.0;
};

/// A total, mean over runs, beside that of the reference.
struct SeedTotal {
  std::string name;
  Estimate reference;
  double mean = 0.0;
  double scatter = 0.0;  ///< standard deviation of runs
  ErrorGroup errors{""};

  double deviation() const;        ///< of the mean, relative
  double deviation_error() const;  ///< what noise leaves unknown of it, relative
};

struct SeedStudy {
  std::size_t runs = 0;
  double reference_rms = 0.0;    ///< of Q [W/m3]
  double reference_error = 0.0;  ///< of Q, relative
  std::int64_t reference_rays = 0;
  double bias = 0.0;         ///< of Q beyond noise, relative: of the mean of all runs
  std::size_t reached = 0;   ///< runs that said so
  std::size_t within = 0;    ///< runs whose true error is at most the target
  std::size_t balanced = 0;  ///< runs whose imbalance noise and levels explain, within four errors
  double largest_error = 0.0;  ///< of Q of a run, true, relative
  double mean_reported = 0.0;  ///< of Q, relative
  std::vector<ErrorGroup> groups;
  std::vector<SeedTotal> totals;  ///< walls, gas, heat absorbed by cold gas
  double unexplained = 0.0;       ///< of the balance over the heat exchanged, largest of all runs
  double balance_error = 0.0;     ///< the same of its error, mean of all runs
  double seconds = 0.0;           ///< of a solution, median
  double rays = 0.0;              ///< per cell, mean
  int levels = 1;                 ///< of the last run
  int steps_per_level = 1;
};

struct SeedOptions {
  int seeds = 20;
  std::int64_t reference_rays = 0;  ///< per cell; 0: ten times those of the case
  double cold = 600.0;              ///< gas below it counts as cold [K]
  bool quiet = false;
};

/// Solves a problem with seeds 1, 2, ..., and once on one level with many rays.
SeedStudy study_seeds(const Case& problem, const SeedOptions& options);

}  // namespace ermine::cli
