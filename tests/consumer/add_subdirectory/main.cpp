// The smallest client of ermine as a subdirectory: gas in equilibrium with its walls.

#include <ermine/ermine.hpp>

#include <array>
#include <cstdio>
#include <vector>

int main() {
  const ermine::Axis axis = ermine::Axis::uniform(3, 0.0, 1.0);
  const ermine::Grid grid({axis, axis, axis});
  std::array<ermine::Wall, 6> sides;
  for (ermine::Wall& side : sides) side = {.temperature = {800.0}, .emissivity = {0.7}};
  const ermine::Tracer tracer(grid, {grid, sides}, ermine::GreyMedium(2.0),
                              {.rays_per_cell = 100, .rays_per_wall_face = 100});
  const ermine::Result result = tracer.solve(std::vector<double>(grid.cell_count(), 800.0));
  for (const double q : result.flux_divergence) {
    if (q != 0) return 1;
  }
  std::printf("ermine %s: an isothermal box loses no heat\n", ERMINE_VERSION);
  return 0;
}
