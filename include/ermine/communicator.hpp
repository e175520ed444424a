#pragma once

#include <memory>
#include <optional>
#include <utility>

namespace ermine {

class Ranks;

/// The processes that solve a problem together, each with cells of its own.
class Communicator {
 public:
  /// This process alone.
  Communicator();
  /// From the Fortran handle of an MPI communicator, MPI_Comm_c2f(comm): an integer in any MPI. It
  /// is duplicated. MPI must be initialised, by a thread that then makes all calls of this library;
  /// no level of thread support is asked for. With MPI's header at hand: <ermine/mpi.hpp>.
  static Communicator from_fortran(int handle);

  int rank() const;
  int size() const;
  /// Collective: the first so many of them; nothing on the others.
  std::optional<Communicator> first(int count) const;

  /// What the library itself speaks to others through.
  explicit Communicator(std::shared_ptr<Ranks> ranks) : ranks_(std::move(ranks)) {}
  const std::shared_ptr<Ranks>& ranks() const { return ranks_; }

 private:
  std::shared_ptr<Ranks> ranks_;
};

/// Whether the library was built with MPI.
bool built_with_mpi();

}  // namespace ermine
