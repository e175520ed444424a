#pragma once

#include <ermine/spectral_table.hpp>

namespace ermine {

/// Blackbody intensity within a band at a temperature [K], integrated over wavenumber
/// [W/(m2 sr)]; relative error below 1e-10.
double planck_intensity(const Band& band, double kelvin);

/// Share of the blackbody's power at wavenumbers below the given one [1/cm], from 0 to 1.
double planck_fraction_below(double wavenumber_cm1, double kelvin);

}  // namespace ermine
