#pragma once

#include <ermine/case.hpp>
#include <ermine/result.hpp>

#include <cmath>

namespace ermine::cli {

/// Heat that cells below a temperature absorb [W]; its error takes those of cells for independent.
inline Estimate absorbed_below(double kelvin, const Case& problem, const Result& result) {
  Estimate heat;
  double variance = 0.0;
  for (std::size_t i = 0; i < result.absorption.size(); ++i) {
    if (problem.temperature[i] >= kelvin) continue;
    const double volume = problem.grid.volume(i);
    heat.value += volume * result.absorption[i];
    variance += std::pow(volume * result.standard_error[i], 2);
  }
  heat.standard_error = std::sqrt(variance);
  return heat;
}

}  // namespace ermine::cli
