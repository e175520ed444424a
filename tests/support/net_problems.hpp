#pragma once

#include <ermine/tracer.hpp>

#include "support/gas.hpp"
#include "support/problems.hpp"

#include <cmath>

/// Small problems of real steam, and measures of error, for tests of the net.
namespace ermine::test {

struct Problem {
  const char* name;
  Grid grid;
  Walls walls;
  Medium medium;
  std::vector<double> temperature;

  Result solve(const Options& options, std::uint32_t update = 0) const {
    return Tracer(grid, walls, medium, options).solve(temperature, update);
  }
};

inline GasMedium steam() { return GasMedium(atmosphere, {{Species::h2o, {1.0}}}, coarse()); }

inline Problem slab() {
  const Grid grid = slab_grid(16, 8);
  return {"slab", grid, plates(grid, wall(500), wall(500)), steam(), parabola_field(grid)};
}

inline Problem cube() {
  const Grid grid = box_grid(9);
  return {"cube", grid, enclosure(grid, wall(750)), steam(),
          evaluate(grid, [](std::array<double, 3> at) {
            return 750 + 150 * std::sin(9 * at[0] + 1) * std::cos(7 * at[1]) +
                   100 * std::sin(12 * at[2]);
          })};
}

inline Problem channel() {
  const Grid grid({Axis::stretched(12, 0, 2, 1.2), Axis::uniform(8, 0, 6, Boundary::periodic),
                   Axis::uniform(8, 0, 12, Boundary::periodic)});
  return {"channel", grid, plates(grid, wall(573), wall(955)), steam(),
          evaluate(grid, [](std::array<double, 3> at) {
            return 764 + 150 * (at[0] - 1) +
                   60 * at[0] * (2 - at[0]) * std::sin(2.1 * at[1]) * std::cos(1.05 * at[2]);
          })};
}

/// Burnt gas of 1800 K, four cells across, in the middle of cold gas.
inline Problem hot_spot() {
  const Grid grid = box_grid(16);
  std::vector<double> temperature, h2o, co2;
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    double squares = 0.0;
    for (const double x : grid.centre(i)) squares += (x - 0.5) * (x - 0.5);
    const double burnt = std::exp(-squares / 0.02);
    temperature.push_back(600 + 1200 * burnt);
    h2o.push_back(0.02 + 0.16 * burnt);
    co2.push_back(0.01 + 0.08 * burnt);
  }
  return {"hot spot", grid, enclosure(grid, wall(600)),
          GasMedium(atmosphere, {{Species::h2o, h2o}, {Species::co2, co2}}, coarse()), temperature};
}

inline Options net(std::int64_t rays, std::uint64_t seed = 1) {
  Options options{.rays_per_cell = rays, .rays_per_wall_face = 0, .seed = seed};
  set_method(options, Method::net);
  return options;
}

inline double root_mean_square(const std::vector<double>& values) {
  double squares = 0.0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

inline double difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  return root_mean_square(differences);
}

}  // namespace ermine::test
