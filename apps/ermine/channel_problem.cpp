#include "bench_problems.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace ermine::cli {
namespace {

constexpr double hot = 955;   // [K]
constexpr double cold = 573;  // [K]

/// Half waves across the channel, so that it vanishes at the walls; whole waves along it.
struct Mode {
  double across;
  double spanwise;
  double streamwise;
  double phase;      ///< [rad]
  double amplitude;  ///< [K]
};

/// Eight modes of random directions for each of about 1, 2, 4 and 8 waves, or as many as allowed,
/// as elongated as the channel; amplitudes fall as in turbulence. 50 K root mean square in all. On
/// 32^3 cells the shortest have four cells.
std::vector<Mode> modes(double most_waves = 8) {
  std::mt19937_64 generator(20190604);  // the same on every machine, unlike the distributions
  const auto uniform = [&] { return static_cast<double>(generator() >> 11) * 0x1p-53; };
  std::vector<Mode> all;
  double variance = 0.0;
  for (const double number : {1.0, 2.0, 4.0, 8.0}) {
    if (number > std::max(most_waves, 1.0)) break;
    for (int i = 0; i < 8; ++i) {
      const double cosine = 2 * uniform() - 1;
      const double sine = std::sqrt(1 - cosine * cosine);
      const double azimuth = 2 * std::numbers::pi * uniform();
      const double amplitude = 1 / std::cbrt(number);
      all.push_back({std::max(1.0, std::round(2 * number * std::abs(cosine))),
                     std::round(number * sine * std::cos(azimuth)),
                     std::round(number * sine * std::sin(azimuth)),
                     2 * std::numbers::pi * uniform(), amplitude});
      variance += amplitude * amplitude / 4;
    }
  }
  for (Mode& mode : all) mode.amplitude *= 50 / std::sqrt(variance);
  return all;
}

/// Mean temperature [K] over the distance from the hot wall [m]: gentle in the core, with layers of
/// 1/12 m at the walls, where a turbulent channel has its steep gradients.
double mean_temperature(double x) {
  constexpr double steepness = 12;
  const double layers = std::sinh(steepness * (x - 1)) / std::sinh(steepness);
  return (hot + cold) / 2 - (hot - cold) / 2 * (0.3 * (x - 1) + 0.7 * layers);
}

double temperature_at(const std::array<double, 3>& at, const std::vector<Mode>& all) {
  double temperature = mean_temperature(at[0]);
  for (const Mode& mode : all) {
    temperature += mode.amplitude * std::sin(std::numbers::pi / 2 * mode.across * at[0]) *
                   std::cos(mode.spanwise * at[1] + mode.streamwise / 2 * at[2] + mode.phase);
  }
  return std::clamp(temperature, cold, hot);
}

}  // namespace

const char* const channel_case = R"(
title = "Channel of water vapour"
temperature = 764
medium = { gas = "H2O", pressure = 101325 }
[grid]
x = { cells = 1, to = 2.0, stretching = 2.0 }
y = { cells = 1, to = 6.283185307179586, periodic = true }
z = { cells = 1, to = 12.566370614359172, periodic = true }
[walls]
x_low = { temperature = 955 }
x_high = { temperature = 573 }
)";

double channel_temperature(const std::array<double, 3>& at) {
  static const std::vector<Mode> all = modes();
  return temperature_at(at, all);
}

std::vector<double> moving_channel(const Grid& grid, double cells) {
  const auto along = static_cast<double>(grid.cells(2));
  const std::vector<Mode> all = modes(along / 16);
  const double moved = cells * grid.length(2) / along;
  std::vector<double> temperature(grid.cell_count());
#pragma omp parallel for
  for (std::size_t cell = 0; cell < temperature.size(); ++cell) {
    std::array<double, 3> at = grid.centre(cell);
    at[2] -= moved;
    temperature[cell] = temperature_at(at, all);
  }
  return temperature;
}

}  // namespace ermine::cli
