#pragma once

#include <ermine/communicator.hpp>

#include "core/fingerprint.hpp"

#include <string>

namespace ermine::cli {

/// The processes that mpirun, srun or the like has started, or this one alone. One object lives as
/// long as the program.
class Processes {
 public:
  /// Initialises MPI where there is more than one. Throws if this build has no MPI then.
  Processes();
  ~Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  static const Communicator& communicator();
  /// The one that prints and writes.
  static bool first() { return communicator().rank() == 0; }
  /// Refuses processes that were started with other verbs or problems than the first one; all of
  /// them fail alike.
  static void require_same(const char* verb, const Fingerprint& problem);

  /// Before a process ends with an error. True: all of them have come here, and this one need not
  /// say more than they do. Where others do not come, they would wait for it forever: shows the
  /// message and ends them.
  static bool all_fail(const std::string& message, void (*show)(const std::string&));
};

}  // namespace ermine::cli
