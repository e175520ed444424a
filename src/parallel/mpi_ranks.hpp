#pragma once

#include "core/check.hpp"
#include "core/ranks.hpp"

#include <memory>

namespace ermine {

/// Those of an MPI communicator, by its Fortran handle. Refused where the library has no MPI, or
/// where MPI is not initialised.
std::shared_ptr<Ranks> mpi_ranks(int fortran_handle);

}  // namespace ermine
