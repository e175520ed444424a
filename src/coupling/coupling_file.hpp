#pragma once

#include <ermine/history.hpp>

#include "coupling/solution.hpp"

#include <deque>
#include <filesystem>
#include <optional>
#include <string>

namespace ermine {

/// What a coupled run depends on besides its case, with fields of the whole grid.
struct CouplingState {
  std::string case_text;
  std::array<std::int64_t, 3> cells{};
  std::int64_t seed = 0;
  std::int64_t steps = 0;
  std::int64_t updates = 0;
  double ahead = 0.0;  ///< updates, by which Q is continued
  std::optional<Solution> previous, current;
  std::deque<Solution> waiting;  ///< solved, not taken over yet
  History history;               ///< of updates that are differences
};

void write_coupling(const CouplingState& state, const std::filesystem::path& file);

/// Refuses files of other grids and seeds than `expected` has.
CouplingState read_coupling(const std::filesystem::path& file, const CouplingState& expected);

}  // namespace ermine
