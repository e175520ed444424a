#include <ermine/communicator.hpp>

#include "core/ranks.hpp"
#include "parallel/mpi_ranks.hpp"

namespace ermine {

Communicator::Communicator() : ranks_(std::make_shared<OneRank>()) {}

Communicator Communicator::from_fortran(int handle) { return Communicator(mpi_ranks(handle)); }

int Communicator::rank() const { return ranks_->rank(); }
int Communicator::size() const { return ranks_->size(); }

}  // namespace ermine
