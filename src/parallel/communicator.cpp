#include <ermine/communicator.hpp>

#include "parallel/mpi_ranks.hpp"

namespace ermine {

Communicator Communicator::from_fortran(int handle) { return Communicator(mpi_ranks(handle)); }

}  // namespace ermine
