#include <ermine/communicator.hpp>

#include "core/fp_guard.hpp"
#include "parallel/mpi_ranks.hpp"

namespace ermine {

Communicator Communicator::from_fortran(int handle) {
  const FloatingPointGuard guard;
  return Communicator(mpi_ranks(handle));
}

}  // namespace ermine
