#include "transport/scene_density.hpp"

#include <algorithm>

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
