#pragma once

/// For clients that use MPI themselves; the library's other headers do without.

#include <ermine/communicator.hpp>

#include <mpi.h>

namespace ermine {

inline Communicator communicator(MPI_Comm comm) {
  return Communicator::from_fortran(static_cast<int>(MPI_Comm_c2f(comm)));
}

}  // namespace ermine
