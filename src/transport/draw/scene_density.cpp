#include "transport/draw/scene_density.hpp"

#include "core/thread_count.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <variant>
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

struct Range {
  double coldest;
  double hottest;

  void include(const Range& other) {
    coldest = std::min(coldest, other.coldest);
    hottest = std::max(hottest, other.hottest);
  }
};

/// None where there are no walls.
std::optional<Range> range_of_walls(const Tracer& tracer) {
  std::optional<Range> range;
  for (const Face face : all_faces) {
    if (!tracer.grid().walled(face)) continue;
    const auto& side = tracer.walls().sides()[static_cast<std::size_t>(face)].temperature;
    const auto [coldest, hottest] = std::minmax_element(side.begin(), side.end());
    const Range of_side{*coldest, *hottest};
    if (range) range->include(of_side);
    range = range.value_or(of_side);
  }
  return range;
}

/// Temperatures of the gas that there are data for.
Range covered(const Medium& medium) {
  if (const auto* gas = std::get_if<GasMedium>(&medium)) return {gas->coldest(), gas->hottest()};
  if (const auto* list = std::get_if<SpectralList>(&medium)) {
    return {list->nodes().first, list->nodes().last()};
  }
  return {0.0, std::numeric_limits<double>::infinity()};
}

/// Outwards to multiples of a step, but not past bounds that lie outside.
Range rounded(const Range& range, double step, std::span<const Range> bounds) {
  Range wider{std::floor(range.coldest / step) * step, std::ceil(range.hottest / step) * step};
  for (const Range& bound : bounds) {
    if (bound.coldest <= range.coldest) wider.coldest = std::max(wider.coldest, bound.coldest);
    if (bound.hottest >= range.hottest) wider.hottest = std::min(wider.hottest, bound.hottest);
  }
  return wider;
}

}  // namespace

std::pair<double, double> scene_range(const Tracer& tracer, const TemperatureField& temperature,
                                      std::span<const double> earlier) {
  const int threads = thread_count(tracer.options().threads);
  const auto range_of = [&](const TemperatureField& field) {
    const auto [coldest, hottest] = temperature_range(field, threads);
    return Range{coldest, hottest};
  };
  Range gas = range_of(temperature);
  if (!earlier.empty()) gas.include(range_of(earlier));
  Range all = gas;
  std::vector<Range> bounds{covered(tracer.medium())};
  if (const auto walls = range_of_walls(tracer)) {
    all.include(*walls);
    bounds.push_back(*walls);
  }
  const double width = all.hottest - all.coldest;
  constexpr double rounding_errors = 1e-12;
  if (!(width > rounding_errors * all.hottest) || gas.coldest == gas.hottest) {
    return {gas.coldest, gas.hottest};
  }
  const Range wider = rounded(gas, std::ldexp(1.0, std::ilogb(width) - 4), bounds);
  return {wider.coldest, wider.hottest};
}

PointDensity scene_density(const Tracer& tracer, const std::pair<double, double>& range) {
  const bool exchange = tracer.options().density == SpectralDensity::exchange;
  const double length = exchange ? exchange_length(tracer.grid()) : 0.0;
  Range all{range.first, range.second};
  const auto walls = range_of_walls(tracer);
  if (!walls) return {all.coldest, all.hottest, length};
  all.include(*walls);
  return {all.coldest, all.hottest, length, walls->coldest, walls->hottest};
}

}  // namespace ermine
