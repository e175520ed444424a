#include "medium/scene_temperatures.hpp"

#include "spectra/default_temperatures.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

constexpr double fewest_intervals = 64;
constexpr double widest_rounding = 1.125;  ///< of the range of a field by scene_range()
constexpr double closest = 2e-4;           ///< in ln T
/// Of the hottest temperature: walls below emit next to nothing, gas of 0 K has no ln T.
constexpr double coldest_wall = 0.05;
constexpr double coldest_gas = 0.01;

int intervals_of(double low, double high, double spacing) {
  return static_cast<int>(std::ceil(std::log(high / low) / spacing * (1 - 1e-9)));
}

/// From low to high, which does not become a node, equally spaced in ln T.
void append(std::vector<double>& kelvin, double low, double high, int intervals) {
  const double spacing = std::log(high / low) / intervals;
  for (int i = 0; i < intervals; ++i) kelvin.push_back(low * std::exp(spacing * i));
}

/// From low to high, both of which are nodes, and as far beyond as emission is differentiated and
/// the table reaches, with the same spacing. Below low only if there is nothing yet. What is
/// closer than nodes may be is one.
void append_gas(std::vector<double>& kelvin, double low, double high, double spacing,
                std::span<const double> table) {
  if (std::log(high / low) < closest / 2) high = low;
  const int intervals = intervals_of(low, high, spacing);
  if (intervals > 0) spacing = std::log(high / low) / intervals;
  const int beyond = static_cast<int>(std::ceil(scene_margin / spacing));
  constexpr double apart = 1 + 1e-9;
  for (int i = kelvin.empty() ? beyond : 0; i > 0; --i) {
    const double node = std::max(low * std::exp(-spacing * i), table.front());
    if (!kelvin.empty() && node < kelvin.back() * apart) continue;
    if (node * apart < low) kelvin.push_back(node);
  }
  append(kelvin, low, high, intervals);
  kelvin.push_back(high);
  for (int i = 1; i <= beyond; ++i) {
    const double node = std::min(high * std::exp(spacing * i), table.back());
    if (node > kelvin.back() * apart) kelvin.push_back(node);
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
  const auto spacing_of = [&](double intervals) {
    return std::clamp(std::log(hottest / coldest_emitter) / intervals, closest,
                      std::log(temperature_ratio));
  };
  const double low = std::max({coldest, known, coldest_gas * hottest});
  // Ratios of tables are rounded.
  if (!(hottest > 0) ||
      widest_interval(table, low, hottest) <= 1.02 * spacing_of(fewest_intervals)) {
    return {};
  }
  const double spacing = spacing_of(widest_rounding * fewest_intervals);

  SceneTemperatures nodes;
  if (coldest < coldest_emitter && coldest < low) nodes.kelvin.push_back(coldest);
  if (coldest < known) {
    if (coldest_emitter < known) {
      append(nodes.kelvin, coldest_emitter, known, intervals_of(coldest_emitter, known, spacing));
    }
    nodes.first_gas_node = nodes.kelvin.size();
    if (known < low) nodes.kelvin.push_back(known);
  }
  append_gas(nodes.kelvin, low, hottest, spacing, table);
  return nodes;
}

}  // namespace ermine
