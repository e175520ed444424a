#include <ermine/communicator.hpp>

#include "parallel/mpi_ranks.hpp"

namespace ermine {

bool built_with_mpi() { return false; }

std::shared_ptr<Ranks> mpi_ranks(int) {
  fail(
      "an MPI communicator was given but ermine was built without MPI (it was not found), install "
      "MPI and configure with -DERMINE_USE_MPI=ON");
}

}  // namespace ermine
