#include "bench_problems.hpp"

#include "embedded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace ermine::cli {
namespace {

using Point = std::array<double, 3>;

constexpr const char* cube = R"(
title = "Eddies of water vapour"
temperature = 750
medium = { gas = "H2O", pressure = 101325 }
[grid]
x = { cells = 1, to = 1.0 }
y = { cells = 1, to = 1.0 }
z = { cells = 1, to = 1.0 }
[walls]
x_low = { temperature = 750 }
x_high = { temperature = 750 }
y_low = { temperature = 750 }
y_high = { temperature = 750 }
z_low = { temperature = 750 }
z_high = { temperature = 750 }
)";

struct Wave {
  Point vector;      ///< [1/m]
  double phase;      ///< [rad]
  double amplitude;  ///< [K]
};

/// Plane waves in random directions, eight for each of the lengths 1, 1/2, 1/4 and 1/8 m. As in
/// turbulence, differences over a length grow with its cube root. 100 K root mean square in all.
std::vector<Wave> eddies() {
  std::mt19937_64 generator(20190603);  // the same on every machine, unlike the distributions
  const auto uniform = [&] { return static_cast<double>(generator() >> 11) * 0x1p-53; };
  std::vector<Wave> waves;
  double variance = 0.0;
  for (const double number : {1.0, 2.0, 4.0, 8.0}) {
    for (int i = 0; i < 8; ++i) {
      const double cosine = 2 * uniform() - 1;
      const double sine = std::sqrt(1 - cosine * cosine);
      const double azimuth = 2 * std::numbers::pi * uniform();
      const double k = 2 * std::numbers::pi * number;
      const double amplitude = 1 / std::cbrt(number);
      waves.push_back({{k * sine * std::cos(azimuth), k * sine * std::sin(azimuth), k * cosine},
                       2 * std::numbers::pi * uniform(),
                       amplitude});
      variance += amplitude * amplitude / 2;
    }
  }
  for (Wave& wave : waves) wave.amplitude *= 100 / std::sqrt(variance);
  return waves;
}

double temperature_at(const Point& at, const std::vector<Wave>& waves) {
  double temperature = 750;
  for (const auto& [vector, phase, amplitude] : waves) {
    temperature +=
        amplitude * std::cos(vector[0] * at[0] + vector[1] * at[1] + vector[2] * at[2] + phase);
  }
  return std::clamp(temperature, 500.0, 1000.0);
}

}  // namespace

std::vector<std::string> problem_overrides(const std::array<int, 3>& cells,
                                           const std::string& backend) {
  return {fmt::format("grid.x.cells={}", cells[0]),
          fmt::format("grid.y.cells={}", cells[1]),
          fmt::format("grid.z.cells={}", cells[2]),
          "solver.density=emission",
          "solver.rays_per_wall_face=0",
          "solver.backend=" + backend};
}

Case slab_problem(int grid, const std::string& backend) {
  return parse_case(embedded::case10, "case10.toml",
                    problem_overrides({grid, grid, grid}, backend));
}

Case slab_profile_problem(int grid, const std::string& backend) {
  return parse_case(embedded::case10, "case10.toml", problem_overrides({grid, 3, 3}, backend));
}

Case eddies_problem(int grid, const std::string& backend) {
  Case problem = parse_case(cube, "eddies.toml", problem_overrides({grid, grid, grid}, backend));
  const std::vector<Wave> waves = eddies();
  for (std::size_t cell = 0; cell < problem.temperature.size(); ++cell) {
    problem.temperature[cell] = temperature_at(problem.grid.centre(cell), waves);
  }
  return problem;
}

}  // namespace ermine::cli
