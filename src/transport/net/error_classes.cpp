#include "transport/net/error_classes.hpp"

#include "geometry/all_cells.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

struct Class {
  double own = 0.0;
  double pooled = 0.0;
  double cells = 0.0;
  double factor = 1.0;
};

}  // namespace

void match_own_variances(const Grid& grid, std::span<const double> emission,
                         std::span<const char> starts, std::span<const double> own,
                         std::span<double> standard_error) {
  // Emissions of a class differ by up to a factor of 1.41; magnitudes of numbers are -1074 to 1024.
  constexpr int magnitudes = 2 * 2100;
  std::vector<Class> classes(8 * magnitudes);
  std::vector<int> class_of(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    const int magnitude =
        emission[i] > 0 ? static_cast<int>(2 * (std::log2(emission[i]) + 1075)) : 0;
    const int start = starts.empty() ? 0 : starts[i];
    class_of[i] = 8 * magnitude + 2 * start + (beside_wall(grid, i) ? 1 : 0);
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
