// Radiative heat source of a hot gas between two black plates, and its error bars.
//
// The gas is 1 m thick, grey, and hottest in the middle. ermine computes Q, the divergence of the
// radiative heat flux [W/m3]: positive where the gas loses heat. A flow solver adds -Q to its
// energy equation. Build and run, with ermine installed:
//
//   cmake -B build -S examples/cpp && cmake --build build && build/slab

#include <ermine/ermine.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

/// Gas temperature [K] at distance x [m] from the first plate.
double temperature_at(double x) { return 500.0 + 2000.0 * x * (1.0 - x); }

/// Across the plates 32 cells; along them the gas is uniform, so one periodic cell will do.
ermine::Grid make_grid() {
  using ermine::Axis;
  using ermine::Boundary;
  return ermine::Grid({Axis::uniform(32, 0.0, 1.0), Axis::uniform(1, 0.0, 1.0, Boundary::periodic),
                       Axis::uniform(1, 0.0, 1.0, Boundary::periodic)});
}

/// One entry per side of the box, in the order of ermine::Face. Those of periodic axes stay empty.
ermine::Walls make_walls(const ermine::Grid& grid) {
  std::array<ermine::Wall, 6> sides;
  sides[static_cast<std::size_t>(ermine::Face::x_low)] = {.temperature = {500.0}};
  sides[static_cast<std::size_t>(ermine::Face::x_high)] = {.temperature = {500.0}};
  return {grid, sides};
}

/// Fields hold one value per cell, x fastest.
std::vector<double> make_temperature(const ermine::Grid& grid) {
  std::vector<double> temperature(grid.cell_count());
  for (std::size_t cell = 0; cell < temperature.size(); ++cell) {
    temperature[cell] = temperature_at(grid.centre(cell)[0]);
  }
  return temperature;
}

void print(const ermine::Grid& grid, const std::vector<double>& temperature,
           const ermine::Result& result) {
  std::printf("   x [m]   T [K]     Q [W/m3]   std. error\n");
  for (std::size_t i = 0; i < grid.cells(0); ++i) {
    std::printf("%8.4f %7.1f %12.1f %12.1f\n", grid.centre(0, i), temperature[i],
                result.flux_divergence[i], result.standard_error[i]);
  }
  for (const ermine::Face face : {ermine::Face::x_low, ermine::Face::x_high}) {
    const ermine::WallFlux& wall = result.wall_flux[static_cast<std::size_t>(face)];
    std::printf("wall %s loses %.1f +- %.1f W/m2\n", ermine::name_of(face), wall.net_flux[0],
                wall.standard_error[0]);
  }
  const ermine::Estimate& total = result.ledger.total;
  std::printf("gas and walls together lose %.1f +- %.1f W (exact: 0)\n", total.value,
              total.standard_error);
}

}  // namespace

int main() try {
  const ermine::Grid grid = make_grid();
  const std::vector<double> temperature = make_temperature(grid);

  // A Tracer holds the problem. It can be solved for any number of temperature fields; a coupled
  // code numbers them with the second argument of solve(), so that each draws fresh rays.
  const ermine::Tracer tracer(grid, make_walls(grid), ermine::GreyMedium(1.0),  // absorption [1/m]
                              {.replicates = 16,  // so few cells know their error bars badly from 8
                               .rays_per_cell = 16384,
                               .rays_per_wall_face = 16384});
  print(grid, temperature, tracer.solve(temperature));
  return 0;
} catch (const ermine::Error& error) {
  // The message says what is wrong and what to do.
  std::fprintf(stderr, "slab: %s\n", error.what());
  return 1;
}
