#pragma once

#include "core/constants.hpp"

namespace ermine {

// Exact in the SI of 2019.
inline constexpr double planck_constant = 6.62607015e-34;   ///< [J s]
inline constexpr double boltzmann_constant = 1.380649e-23;  ///< [J/K]
inline constexpr double light_speed = 299792458.0;          ///< [m/s]

/// Radiation constants, for wavenumbers in 1/m: 2 pi h c^2 [W m2] and h c / k_B [m K].
inline constexpr double first_radiation_constant =
    2.0 * constants::pi * planck_constant * light_speed * light_speed;
inline constexpr double second_radiation_constant =
    planck_constant * light_speed / boltzmann_constant;

}  // namespace ermine
