#include "transport/scene_density.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace ermine {
namespace {

/// A fifth of the shortest way from wall to wall, or through the domain if there are none: rays
/// of the best density see about so far (the optimum is flat).
double exchange_length(const Grid& grid) {
  double walled = 0.0;
  double any = 0.0;
  const auto shorter = [](double length, double other) {
    return length > 0 ? std::min(length, other) : other;
  };
  for (const std::size_t a : {0, 1, 2}) {
    const double extent = grid.axis(a).faces.back() - grid.axis(a).faces.front();
    any = shorter(any, extent);
    if (!grid.periodic(a)) walled = shorter(walled, extent);
  }
  return 0.2 * (walled > 0 ? walled : any);
}

}  // namespace

int steepest_axis(const Grid& grid, std::span<const double> temperature) {
  struct Plane {
    double sum = 0.0;
    double cells = 0.0;
  };
  std::array<std::vector<Plane>, 3> planes;
  for (const std::size_t a : {0, 1, 2}) planes[a].resize(grid.cells(a));
  // Some of the cells tell as much as all, where they are many.
  const std::size_t stride = temperature.size() / 1'000'000 + 1;
  for (std::size_t k = 0; k < grid.cells(2); ++k) {
    for (std::size_t j = 0; j < grid.cells(1); ++j) {
      const std::size_t row = (k * grid.cells(1) + j) * grid.cells(0);
      for (std::size_t i = (j + k) % stride; i < grid.cells(0); i += stride) {
        for (Plane* plane : {&planes[0][i], &planes[1][j], &planes[2][k]}) {
          plane->sum += temperature[row + i];
          plane->cells += 1;
        }
      }
    }
  }
  int steepest = 2;
  double largest = 0.0;
  for (const std::size_t a : {2, 0, 1}) {
    double sum = 0.0;
    double squares = 0.0;
    double count = 0.0;
    for (const Plane& plane : planes[a]) {
      if (plane.cells == 0) continue;
      const double mean = plane.sum / plane.cells;
      sum += mean;
      squares += mean * mean;
      count += 1;
    }
    const double variance = (squares - sum * sum / count) / count;
    // By rounding alone no axis is steeper than another.
    if (variance <= largest + 1e-9 * squares / count) continue;
    largest = variance;
    steepest = static_cast<int>(a);
  }
  return steepest;
}

PointDensity scene_density(const Tracer& tracer, std::span<const double> temperature) {
  const Grid& grid = tracer.grid();
  const auto [low, high] = std::minmax_element(temperature.begin(), temperature.end());
  PointDensity density{*low, *high, 0.0};
  for (const Face face : all_faces) {
    if (!grid.walled(face)) continue;
    for (std::size_t i = 0; i < grid.face_cell_count(face); ++i) {
      density.coldest = std::min(density.coldest, tracer.walls().temperature(face, i));
      density.hottest = std::max(density.hottest, tracer.walls().temperature(face, i));
    }
  }
  if (tracer.options().density == SpectralDensity::exchange) {
    density.length = exchange_length(grid);
  }
  return density;
}

}  // namespace ermine
