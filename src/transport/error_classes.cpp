#include "transport/error_classes.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

bool beside_wall(const Grid& grid, std::size_t cell) {
  const auto at = grid.index(cell);
  for (const Face face : all_faces) {
    const std::size_t a = axis_of(face);
    if (grid.walled(face) && at[a] == (is_high(face) ? grid.cells(a) - 1 : 0)) return true;
  }
  return false;
}

struct Class {
  double own = 0.0;
  double pooled = 0.0;
  double cells = 0.0;
  double factor = 1.0;
};

}  // namespace

void match_own_variances(const Grid& grid, std::span<const double> emission,
                         std::span<const double> own, std::span<double> standard_error) {
  // Emissions of a class differ by up to a factor of 4; magnitudes of numbers are -1074 to 1023.
  constexpr int magnitudes = 1100;
  std::vector<Class> classes(2 * magnitudes);
  std::vector<int> class_of(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    const int magnitude = emission[i] > 0 ? (std::ilogb(emission[i]) + 1078) / 2 : 0;
    class_of[i] = 2 * magnitude + (beside_wall(grid, i) ? 1 : 0);
    Class& found = classes[static_cast<std::size_t>(class_of[i])];
    found.own += own[i];
    found.pooled += standard_error[i] * standard_error[i];
    found.cells += 1;
  }
  for (Class& found : classes) {
    // Two replicates tell little of the variance of a few cells, whose errors are not independent.
    constexpr double few = 64;
    const double trust = found.cells / (found.cells + few);
    const double ratio = found.own / found.pooled;
    if (found.own > 0 && found.pooled > 0 && std::isfinite(ratio)) {
      found.factor = std::pow(ratio, 0.5 * trust);
    }
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    standard_error[i] *= classes[static_cast<std::size_t>(class_of[i])].factor;
  }
}

}  // namespace ermine
