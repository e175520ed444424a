#include "coupling/coupling_file.hpp"
#include "coupling/radiation_state.hpp"
#include "parallel/box_exchange.hpp"
#include "transport/history_parts.hpp"

#include <utility>

namespace ermine {

CouplingState Radiation::State::expected_state() const {
  CouplingState state;
  state.case_text = problem_.text;
  state.cells = all_cells(grid()).end;
  state.seed = static_cast<std::int64_t>(problem_.options.seed);
  return state;
}

void Radiation::State::save(const std::filesystem::path& file) {
  prepare_block();
  while (!pending_.empty()) done_.push_back(finished());  // in their order
  const Box root = ranks_->rank() == 0 ? all_cells(grid()) : Box{};
  const BoxExchange to_root(ranks_, cells_of(*block_), root);
  const auto complete = [&](Solution solution) {
    for (auto& values : solution.cells) values = to_root(std::span<const double>(values));
    return solution;
  };
  CouplingState state = expected_state();
  state.steps = steps_;
  state.updates = updates_;
  state.ahead = ahead_;
  state.history = of_all_ranks(*history_, grid(), *ranks_);
  if (current_) state.current = complete(*current_);
  if (previous_) state.previous = complete(*previous_);
  for (const Solution& solution : done_) state.waiting.push_back(complete(solution));
  together(*ranks_, [&] {
    if (ranks_->rank() == 0) write_coupling(state, file);
  });
}

void Radiation::State::load(const std::filesystem::path& file) {
  prepare_block();
  CouplingState state;
  together(*ranks_, [&] {
    ERMINE_REQUIRE(pending() == 0, "solutions are under way, load a state before any is submitted");
    state = read_coupling(file, expected_state());
  });
  const auto own = [&](Solution solution) {
    for (auto& values : solution.cells) {
      values = part_of(values, all_cells(grid()), cells_of(*block_));
    }
    return solution;
  };
  steps_ = state.steps;
  updates_ = static_cast<std::uint32_t>(state.updates);
  ahead_ = state.ahead;
  *history_ = std::move(state.history);
  current_.reset();
  previous_.reset();
  if (state.current) current_ = own(std::move(*state.current));
  if (state.previous) previous_ = own(std::move(*state.previous));
  for (Solution& solution : state.waiting) done_.push_back(own(std::move(solution)));
  statistics_ = {};
  statistics_.steps = steps_;
  statistics_.updates = updates_;
}

}  // namespace ermine
