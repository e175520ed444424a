#pragma once

#include "core/thread_count.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace ermine {

/// Ratio of neighbouring broadening nodes, square roots of half-widths that are 30 % apart. Between
/// them k is linear; the error is measured in docs/decisions/0006-mixtures.md.
inline constexpr double broadening_step = 1.14;

/// Broadenings at which to tabulate k so that all cells are covered at every temperature.
/// `broadening(cell, kelvin)`.
template <class Broadening>
std::vector<double> broadening_nodes(std::size_t cells, const std::vector<double>& temperature,
                                     Broadening&& broadening) {
  double low = 1e300;
  double high = 0.0;
  // Smooth in temperature, with its extremes at the ends or, for CO, between them.
  const std::size_t stride = std::max<std::size_t>(1, temperature.size() / 16);
  for (std::size_t t = 0;; t = std::min(t + stride, temperature.size() - 1)) {
#pragma omp parallel for reduction(min : low) reduction(max : high) num_threads(thread_count(0))
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const double value = broadening(cell, temperature[t]);
      low = std::min(low, value);
      high = std::max(high, value);
    }
    if (t + 1 == temperature.size()) break;
  }
  if (high - low <= 1e-9 * high) return {high};  // composition makes no difference
  // A margin for extremes between the temperatures looked at.
  low *= 0.999;
  high *= 1.001;
  const int steps =
      std::max(1, static_cast<int>(std::ceil(std::log(high / low) / std::log(broadening_step))));
  std::vector<double> nodes;
  for (int i = 0; i <= steps; ++i) nodes.push_back(low * std::pow(high / low, i * 1.0 / steps));
  return nodes;
}

/// Rows made layer by layer (row, temperature), put together as (row, layer, temperature).
template <class MakeLayer>
std::vector<float> interleaved_rows(std::size_t layers, std::size_t temperatures,
                                    MakeLayer&& make_layer) {
  std::vector<float> all;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const std::vector<float> rows = make_layer(layer);
    all.resize(rows.size() * layers);
    for (std::size_t row = 0; row * temperatures < rows.size(); ++row) {
      std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(row * temperatures), temperatures,
                  all.begin() + static_cast<std::ptrdiff_t>((row * layers + layer) * temperatures));
    }
  }
  return all;
}

}  // namespace ermine
