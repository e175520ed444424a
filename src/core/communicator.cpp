#include <ermine/communicator.hpp>

#include "core/ranks.hpp"

namespace ermine {

Communicator::Communicator() : ranks_(std::make_shared<OneRank>()) {}

int Communicator::rank() const { return ranks_->rank(); }
int Communicator::size() const { return ranks_->size(); }

}  // namespace ermine
