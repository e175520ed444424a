#pragma once

#include <ermine/files.hpp>
#include <ermine/history.hpp>

#include "coupling/problem_parts.hpp"
#include "coupling/solution.hpp"
#include "files/hdf5.hpp"

#include <deque>
#include <optional>
#include <string>

namespace ermine {

/// What a coupled run depends on besides its case, with fields of the whole grid.
struct CouplingState {
  std::string case_text;
  std::vector<ProblemPart> problem;
  std::array<std::int64_t, 3> cells{};
  std::int64_t seed = 0;
  std::int64_t steps = 0;
  std::int64_t updates = 0;
  double ahead = 0.0;  ///< updates, by which Q is continued
  std::optional<Solution> previous, current;
  std::deque<Solution> waiting;  ///< solved, not taken over yet
  History history;               ///< of updates that are differences
};

inline constexpr Seal coupling_seal{
    "state", 4, "give a file that save() of this version wrote, or start the radiation anew"};

/// The bytes of a sealed file.
std::string coupling_bytes(const CouplingState& state);

/// Refuses states of other problems and seeds than `expected` has; `name` stands for the file in
/// messages, whose seal was checked.
CouplingState read_coupling(const Hdf5Reader& reader, const std::string& name,
                            const CouplingState& expected);

}  // namespace ermine
