#pragma once

#include <ermine/spectral_table.hpp>

#include <span>
#include <vector>

namespace ermine {

/// Blackbody intensities [W/(m2 sr)] of bands and, as one more part of the spectrum, of all
/// wavenumbers outside them, at temperatures [K]: value(part, temperature).
std::vector<double> band_intensities(std::span<const Band> bands, std::span<const double> kelvin,
                                     int threads);

/// Temperatures with so many intervals in each interval between them, of equal width.
std::vector<double> with_steps(std::span<const double> kelvin, std::size_t steps);

}  // namespace ermine
