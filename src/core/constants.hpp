#pragma once

namespace ermine::constants {

inline constexpr double pi = 3.14159265358979323846;

/// Stefan-Boltzmann constant [W/(m2 K4)], exact in the SI of 2019 (CODATA 2018).
inline constexpr double stefan_boltzmann = 5.670374419e-8;

}  // namespace ermine::constants
