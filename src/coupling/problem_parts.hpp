#pragma once

#include <ermine/case.hpp>

#include <string>
#include <vector>

namespace ermine {

/// A part of the problem that a saved state belongs to, as people call it, and what it is: a text,
/// numbers, or both.
struct ProblemPart {
  std::string name;  ///< "wall x_low"
  std::string text;
  std::vector<double> numbers;
};

/// Grid, walls and gas. Fields of walls are complete; of fields of cells there are a few means,
/// which hardly any other field has.
std::vector<ProblemPart> parts_of(const CoupledCase& problem);

/// A sentence on the first part that is another one, empty if all are the same. Numbers may differ
/// by rounding: those of a flow code need not come from the same compiler.
std::string difference(const std::vector<ProblemPart>& saved,
                       const std::vector<ProblemPart>& current);

}  // namespace ermine
