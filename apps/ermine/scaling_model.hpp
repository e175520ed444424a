#pragma once

#include <ermine/tracer.hpp>

#include <string>
#include <vector>

namespace ermine::cli {

/// One solution by some processes.
struct ScalingRow {
  int processes = 1;
  double cells = 0.0;  ///< of all processes
  double seconds = 0.0;
  double setup_seconds = 0.0;
  double bytes_sent = 0.0;         ///< by each process
  double field_bytes = 0.0;        ///< of each process, where each has all of the field
  double distributed_bytes = 0.0;  ///< the same of distributed levels
  double efficiency = 1.0;
  std::string backend = {};
};

/// Memory of the temperature that rays march through on one of so many processes, in both modes.
void set_field_bytes(const Tracer& tracer, ScalingRow& row);

/// Strong: time of one process over that of p, times p. Weak: time of one over that of p.
void set_efficiencies(std::vector<ScalingRow>& strong, std::vector<ScalingRow>& weak);

/// Time of p processes that share N cells, each with the whole field:
///   t = s N + r N / p + b (bytes that each receives),
/// s: setup, which all do; r: tracing, shared; b: from what the largest number of processes takes
/// more than the first two terms. Bytes: tallies and findings of all others.
class ScalingModel {
 public:
  explicit ScalingModel(const std::vector<ScalingRow>& strong);

  double setup_per_cell() const { return setup_; }
  double tracing_per_cell() const { return tracing_; }
  double seconds_per_byte() const { return per_byte_; }

  /// Without memory.
  ScalingRow strong(int processes) const { return row(processes, cells_, 1.0 / processes); }
  ScalingRow weak(int processes) const { return row(processes, processes * cells_, 1.0); }

 private:
  ScalingRow row(int processes, double cells, double ideal) const;

  double cells_;
  double bytes_per_cell_ = 0.0;  ///< that a process tells all others of its cells
  double setup_;
  double tracing_;
  double per_byte_ = 0.0;
};

}  // namespace ermine::cli
