#include "bench_problems.hpp"

#include <ermine/error.hpp>

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

constexpr const char* vapour = R"(medium.gas = "H2O")";

constexpr const char* mixture = "medium.mole_fractions = { H2O = 0.12, CO2 = 0.06, CO = 0.01 }";

/// The same mole fractions on average, each in waves of its own.
constexpr const char* mixture_fields = R"toml(
medium.mole_fractions.H2O = "0.12 + 0.08*sin(2*_pi*x)*sin(4*_pi*y)*cos(2*_pi*z)"
medium.mole_fractions.CO2 = "0.06 + 0.04*cos(4*_pi*x)*sin(2*_pi*y)*cos(2*_pi*z)"
medium.mole_fractions.CO = "0.01 + 0.01*cos(2*_pi*x)*cos(2*_pi*y)*sin(4*_pi*z)"
)toml";

/// Up to 1 ppm of soot on the fuel side of the jet flame.
constexpr const char* soot_of_flame = R"toml(
[medium.soot]
volume_fraction = "1e-6*exp(-((sqrt((x - 0.15)^2 + (y - 0.15)^2) - 0.02 - 0.06*z)/0.02)^2)*min(1, z/0.2)"
)toml";

/// Case file of a cube of 1 m between walls of 750 K.
std::string cube(const char* composition, double emissivity) {
  std::string text = "title = \"Eddies\"\ntemperature = 750\nmedium.pressure = 101325\n";
  for (const char axis : {'x', 'y', 'z'}) {
    text += fmt::format("grid.{} = {{ cells = 1, to = 1.0 }}\n", axis);
    for (const char* side : {"low", "high"}) {
      text += fmt::format("walls.{}_{} = {{ temperature = 750, emissivity = {} }}\n", axis, side,
                          emissivity);
    }
  }
  return text + composition;
}

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

double eddies_temperature(const Point& at) {
  static const std::vector<Wave> waves = eddies();
  double temperature = 750;
  for (const auto& [vector, phase, amplitude] : waves) {
    temperature +=
        amplitude * std::cos(vector[0] * at[0] + vector[1] * at[1] + vector[2] * at[2] + phase);
  }
  return std::clamp(temperature, 500.0, 1000.0);
}

Case make_case(const BenchProblem& problem, const std::array<int, 3>& cells,
               const std::string& backend) {
  Case made = parse_case(
      problem.text, problem.name + ".toml",
      {fmt::format("grid.x.cells={}", cells[0]), fmt::format("grid.y.cells={}", cells[1]),
       fmt::format("grid.z.cells={}", cells[2]), "solver.density=emission",
       "solver.rays_per_wall_face=0", "solver.backend=" + backend});
  if (problem.temperature) {
    for (std::size_t cell = 0; cell < made.temperature.size(); ++cell) {
      made.temperature[cell] = problem.temperature(made.grid.centre(cell));
    }
  }
  return made;
}

}  // namespace

std::size_t BenchProblem::cell_count(int grid) const {
  std::size_t count = 1;
  for (const int units : shape) count *= static_cast<std::size_t>(units * grid);
  return count;
}

Case BenchProblem::make(int grid, const std::string& backend) const {
  return make_case(*this, {shape[0] * grid, shape[1] * grid, shape[2] * grid}, backend);
}

Case BenchProblem::make_profile(int grid, const std::string& backend) const {
  return make_case(*this, {shape[0] * grid, 3, 3}, backend);
}

const std::vector<BenchProblem>& bench_problems() {
  const auto cube_of = [](const char* name, const char* composition, double emissivity) {
    return BenchProblem{
        .name = name, .text = cube(composition, emissivity), .temperature = eddies_temperature};
  };
  static const std::vector<BenchProblem> problems{
      {.name = "case10", .text = embedded::case10, .profile = true},
      cube_of("cube", vapour, 1),
      cube_of("cube-mixture", mixture, 1),
      cube_of("cube-fields", mixture_fields, 1),
      cube_of("cube-grey-walls", vapour, 0.7),
      cube_of("cube-fields-grey-walls", mixture_fields, 0.7),
      {.name = "channel", .text = channel_case, .temperature = channel_temperature},
      {.name = "flame", .text = embedded::jet_flame, .shape = {1, 1, 2}},
      {.name = "flame-soot",
       .text = std::string(embedded::jet_flame) + soot_of_flame,
       .shape = {1, 1, 2}},
      {.name = "furnace", .text = embedded::mirror_furnace, .shape = {2, 1, 1}},
  };
  return problems;
}

const BenchProblem& bench_problem(const std::string& name) {
  const auto& all = bench_problems();
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const BenchProblem& problem) { return problem.name == name; });
  if (found == all.end()) throw Error("there is no problem " + name);
  return *found;
}

Case slab_problem(int grid, const std::string& backend) {
  return bench_problem("case10").make(grid, backend);
}

Case eddies_problem(int grid, const std::string& backend) {
  return bench_problem("cube").make(grid, backend);
}

Case channel_problem(int grid, const std::string& backend) {
  return bench_problem("channel").make(grid, backend);
}

}  // namespace ermine::cli
