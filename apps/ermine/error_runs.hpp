#pragma once

#include "bench_problems.hpp"
#include "error_study.hpp"
#include "progress_line.hpp"

#include <string>

namespace ermine::cli {

/// Cells of a problem, for people to read: "32 x 32 x 64 cells".
std::string cells_text(const Case& problem);

/// Rays per cell of the shortest run for a reference.
inline constexpr std::int64_t least_reference_rays = 64;

/// A converged solution without levels of detail, with as many rays as there is time for, and
/// what to tell of it. A problem that is a profile is solved on fewer cells than it was made with.
struct ReferenceSolution {
  Reference reference;
  ErrorReference about;
};
ReferenceSolution converged(const BenchProblem& problem, int grid, const Case& made, double seconds,
                            Verbosity verbosity);

/// Runs one method on one problem.
class ErrorRunner {
 public:
  ErrorRunner(const Case& problem, ErrorSetting setting, const Reference& reference,
              Verbosity verbosity)
      : problem_(problem),
        setting_(std::move(setting)),
        reference_(reference),
        verbosity_(verbosity) {}

  /// Net: more and more rays until the measured error is at each of the targets,
  /// largest first. Where the levels' bias stands in the way, 12 steps per level, then none.
  void reach(const std::vector<double>& targets, double seconds, ErrorRecord& record) const;

  /// Random rays: as many as there is time for, scaled to each of the targets.
  void scale(const std::vector<double>& targets, double seconds, ErrorRecord& record) const;

  /// Rays per second alone.
  void rate(double seconds, ErrorRecord& record) const;

 private:
  ErrorRun once(const Options& options, std::int64_t rays) const;
  /// The same again, for the shortest time of a few, as others use the machine too.
  void repeat(ErrorRun& run, const Options& options, std::int64_t rays, double seconds) const;
  /// As many rays as there is time for, but no more than the smallest target needs.
  ErrorRun fit(const Options& options, double smallest_target, double seconds) const;

  const Case& problem_;
  ErrorSetting setting_;
  const Reference& reference_;
  Verbosity verbosity_;
};

/// Error bars of the net with several seeds, with as many rays as there is time for.
CalibrationRow calibrate(const Case& problem, const ErrorSetting& setting, double seconds,
                         Verbosity verbosity);

}  // namespace ermine::cli
