#include <ermine/output.hpp>

#include "core/fp_guard.hpp"

#include <fmt/format.h>

namespace ermine {

std::vector<std::string> warnings(const Case& problem, double thickest_cell) {
  const FloatingPointGuard guard;
  std::vector<std::string> found = warnings(problem.medium);
  const Options& options = problem.options;
  // Rays from anywhere in a cell have no mesh correction.
  const bool corrected =
      options.mesh_correction != MeshCorrection::none && options.start != StartPoint::uniform;
  if (thickest_cell > 5 && !corrected) {
    found.push_back(fmt::format(
        "cells are up to {:.3g} mean free paths wide (few rays leave them, so Q is too small and "
        "its error bars too), use a finer grid or solver.mesh_correction",
        thickest_cell));
  }
  return found;
}

}  // namespace ermine
