#include "transport/draw/scene_density.hpp"

#include "core/thread_count.hpp"

#include <algorithm>
#include <vector>

namespace ermine {
double shortest_way(const Grid& grid) {
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
  return walled > 0 ? walled : any;
}

namespace {

/// Rays of the best density see about so far (the optimum is flat).
double exchange_length(const Grid& grid) { return 0.2 * shortest_way(grid); }

}  // namespace

PointDensity scene_density(const Tracer& tracer, const TemperatureField& temperature,
                           std::span<const double> earlier) {
  const Grid& grid = tracer.grid();
  const int threads = thread_count(tracer.options().threads);
  auto [coldest, hottest] = temperature_range(temperature, threads);
  if (!earlier.empty()) {
    const auto [coldest_then, hottest_then] = temperature_range(earlier, threads);
    coldest = std::min(coldest, coldest_then);
    hottest = std::max(hottest, hottest_then);
  }
  std::vector<double> walls;
  for (const Face face : all_faces) {
    if (!grid.walled(face)) continue;
    const auto& side = tracer.walls().sides()[static_cast<std::size_t>(face)].temperature;
    walls.insert(walls.end(), side.begin(), side.end());
  }
  const bool exchange = tracer.options().density == SpectralDensity::exchange;
  const double length = exchange ? exchange_length(grid) : 0.0;
  if (walls.empty()) return {coldest, hottest, length};
  const auto [wall_coldest, wall_hottest] = std::minmax_element(walls.begin(), walls.end());
  return {std::min(coldest, *wall_coldest), std::max(hottest, *wall_hottest), length, *wall_coldest,
          *wall_hottest};
}

}  // namespace ermine
