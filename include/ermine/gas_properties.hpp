#pragma once

#include <ermine/spectral_table.hpp>

#include <span>

namespace ermine {

/// Planck-mean absorption coefficient [1/m] of the gas of a table at its pressure.
double planck_mean(const SpectralTable& table, double kelvin);

/// Transmissivity of a homogeneous column [m] of the gas, averaged over a band.
double transmissivity(const SpectralTable& table, std::size_t band, double kelvin, double length);

/// Total emissivity of a homogeneous column [m] of a gas, or of a mixture: one table per species,
/// all at the same pressure. Their bands must have the same edges or lie apart; a species is
/// transparent where its table has no band. Lines of different species overlap at random.
double emissivity(const SpectralTable& table, double kelvin, double length);
double emissivity(std::span<const SpectralTable> mixture, double kelvin, double length);

}  // namespace ermine
