#pragma once

#include <ermine/tracer.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

/// Small problems that many tests share.
namespace ermine::test {

/// What is independent of the way rays are drawn holds for the paper's first method, independent
/// rays on one grid, and for the default.
inline constexpr std::array both_methods{Method::classic, Method::net};

inline Options with_method(Method method, Options options) {
  set_method(options, method);
  return options;
}
inline Options classic(Options options) { return with_method(Method::classic, options); }

/// Random rays and the net, on one grid.
inline constexpr std::array both_samplers{RaySampler::random, RaySampler::net};

inline constexpr double sigma = 5.670374419e-8;

inline double intensity(double temperature) {
  return sigma * std::pow(temperature, 4) / std::numbers::pi;
}

/// Walled in x, periodic in y and z, unit cube.
inline Grid slab_grid(int cells, int lateral = 1) {
  return Grid({Axis::uniform(cells, 0, 1), Axis::uniform(lateral, 0, 1, Boundary::periodic),
               Axis::uniform(lateral, 0, 1, Boundary::periodic)});
}

inline Grid box_grid(int cells) {
  const Axis axis = Axis::uniform(cells, 0, 1);
  return Grid({axis, axis, axis});
}

inline Wall wall(double temperature, double emissivity = 1.0,
                 Reflection reflection = Reflection::diffuse) {
  return {{temperature}, {emissivity}, reflection};
}

/// The same wall on every side.
inline Walls enclosure(const Grid& grid, const Wall& side) {
  return Walls(grid, {side, side, side, side, side, side});
}

/// Six sides that differ in temperature, emissivity and kind of reflection.
inline Walls six_walls(const Grid& grid) {
  return Walls(grid, {wall(400, 1.0), wall(900, 0.6), wall(600, 0.3, Reflection::specular),
                      wall(1100, 0.8), wall(300, 0.0, Reflection::specular), wall(700, 0.0)});
}

inline Walls plates(const Grid& grid, const Wall& low, const Wall& high) {
  return Walls(grid, {low, high, {}, {}, {}, {}});
}

inline std::vector<double> evaluate(
    const Grid& grid, const std::function<double(std::array<double, 3>)>& temperature) {
  std::vector<double> values(grid.cell_count());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = temperature(grid.centre(i));
  return values;
}

inline double parabola(double x) { return 500 - 2000 * x * x + 2000 * x; }

inline std::vector<double> parabola_field(const Grid& grid) {
  return evaluate(grid, [](std::array<double, 3> at) { return parabola(at[0]); });
}

/// Three points whose strengths and temperature rows differ, 0 to 2000 K.
inline SpectralList three_points() {
  constexpr std::size_t nodes = 201;
  std::vector<double> absorption;
  std::vector<double> blackbody;
  const std::array<double, 3> strength{0.3, 2.0, 8.0};
  const std::array<double, 3> share{0.5, 0.3, 0.2};
  for (std::size_t s = 0; s < 3; ++s) {
    for (std::size_t node = 0; node < nodes; ++node) {
      const double t = 10.0 * static_cast<double>(node);
      absorption.push_back(strength[s] * (1.5 - t / 2000));
      blackbody.push_back(share[s] * intensity(t));
    }
  }
  return SpectralList({0.0, 10.0, nodes}, absorption, blackbody);
}

}  // namespace ermine::test
