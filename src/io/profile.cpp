#include <ermine/output.hpp>

#include "core/fp_guard.hpp"
#include "io/write_fields.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {

Profile plane_average(const Grid& grid, const std::vector<double>& temperature,
                      const Result& result, std::size_t axis) {
  const FloatingPointGuard guard;
  const std::size_t cells = grid.cells(axis);
  const std::vector<double> zero(cells, 0.0);
  Profile profile{axis, {}, zero, zero, zero, zero, zero};
  std::vector<double> plane(cells, 0.0);
  std::vector<double> bias(cells, 0.0);
  for (std::size_t i = 0; i < cells; ++i) profile.coordinate.push_back(grid.centre(axis, i));
  for (std::size_t cell = 0; cell < grid.cell_count(); ++cell) {
    const std::size_t i = grid.index(cell)[axis];
    const double area = grid.volume(cell) / grid.width(axis, i);
    plane[i] += area;
    profile.temperature[i] += area * temperature[cell];
    profile.flux_divergence[i] += area * result.flux_divergence[cell];
    profile.emission[i] += area * result.emission[cell];
    profile.absorption[i] += area * result.absorption[cell];
    // Rays of different cells are independent: variances add; but see below. Biases do not average
    // out.
    const double of_cell = result.accuracy.bias_at(temperature[cell]);
    bias[i] += area * of_cell;
    profile.standard_error[i] +=
        area * area * (std::pow(result.standard_error[cell], 2) - of_cell * of_cell);
  }
  // Cells of a tile may not be: so many of them lie in a plane.
  const auto cells_of_tile = [&](std::size_t a) {
    return static_cast<std::size_t>(result.tile_cells[a]);
  };
  double of_tile = 1.0;
  for (const std::size_t a : {0, 1, 2}) {
    if (a != axis) of_tile *= static_cast<double>(std::min(cells_of_tile(a), grid.cells(a)));
  }
  const std::vector<double>& correlation = result.layer_correlation[axis];
  for (std::size_t i = 0; i < cells; ++i) {
    profile.temperature[i] /= plane[i];
    profile.flux_divergence[i] /= plane[i];
    profile.emission[i] /= plane[i];
    profile.absorption[i] /= plane[i];
    const double c = correlation.empty() ? 0.0 : correlation[i / cells_of_tile(axis)];
    const double noise =
        std::sqrt((1 + (of_tile - 1) * c) * std::max(profile.standard_error[i], 0.0));
    profile.standard_error[i] = std::hypot(noise, bias[i]) / plane[i];
  }
  return profile;
}

std::vector<double> plane_mean(const Grid& grid, std::span<const double> values, std::size_t axis) {
  std::vector<double> mean(grid.cells(axis), 0.0);
  std::vector<double> plane(grid.cells(axis), 0.0);
  for (std::size_t cell = 0; cell < grid.cell_count(); ++cell) {
    const std::size_t i = grid.index(cell)[axis];
    mean[i] += grid.volume(cell) * values[cell];
    plane[i] += grid.volume(cell);
  }
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] /= plane[i];
  return mean;
}

Estimate mean_flux(const Grid& grid, Face face, const WallFlux& wall) {
  const FloatingPointGuard guard;
  double area = 0.0;
  for (std::size_t i = 0; i < wall.net_flux.size(); ++i) area += grid.face_cell_area(face, i);
  return {wall.heat.value / area, wall.heat.standard_error / area};
}

Estimate largest_flux(const WallFlux& wall) {
  const FloatingPointGuard guard;
  const auto largest =
      std::max_element(wall.net_flux.begin(), wall.net_flux.end(),
                       [](double a, double b) { return std::abs(a) < std::abs(b); });
  const auto at = static_cast<std::size_t>(largest - wall.net_flux.begin());
  return {*largest, wall.standard_error[at]};
}

std::vector<std::size_t> profile_axes(const Grid& grid) {
  std::vector<std::size_t> axes;
  for (std::size_t a = 0; a < 3; ++a) {
    if (!grid.periodic(a)) axes.push_back(a);
  }
  if (axes.empty()) axes = {0, 1, 2};
  return axes;
}

}  // namespace ermine
