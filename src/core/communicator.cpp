#include <ermine/communicator.hpp>

#include "core/ranks.hpp"

#include <fmt/format.h>

namespace ermine {

Communicator::Communicator() : ranks_(std::make_shared<OneRank>()) {}

int Communicator::rank() const { return ranks_->rank(); }
int Communicator::size() const { return ranks_->size(); }

std::optional<Communicator> Communicator::first(int count) const {
  ranks_->enter(fmt::format("first ({})", count));
  if (count >= size()) return *this;
  auto some = ranks_->first(count);
  if (!some) return std::nullopt;
  return Communicator(std::move(some));
}

}  // namespace ermine
