#pragma once

#include <ermine/narrow_band.hpp>

#include <span>
#include <vector>

namespace ermine {

/// Narrow-band parameters of one band over temperature.
struct BandParameters {
  std::vector<double> mean_absorption;  ///< kbar [1/(m Pa)]
  std::vector<double> inverse_spacing;  ///< 1/delta [cm]
};

/// At temperatures [K] within those of the parameters: ln kbar and ln 1/delta as monotone cubics.
/// Next to a transparent node, where ln kbar has no meaning, kbar is linear instead and 1/delta
/// that of the other node: what the data give for 1/delta at transparent nodes fills a blank.
BandParameters interpolate(const NarrowBandParameters& parameters, std::size_t band,
                           std::span<const double> temperature);

}  // namespace ermine
