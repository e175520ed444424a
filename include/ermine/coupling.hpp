#pragma once

#include <ermine/error.hpp>

#include <array>
#include <cstdint>

namespace ermine {

/// A wait for a solution was ended by what Radiation::set_interrupt() was given.
class Interrupted : public Error {
 public:
  using Error::Error;
};

/// Where the temperature lies that rays march through.
/// replicated: every process has all of it.
/// distributed: every process has the cells around its own, as far as rays go on each level of
/// detail, and the coarsest level as a whole.
enum class FieldMode { replicated, distributed };

/// When Radiation::advance() takes over a solution.
/// fixed_lag: always `lag` flow steps after its temperature was submitted: the same on every run.
/// when_ready: at the first step at which all processes have it; until then no other is submitted.
enum class Handover { fixed_lag, when_ready };

/// How Radiation::advance() works.
struct CouplingOptions {
  FieldMode field = FieldMode::replicated;
  int interval = 1;  ///< flow steps from one update of the radiation to the next
  int lag = 1;  ///< flow steps that the solution of an update has time; 0: none, it is waited for
  Handover handover = Handover::fixed_lag;
  /// Q between updates is continued linearly from the last two, in place of holding the last one.
  bool extrapolate = false;

  friend bool operator==(const CouplingOptions&, const CouplingOptions&) = default;
};

/// The cells of one process, and how its arrays hold them.
struct Block {
  std::array<std::int64_t, 3> begin = {0, 0, 0};  ///< first cell along x, y, z, counted from 0
  std::array<std::int64_t, 3> end = {0, 0, 0};    ///< one beyond the last
  /// Cells around them that arrays have besides, below and above along x, y, z. They are never
  /// read or written.
  std::array<std::int64_t, 3> halo_below = {0, 0, 0};
  std::array<std::int64_t, 3> halo_above = {0, 0, 0};
  /// Axes of arrays, that along which neighbours lie side by side in memory first: x, y, z in
  /// Fortran's T(x, y, z), and z, y, x in C's T[x][y][z].
  std::array<int, 3> order = {0, 1, 2};

  friend bool operator==(const Block&, const Block&) = default;
};

/// For codes without units: temperature [K] = offset + factor * theirs; what they get is Q [W/m3]
/// times `source`, and its slope over theirs.
struct Scaling {
  double offset = 0.0;
  double factor = 1.0;
  double source = 1.0;

  friend bool operator==(const Scaling&, const Scaling&) = default;
};

/// Whose names and numbers messages use: Fortran counts cells and axes from 1.
enum class Language { cpp, c, fortran };

/// What there is of each cell. All times Scaling::source.
enum class Quantity {
  source,          ///< Q = emission - absorption [W/m3], positive where the gas loses heat
  standard_error,  ///< of Q, and of absorption
  emission,        ///< exact
  absorption,
  emission_slope,  ///< d emission / dT [W/(m3 K)], for implicit treatment
};

/// What there is of each wall face cell [W/m2]: net flux, positive where the wall loses heat.
enum class WallQuantity { net_flux, standard_error };

/// What there is of particles in each cell [1/m].
enum class ParticleProperty { absorption, scattering };

/// What a coupled run has done so far, on this process; seconds of wall time.
struct CouplingStatistics {
  std::int64_t steps = 0;    ///< calls of advance()
  std::int64_t updates = 0;  ///< solutions submitted
  std::int64_t cancelled = 0;
  double seconds_submitting = 0.0;  ///< in submit(): temperature is gathered and copied
  double seconds_waiting = 0.0;     ///< in wait(), for solutions that were not ready
  double seconds_solving = 0.0;     ///< of work for solutions, waits for others left out
  std::int64_t rays = 0;            ///< of all processes
  double relative_error = 0.0;   ///< of the last update: standard error over Q, root mean squares
  double error = 0.0;            ///< the same [W/m3], times Scaling::source
  std::int64_t bytes_sent = 0;   ///< by this process to others
  std::int64_t field_bytes = 0;  ///< memory of the temperature that rays march through

  /// Share of the solutions' time that the flow code did not wait for.
  double hidden_fraction() const {
    if (!(seconds_solving > 0)) return 0.0;
    const double waited = seconds_waiting + seconds_submitting;
    return waited < seconds_solving ? 1 - waited / seconds_solving : 0.0;
  }
};

}  // namespace ermine
