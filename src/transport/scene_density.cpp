#include "transport/scene_density.hpp"

#include "core/thread_count.hpp"

#include <algorithm>
#include <array>
#include <utility>
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

int steepest_axis(const Grid& grid, std::span<const double> temperature, int threads) {
  struct Plane {
    double sum = 0.0;
    double cells = 0.0;
  };
  using Planes = std::array<std::vector<Plane>, 3>;
  // Slabs of planes across z are summed up each by a thread, as many of them for any number of
  // threads: the sums do not depend on it.
  const std::size_t slabs = std::min<std::size_t>(grid.cells(2), 64);
  std::vector<Planes> of_slab(slabs);
  for (Planes& planes : of_slab) {
    for (const std::size_t a : {0, 1, 2}) planes[a].resize(grid.cells(a));
  }
  // Some of the cells tell as much as all, where they are many.
  const std::size_t stride = temperature.size() / 1'000'000 + 1;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t slab = 0; slab < slabs; ++slab) {
    Planes& planes = of_slab[slab];
    const std::size_t end = (slab + 1) * grid.cells(2) / slabs;
    for (std::size_t k = slab * grid.cells(2) / slabs; k < end; ++k) {
      for (std::size_t j = 0; j < grid.cells(1); ++j) {
        const double* row = temperature.data() + (k * grid.cells(1) + j) * grid.cells(0);
        Plane of_row;
        for (std::size_t i = (j + k) % stride; i < grid.cells(0); i += stride) {
          for (Plane* plane : {&planes[0][i], &of_row}) {
            plane->sum += row[i];
            plane->cells += 1;
          }
        }
        for (Plane* plane : {&planes[1][j], &planes[2][k]}) {
          plane->sum += of_row.sum;
          plane->cells += of_row.cells;
        }
      }
    }
  }
  Planes planes = std::move(of_slab.front());
  for (std::size_t slab = 1; slab < slabs; ++slab) {
    for (const std::size_t a : {0, 1, 2}) {
      for (std::size_t i = 0; i < planes[a].size(); ++i) {
        planes[a][i].sum += of_slab[slab][a][i].sum;
        planes[a][i].cells += of_slab[slab][a][i].cells;
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

std::pair<double, double> temperature_range(std::span<const double> temperature, int threads) {
  double coldest = temperature.front();
  double hottest = temperature.front();
#pragma omp parallel for num_threads(threads) reduction(min : coldest) reduction(max : hottest)
  for (std::size_t i = 0; i < temperature.size(); ++i) {
    coldest = std::min(coldest, temperature[i]);
    hottest = std::max(hottest, temperature[i]);
  }
  return {coldest, hottest};
}

PointDensity scene_density(const Tracer& tracer, std::span<const double> temperature,
                           std::span<const double> earlier) {
  const Grid& grid = tracer.grid();
  const int threads = thread_count(tracer.options().threads);
  auto [coldest, hottest] = temperature_range(temperature, threads);
  if (!earlier.empty()) {
    const auto [coldest_then, hottest_then] = temperature_range(earlier, threads);
    coldest = std::min(coldest, coldest_then);
    hottest = std::max(hottest, hottest_then);
  }
  for (const Face face : all_faces) {
    if (!grid.walled(face)) continue;
    for (const double kelvin : tracer.walls().sides()[static_cast<std::size_t>(face)].temperature) {
      coldest = std::min(coldest, kelvin);
      hottest = std::max(hottest, kelvin);
    }
  }
  const bool exchange = tracer.options().density == SpectralDensity::exchange;
  return {coldest, hottest, exchange ? exchange_length(grid) : 0.0};
}

}  // namespace ermine
