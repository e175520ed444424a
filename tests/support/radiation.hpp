#pragma once

#include <ermine/error.hpp>
#include <ermine/radiation.hpp>

#include "support/problems.hpp"

#include <cmath>
#include <string>
#include <vector>

/// A small problem as a flow solver has it.
namespace ermine::test {

inline Grid coupled_grid() {
  return Grid({Axis::uniform(12, 0, 1), Axis::stretched(10, 0, 1, 1.2),
               Axis::uniform(8, 0, 1, Boundary::periodic)});
}

inline CoupledCase coupled_case(CouplingOptions coupling = {}) {
  const Grid grid = coupled_grid();
  return {"box",
          "",
          grid,
          six_walls(grid).sides(),
          three_points(),
          {.backend = Backend::cpu, .rays_per_cell = 32, .rays_per_wall_face = 16, .threads = 1},
          coupling,
          {}};
}

/// Temperature at a time, complete.
inline std::vector<double> flowing(const Grid& grid, double time) {
  return evaluate(grid, [time](std::array<double, 3> at) {
    return 800 + 300 * std::sin(5 * at[0] - time) * std::cos(6 * at[2] + time) + 100 * at[1];
  });
}

/// The tracer that solves the same problem.
inline Tracer tracer_of(const CoupledCase& problem) {
  return Tracer(*problem.grid, Walls(*problem.grid, problem.walls), problem.medium,
                problem.options);
}

inline std::vector<double> values_of(const Radiation& radiation, Quantity quantity) {
  const Block& block = radiation.block();
  std::size_t count = 1;
  for (const std::size_t a : {0, 1, 2}) {
    count *= static_cast<std::size_t>(block.end[a] - block.begin[a] + block.halo_below[a] +
                                      block.halo_above[a]);
  }
  std::vector<double> values(count);
  radiation.get(quantity, values.data());
  return values;
}

/// Q seen by a flow of so many steps.
inline std::vector<std::vector<double>> steps_of(Radiation& radiation, int first, int last) {
  std::vector<std::vector<double>> seen;
  for (int step = first; step < last; ++step) {
    radiation.advance(flowing(radiation.grid(), 0.1 * step).data());
    seen.push_back(values_of(radiation, Quantity::source));
  }
  return seen;
}

/// What a call says when it is refused.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "not refused";
}

}  // namespace ermine::test
