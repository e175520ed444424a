#pragma once

#include <ermine/radiation.hpp>

#include "case.hpp"
#include "flow.hpp"

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace channel {

/// What the gas and the walls lose by radiation [W], with standard errors as of independent cells.
/// Without rays from the walls (solver.rays_per_wall_face = 0) nothing is known of them: zeros.
struct RadiationLedger {
  double gas = 0, gas_error = 0;
  double walls = 0, walls_error = 0;
  bool walls_known = false;
};

/// Radiation as the flow has it: arrays of the flow go to ermine and back as they lie in memory.
class RadiationLink {
 public:
  RadiationLink(const RadiationOptions& options, Flow& flow, const std::string& backend);

  /// Before each step: submits the temperature if it is due, takes over what is due. With implicit
  /// emission the flow loses Q + dE/dT (T - T0), T0 the temperature that Q was found from: emission
  /// follows the flow between updates, absorption is held.
  void advance();
  /// Whether the last advance() took over a solution.
  bool updated() const { return updated_; }

  double lost(double dt);  ///< by the flow in its last step [K], mean over the volume
  /// As RadiationSums has them, of the solution in use: with the temperature that it was found
  /// from, if updated(). With coupling.extrapolate and a lag, what is taken over is at once
  /// continued by lag / interval updates, and standard errors with it, while that temperature is of
  /// the submission: products with the temperature and K then are of two times, lag steps apart.
  PlaneSums sums();
  const double* source() const { return source_.get(); }
  RadiationLedger ledger();
  const ermine::CouplingStatistics& statistics() const { return radiation_.statistics(); }
  std::string describe() const { return radiation_.describe(); }

  /// Temperatures that solutions were or are being found from: of that in use, then of those under
  /// way.
  std::deque<std::shared_ptr<double>>& temperatures() { return temperatures_; }
  std::string save() { return radiation_.save_state(); }  ///< on the first process
  /// After temperatures() were put back.
  void load(std::span<const char> state);

 private:
  RadiationLink(const RadiationOptions& options, Flow& flow, const ermine::CoupledCase& problem);
  void keep(const double* temperature);
  void take_over();

  RadiationOptions options_;
  Flow& flow_;
  ermine::Radiation radiation_;
  bool extrapolated_;
  bool wall_rays_;
  bool updated_ = false;
  double explicit_loss_ = 0;
  std::shared_ptr<double> source_, slope_, base_, emission_, absorption_, error_;
  std::deque<std::shared_ptr<double>> temperatures_;
  bool in_use_ = false;  ///< the first of them is of the solution in use
  /// Arrays to use again: to give memory of a GPU back would wait for the rays.
  std::vector<std::shared_ptr<double>> spare_;
};

}  // namespace channel
