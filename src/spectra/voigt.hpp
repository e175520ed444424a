#pragma once

#include <span>

namespace ermine {

/// Half-widths at half maximum of a line [1/cm]: of collisions (Lorentz) and of thermal motion
/// (Doppler, positive).
struct HalfWidths {
  double lorentz_cm1 = 0.0;
  double doppler_cm1 = 0.0;
};

/// Voigt profile [cm]: the convolution of a Lorentz and a Doppler profile, of area 1, at a distance
/// from the centre [1/cm]. By libcerf, to rounding.
double voigt_profile(double distance_cm1, const HalfWidths& width);

/// Half-width at half maximum of the Voigt profile [1/cm], to 0.02 %: J. J. Olivero and
/// R. L. Longbothum, JQSRT 17 (1977) 233.
double voigt_half_width_cm1(const HalfWidths& width);

/// Adds `factor` times the profile at wavenumbers of equal steps, the first one at the given
/// distance from the centre. Relative error below 1e-6, except where a line without collisions
/// (Lorentz width below 1e-18 of Doppler width) has fallen below 1e-28 of its peak.
void add_voigt(double factor, const HalfWidths& width, double first_distance_cm1, double step_cm1,
               std::span<double> sum);

}  // namespace ermine
