#pragma once

#include <ermine/forecast.hpp>

#include "transport/accuracy/error_norm.hpp"
#include "transport/net/replicates.hpp"

#include <ctime>
#include <functional>
#include <vector>

namespace ermine {

/// Time by the wall clock, and of all threads of the CPU [s].
struct Cost {
  double wall = 0.0;
  double processor = 0.0;

  friend Cost operator+(const Cost& a, const Cost& b) {
    return {a.wall + b.wall, a.processor + b.processor};
  }
  friend Cost operator-(const Cost& a, const Cost& b) {
    return {a.wall - b.wall, a.processor - b.processor};
  }
  friend Cost operator*(double factor, const Cost& cost) {
    return {factor * cost.wall, factor * cost.processor};
  }
};

/// How long work takes: as clocks say or, so that predictions of time can be tested on machines of
/// any speed and load, as a given speed says.
struct WorkSpeed {
  double crossings_per_second = 0.0;  ///< 0: clocks

  bool given() const { return crossings_per_second > 0; }
  Cost of(double crossings) const {
    return {crossings / crossings_per_second, crossings / crossings_per_second};
  }
};

/// Cost since it was made.
class CostMeter {
 public:
  Cost cost() const { return {watch_.seconds(), processor() - begun_}; }

 private:
  static double processor() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  Stopwatch watch_;
  double begun_ = processor();
};

/// Cells that a pilot may trace rays of.
enum class SampleSize { some, all };

/// A few rays of a run to come: nets of as many rays as it will have, or as there is time for, from
/// some of the cells. What all will take follows from what these have taken.
class Pilot {
 public:
  /// Of a run on this grid with these options, for about so many seconds. They must outlive it.
  Pilot(const Grid& grid, const Options& options, double seconds, WorkSpeed speed = {})
      : grid_(grid), options_(options), seconds_(seconds), speed_(speed) {}

  /// Leaves tallies that mean nothing.
  /// `result`: has the levels of detail that were chosen, and their bias.
  void run(ReplicateTracer& rays, const Result& result, SampleSize size);

  // Of the run:
  Cost gas;
  Cost walls;
  double rays_per_cell = 0.0;
  double rays_per_wall_face = 0.0;
  double choice_rays = 0.0;  ///< that choose levels of detail, or measure their bias
  double choice_crossings = 0.0;
  double relative_error = 0.0;  ///< over the root mean square of Q
  double exponent = 0.6;        ///< with which it falls with the number of rays
  StoppedBy stopped_by = StoppedBy::rays;
  bool corrected = false;
  bool grouped = false;
  Cost spent;  ///< on the pilot itself

 private:
  /// What nets of some groups of tiles tell.
  struct Found {
    double rays = 0.0;  ///< of a net
    double error = 0.0;
    double rms = 0.0;       ///< of Q [W/m3]
    double exponent = 0.6;  ///< error falls as rays^-exponent
    Cost each;              ///< of one ray of each origin, of all groups

    double error_of(double net) const;
  };
  struct Plan {
    double net;    ///< rays of each in the end
    double rays;   ///< of an origin, of all nets
    double error;  ///< [W/m3]
  };
  using Enough = std::function<bool(const Found&)>;

  /// Spent on the pilot since it began.
  Cost now() const;
  Found climb(Sum sum, int replicates, double most, double seconds, const Enough& enough = {});
  Cost cost_of_halves(int replicates, double rays, double most);
  Cost measured(Sum sum, int replicates, std::uint32_t rays, const std::vector<int>& groups);
  void look_at(Sum sum, const std::vector<int>& groups, Found& found);
  Plan planned(const Found& found, double first, double allowed, double most);
  void add_correction(double net, double allowed, double& error);
  void add_walls(double rays);
  void all_rays();
  void to_target();

  const Grid& grid_;
  const Options& options_;
  double seconds_;
  WorkSpeed speed_;
  CostMeter meter_;
  ReplicateTracer* rays_ = nullptr;
  int levels_ = 1;
  double bias_ = 0.0;       ///< of the levels [W/m3]
  double thin_bias_ = 0.0;  ///< over the root mean square of Q
  SampleSize size_ = SampleSize::some;
};

/// forecast() of a machine of a given speed.
Forecast forecast(const Tracer& tracer, std::span<const double> temperature, double pilot_seconds,
                  WorkSpeed speed);

}  // namespace ermine
