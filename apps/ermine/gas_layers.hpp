#pragma once

#include <ermine/species.hpp>

#include <span>

namespace ermine::cli {

/// A homogeneous layer of gas: species that absorb, and nitrogen.
struct GasLayer {
  double length;       ///< [m]
  double temperature;  ///< [K]
  Composition composition;
};

/// Heat flux [W/m2] that leaves layers of infinite planes side by side through the cold black wall
/// behind the last, with a cold black wall before the first. Exact for narrow-band k-distributions:
/// E3 of every combination of points, since lines of different species overlap at random; equal
/// points of different layers are taken for the same wavenumbers.
double flux_behind_layers(std::span<const GasLayer> layers, double pressure);

}  // namespace ermine::cli
