#include "medium/scene_temperatures.hpp"

#include "spectra/default_temperatures.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

constexpr double fewest_intervals = 64;
constexpr double closest = 2e-4;  ///< in ln T
/// Of the hottest temperature: walls below emit next to nothing, gas of 0 K has no ln T.
constexpr double coldest_wall = 0.05;
constexpr double coldest_gas = 0.01;

/// From low to high, which is the last, equally spaced in ln T, at most so far apart.
void append(std::vector<double>& kelvin, double low, double high, double spacing) {
  const double whole = std::log(high / low);
  const double intervals = std::max(1.0, std::ceil(whole / spacing * (1 - 1e-9)));
  for (int i = 0; i < static_cast<int>(intervals); ++i) {
    kelvin.push_back(low * std::exp(whole * i / intervals));
  }
}

/// Widest interval of the table between low and high, in ln T.
double widest_interval(std::span<const double> table, double low, double high) {
  double widest = 0.0;
  for (std::size_t t = 0; t + 1 < table.size(); ++t) {
    if (!(table[t + 1] > low) || table[t] > high) continue;
    widest = std::max(widest, std::log(table[t + 1] / std::max(table[t], low)));
  }
  return widest;
}

}  // namespace

SceneTemperatures scene_temperatures(std::span<const double> table, const PointDensity& density) {
  const double known = table.front();
  const double hottest = std::clamp(density.hottest, known, table.back());
  const double coldest = std::min(density.coldest, hottest);
  const double coldest_emitter = std::max(coldest, coldest_wall * hottest);
  const double spacing = std::clamp(std::log(hottest / coldest_emitter) / fewest_intervals, closest,
                                    std::log(temperature_ratio));
  const double low = std::max({coldest, known, coldest_gas * hottest});
  // Ratios of tables are rounded.
  if (!(hottest > 0) || widest_interval(table, low, hottest) <= 1.02 * spacing) return {};

  SceneTemperatures nodes;
  if (coldest < low) nodes.kelvin.push_back(coldest);
  if (coldest < known && coldest_emitter < known) {
    if (coldest_emitter == coldest) nodes.kelvin.clear();
    append(nodes.kelvin, coldest_emitter, known, spacing);
  }
  if (coldest < known) nodes.first_gas_node = nodes.kelvin.size();
  if (coldest < known && known < low) nodes.kelvin.push_back(known);
  const double begin = coldest < low ? low : std::max(low * (1 - scene_margin), known);
  const double end = std::min(hottest * (1 + scene_margin), table.back());
  append(nodes.kelvin, begin, end, spacing);
  nodes.kelvin.push_back(end);
  return nodes;
}

}  // namespace ermine
