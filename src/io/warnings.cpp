#include <ermine/output.hpp>

#include "core/fp_guard.hpp"

#include <fmt/format.h>

namespace ermine {
namespace {

/// What thick cells do to Q without the mesh correction.
const char* effect_of_thick_cells(StartPoint start) {
  switch (start) {
    case StartPoint::point:
      return "few rays leave them from the centre, so that Q and its error bars are too small";
    case StartPoint::average:
      return "where rays start at the centre few leave them, so that Q and its error bars are too "
             "small; where they start all over the cell, at jumps of temperature, Q is too large";
    case StartPoint::uniform:
      return "rays find steps of temperature at their faces, so that Q is too large";
  }
  return "";
}

}  // namespace

std::vector<std::string> warnings(const Case& problem, double thickest_cell) {
  const FloatingPointGuard guard;
  std::vector<std::string> found = warnings(problem.medium);
  const Options& options = problem.options;
  if (thickest_cell > 5 && !options.mesh_correction) {
    found.push_back(
        fmt::format("cells are up to {:.3g} mean free paths wide ({}), use a finer grid or "
                    "solver.mesh_correction = true",
                    thickest_cell, effect_of_thick_cells(options.start)));
  }
  return found;
}

}  // namespace ermine
