#include "core/fingerprint.hpp"
#include "coupling/coupling_file.hpp"
#include "coupling/radiation_state.hpp"
#include "files/sealed_file.hpp"
#include "parallel/box_exchange.hpp"
#include "transport/run/history_parts.hpp"

#include <cmath>
#include <utility>

namespace ermine {
namespace {

/// Of a state that ranks have read, each from the file that it was given.
Fingerprint fingerprint_of(const CouplingState& state) {
  Digest solutions;
  const auto add = [&](const Solution& solution) {
    solutions.add(std::span<const double>(solution.of(Quantity::source)));
  };
  if (state.current) add(*state.current);
  if (state.previous) add(*state.previous);
  for (const Solution& solution : state.waiting) add(solution);
  return Fingerprint()
      .add("the step of the loaded state", state.steps)
      .add("the update of the loaded state", state.updates)
      .add("Q of the loaded state", solutions);
}

}  // namespace

CouplingState Radiation::State::expected_state() const {
  CouplingState state;
  state.case_text = problem_.text;
  state.problem = parts_of(problem_);
  state.cells = all_cells(grid()).end;
  state.seed = static_cast<std::int64_t>(problem_.options.seed);
  return state;
}

std::string Radiation::State::saved() {
  ranks_->enter("save");
  prepare_block();
  while (!pending_.empty()) done_.push_back(finished());  // in their order
  const Box root = ranks_->rank() == 0 ? all_cells(grid()) : Box{};
  const BoxExchange to_root(ranks_, cells_of(*block_), root);
  const auto complete = [&](Solution solution) {
    for (auto& values : solution.cells) values = to_root(std::span<const double>(values));
    return solution;
  };
  CouplingState state;
  together(*ranks_, [&] { state = expected_state(); });
  state.steps = steps_;
  state.updates = updates_;
  state.ahead = ahead_;
  state.history = of_all_ranks(*history_, grid(), *ranks_);
  if (current_) state.current = complete(*current_);
  // Without extrapolation nobody looks at it again.
  if (previous_ && problem_.coupling.extrapolate) state.previous = complete(*previous_);
  for (const Solution& solution : done_) state.waiting.push_back(complete(solution));
  std::string bytes;
  together(*ranks_, [&] {
    if (ranks_->rank() == 0) bytes = coupling_bytes(state);
  });
  return bytes;
}

void Radiation::State::save(const std::filesystem::path& file) {
  const std::string bytes = saved();
  together(*ranks_, [&] {
    if (ranks_->rank() != 0) return;
    PendingFile pending(file);
    pending.write(bytes);
    pending.commit();
  });
}

void Radiation::State::load(const std::filesystem::path& file) {
  ranks_->enter("load");
  together(*ranks_, [&] {
    if (ranks_->rank() == 0) check_seal(file, coupling_seal);
  });
  load([&] { return std::make_unique<Hdf5Reader>(file); }, file.string());
}

void Radiation::State::load(std::span<const char> bytes) {
  ranks_->enter("load");
  const std::string name = "the state of the radiation";
  load([&] { return std::make_unique<Hdf5Reader>(open_seal(bytes, coupling_seal, name), name); },
       name);
}

void Radiation::State::load(const std::function<std::unique_ptr<Hdf5Reader>()>& open,
                            const std::string& name) {
  prepare_block();
  CouplingState state;
  together(*ranks_, [&] {
    ERMINE_REQUIRE(pending() == 0, "solutions are under way, load a state before any is submitted");
    const std::unique_ptr<Hdf5Reader> reader = open();
    state = read_coupling(*reader, name, expected_state());
  });
  require_same(*ranks_, fingerprint_of(state));
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
  if (current_) {
    statistics_.relative_error = current_->relative_error;
    statistics_.error = std::abs(scaling_.source) * current_->error;
  }
}

}  // namespace ermine
