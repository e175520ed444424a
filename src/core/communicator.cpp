#include <ermine/communicator.hpp>

#include "core/ranks.hpp"

namespace ermine {

Communicator::Communicator() : ranks_(std::make_shared<OneRank>()) {}

int Communicator::rank() const { return ranks_->rank(); }
int Communicator::size() const { return ranks_->size(); }

std::optional<Communicator> Communicator::first(int count) const {
  if (count >= size()) return *this;
  auto some = ranks_->first(count);
  if (!some) return std::nullopt;
  return Communicator(std::move(some));
}

}  // namespace ermine
