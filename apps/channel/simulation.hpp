#pragma once

#include <ermine/files.hpp>

#include "case.hpp"
#include "flow.hpp"
#include "radiation_link.hpp"
#include "statistics.hpp"

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace channel {

/// Heat of the channel since its origin, as means over the volume [K]: what is stored came in by
/// conduction, less what radiation took. `residual` is what is left over.
struct HeatBalance {
  double stored = 0, conducted = 0, radiated = 0, residual = 0;
};

struct Friction {
  double velocity = 0;                       ///< of both walls, over U
  double reynolds = 0;                       ///< on the half height
  double coefficient = 0;                    ///< tau / (rho U^2 / 2)
  double nusselt_low = 0, nusselt_high = 0;  ///< gradient times height over difference of walls
};

struct Times {
  double flow = 0, radiation = 0, output = 0, statistics = 0;  ///< [s]
};

/// A run: flow, radiation, averages and clock.
class Simulation {
 public:
  Simulation(ChannelCase problem, const Ranks& ranks, const std::string& backend);

  void start();                                     ///< from the initial fields of the case
  void restart(const std::filesystem::path& file);  ///< from a file
  bool done() const;
  void advance();  ///< one step, with output that is due
  /// Restart, statistics and fields as they are now.
  void finish();

  const ChannelCase& problem() const { return problem_; }
  Flow& flow() { return *flow_; }
  RadiationLink* radiation() { return radiation_.get(); }
  int step() const { return step_; }
  double time() const { return time_; }
  double time_step() const { return dt_; }
  HeatBalance heat();
  Friction friction();
  const Times& times() const { return times_; }
  /// Share of the run that is done, 0 to 1.
  double progress() const;

 private:
  /// Where averages and balances start.
  struct Origin {
    double time = 0, temperature = 0;
    std::array<double, 5> walls{};
  };

  /// Before the first step: whether results can be written.
  void check_output() const;
  void choose_time_step();
  void check_finite(double rate);
  [[noreturn]] void report_not_finite();
  double mean_temperature();
  void set_origin();
  void sample();
  void write_due();
  void write_restart();
  void write_statistics();
  std::filesystem::path output(const std::string& suffix) const;

  ChannelCase problem_;
  std::optional<ermine::FileLock> lock_;  ///< of the files of this name, on the first process
  std::unique_ptr<Flow> flow_;
  std::unique_ptr<RadiationLink> radiation_;
  Statistics statistics_;
  int step_ = 0;
  double time_ = 0, dt_ = 0;
  double loss_ = 0;  ///< integral since the origin [K]
  bool origin_set_ = false;
  Origin origin_;
  Times times_;
  int first_step_ = 0;
  double first_time_ = 0;
};

}  // namespace channel
