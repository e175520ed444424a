#pragma once

#include <ermine/coupling.hpp>
#include <ermine/energy_balance.hpp>
#include <ermine/grid.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace ermine {

inline constexpr std::size_t quantity_count = 5;
inline constexpr std::size_t wall_quantity_count = 2;

/// One update of the radiation: what this process has of it, in SI units, x fastest.
struct Solution {
  std::int64_t step = 0;  ///< of the flow, at which its temperature was
  std::array<std::vector<double>, quantity_count> cells;  ///< by Quantity
  /// By WallQuantity and side, complete: walls are small.
  std::array<std::array<std::vector<double>, 6>, wall_quantity_count> walls;
  double relative_error = 0.0;
  double error = 0.0;  ///< [W/m3]
  std::int64_t rays = 0;
  double seconds = 0.0;  ///< that it took
  EnergyBalance balance;

  const std::vector<double>& of(Quantity quantity) const {
    return cells[static_cast<std::size_t>(quantity)];
  }
  const std::vector<double>& of(WallQuantity quantity, Face face) const {
    return walls[static_cast<std::size_t>(quantity)][static_cast<std::size_t>(face)];
  }
};

}  // namespace ermine
