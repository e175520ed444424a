#pragma once

#include <ermine/result.hpp>
#include <ermine/tracer.hpp>

#include <cstdint>
#include <span>

namespace ermine {

/// What a solution will take and how good it will be.
struct Forecast {
  Seconds seconds;                 ///< wall clock, by phase, as Result has it
  double other_seconds = 0.0;      ///< of solve() besides: mesh correction, summing up
  double processor_seconds = 0.0;  ///< of all threads of the CPU, for all of solve()
  double rays = 0.0;               ///< in all
  double rays_per_cell = 0.0;      ///< mean over cells
  double rays_per_wall_face = 0.0;
  /// Standard error of Q over Q, root mean squares: as Result::relative_standard_error(). With a
  /// target: its error, which has the bias of the levels of detail in it.
  double relative_error = 0.0;
  StoppedBy stopped_by = StoppedBy::rays;  ///< what will end the run
  bool corrected = false;                  ///< rays will be spent on the bias of the levels
  int levels = 1;
  int threads = 1;
  bool thin_blocks = false;        ///< thin points will start in blocks
  double thickest_cell = 0.0;      ///< as in Result
  std::int64_t device_memory = 0;  ///< most memory on the GPU [bytes]; 0 on the CPU
  double pilot_seconds = 0.0;      ///< that the forecast took

  /// Wall clock of solve().
  double total_seconds() const { return seconds.total() + other_seconds; }
};

/// Goes by a short run: all that comes before the first ray, then rays of some cells, for about so
/// many seconds. Times are those of this machine as busy as it is now, and of one process: ranks
/// are not asked. Throws what solve() would.
Forecast forecast(const Tracer& tracer, std::span<const double> temperature,
                  double pilot_seconds = 1.0);

}  // namespace ermine
