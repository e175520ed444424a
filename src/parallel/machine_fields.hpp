#pragma once

#include "core/box.hpp"
#include "core/unset_vector.hpp"
#include "parallel/machine_memory.hpp"

#include <memory>
#include <span>
#include <vector>

namespace ermine {

/// A field that nobody changes any more.
struct CommonField {
  std::shared_ptr<const void> memory = {};
  std::span<const double> values = {};
};

/// Brings fields together, once on each machine: all its ranks read the same memory. Where it has
/// none that they could have in common, each has its own.
class MachineFields {
 public:
  /// `boxes` of all ranks cover `all`, each cell once.
  MachineFields(std::shared_ptr<Ranks> ranks, std::vector<Box> boxes, const Box& all);

  /// Collective; `own`: values of this rank's box. All ranks have let go of the same fields that
  /// were made before: memory of those serves again.
  CommonField operator()(std::span<const double> own);

 private:
  /// Of a rank's box within the field.
  template <class Visit>
  void each_row(int rank, double* field, const Visit& visit) const;
  void share_between_machines(double* field) const;
  CommonField by_itself(std::span<const double> own);
  std::shared_ptr<MachineMemory> free_memory();

  std::shared_ptr<Ranks> ranks_;
  std::vector<Box> boxes_;
  Box all_;
  std::vector<int> first_of_machine_;  ///< of each rank
  std::vector<std::shared_ptr<MachineMemory>> memories_;
  std::vector<std::shared_ptr<UnsetVector<double>>> own_memories_;  ///< of a rank alone
};

}  // namespace ermine
