#include "transport/run/submission.hpp"

#include "core/check.hpp"
#include "core/fp_guard.hpp"

#include <utility>

namespace ermine {

Submission::Submission(std::unique_ptr<State> state) : state_(std::move(state)) {}
Submission::Submission(Submission&&) noexcept = default;
Submission& Submission::operator=(Submission&&) noexcept = default;
Submission::~Submission() = default;

bool Submission::ready() const {
  const FloatingPointGuard guard;
  ERMINE_REQUIRE(state_, "the result of this submission was taken, submit() again");
  return state_->ready();
}

Result Submission::wait() {
  const FloatingPointGuard guard;
  ERMINE_REQUIRE(state_, "the result of this submission was taken, submit() again");
  return std::exchange(state_, nullptr)->wait({});
}

}  // namespace ermine
