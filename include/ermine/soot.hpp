#pragma once

#include <ermine/spectral_table.hpp>

#include <vector>

namespace ermine {

/// Soot: particles much smaller than the wavelength, at the temperature of the gas. They absorb and
/// emit but do not scatter (Rayleigh limit of Mie's theory; M. F. Modest & S. Mazumder, Radiative
/// Heat Transfer, 4th ed., ch. 11):
///   k = constant * volume_fraction * wavenumber   [1/m], with the wavenumber in 1/m.
struct Soot {
  static constexpr double usual_constant = 7.0;

  /// Volume of soot in a volume of gas: one for the whole domain, or one per cell.
  std::vector<double> volume_fraction;
  double constant = usual_constant;
};

/// Constant of particles whose complex refractive index is n - i k at all wavelengths:
/// 36 pi n k / ((n^2 - k^2 + 2)^2 + 4 n^2 k^2).
double soot_constant(double n, double k);

/// Absorption coefficient of a volume fraction of 1 in a band [1/m]: the mean over the blackbody's
/// light in the band, so that the band emits what soot at this temperature [K] emits. The band may
/// have no end (infinity).
double soot_absorption(const Band& band, double kelvin, double constant = Soot::usual_constant);

/// Planck mean of a volume fraction of 1 over the whole spectrum [1/m]:
/// 360 zeta(5) / pi^4 * constant * kelvin / c2.
double soot_planck_mean(double kelvin, double constant = Soot::usual_constant);

/// The spectrum, from 0 without an end, as some bands of gases leave it: bands in which soot
/// absorbs alone. Up to 25000 1/cm they are 5 % of their wavenumber wide, 25 1/cm at least; what
/// lies beyond is one band.
std::vector<Band> soot_bands(const std::vector<Band>& gas_bands);

}  // namespace ermine
