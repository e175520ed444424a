#pragma once

#include <ermine/result.hpp>

#include "transport/net/replicates.hpp"

#include <array>
#include <optional>
#include <span>

namespace ermine {

/// Cells are told apart by temperature, in shares of the range from the coldest to the hottest:
/// what hot cells lose and what cold ones absorb are biased differently, and a small part of the
/// former is a large one of the latter.
inline constexpr std::array class_ends{0.1, 0.4, 1.0};
inline constexpr std::size_t class_count = class_ends.size();

/// What levels of detail change, measured by rays that are followed both with and without them.
struct LevelBias {
  Estimate source;                            ///< of Q, in the norm of the target [W/m3]
  std::array<Estimate, class_count> classes;  ///< of Q, root mean square of each class [W/m3]
  Estimate gas;                               ///< of the heat lost by the gas [W]
  std::array<Estimate, 6> walls;              ///< of the heat lost by each side [W]
  double rms = 0.0;                           ///< of Q, of the cells looked at [W/m3]
};

/// How finely rays of cells and walls see the field, and what that does to the solution.
struct LevelChoice {
  Resolution cells;
  Resolution walls;
  std::optional<LevelBias> bias;  ///< none: not measured
};

/// What a choice goes by: cells of the whole grid.
struct LevelScene {
  const Grid& grid;
  const Options& options;
  std::span<const double> temperature;  ///< [K]
  double coldest;                       ///< of it
  double hottest;
  std::span<const double> emission;  ///< [W/m3]
  Resolution all;                    ///< as many levels as there are
};

/// Number of the class of a cell.
std::size_t temperature_class(double kelvin, double coldest, double hottest);

/// The cheapest resolution, counted in cells crossed, whose bias is small (see Options::levels), or
/// that which the options ask for. Rays are the same on any backend and any number of ranks, and so
/// is the choice.
LevelChoice choose_levels(ReplicateTracer& rays, const LevelScene& scene);

/// Measures the bias of levels that were chosen before, unless the options do not ask for it.
void measure_bias(ReplicateTracer& rays, const LevelScene& scene, LevelChoice& choice);

}  // namespace ermine
