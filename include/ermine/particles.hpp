#pragma once

#include <ermine/medium.hpp>
#include <ermine/scattering.hpp>

#include <string>
#include <vector>

namespace ermine {

/// A class of particles in the gas, at its temperature: droplets, coal, ash, mist. They absorb and
/// scatter at all wavelengths alike; each coefficient is one value for the whole domain, or one per
/// cell.
struct Particles {
  std::string name;
  std::vector<double> absorption{0.0};  ///< [1/m]
  std::vector<double> scattering{0.0};  ///< [1/m]
  double asymmetry = 0.0;               ///< see Scattering

  /// Spheres, so many in a unit of volume [1/m3] and of such a diameter [m]: each takes out of the
  /// light what falls on `efficiency` times its cross-section. One value, or one per cell.
  static std::vector<double> coefficient(const std::vector<double>& number_density,
                                         const std::vector<double>& diameter, double efficiency);
};

/// The medium with all that the particles absorb, in place of what others absorbed in it before.
Medium with_particles(const Medium& medium, const std::vector<Particles>& particles);
/// One line for people: "droplets, absorption 0.1 1/m, scattering 2 to 5 1/m, asymmetry 0.8".
std::string describe(const Particles& particles);
/// Those of them that scatter.
std::vector<Scattering> scattering_of(const std::vector<Particles>& particles);

}  // namespace ermine
