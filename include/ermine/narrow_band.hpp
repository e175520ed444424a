#pragma once

#include <ermine/species.hpp>
#include <ermine/spectral_table.hpp>

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <vector>

namespace ermine {

/// Statistical narrow-band parameters of one species for the Malkmus model: in a band, a column
/// with partial pressure x p and length L transmits
///   tau = exp(-B (sqrt(1 + 2 kbar x p L / B) - 1)),   B = 2 gamma / delta.
/// They do not depend on pressure and composition, which enter through gamma alone.
struct NarrowBandParameters {
  Species species = Species::h2o;
  std::vector<Band> bands;          ///< in order; neighbours touch
  std::vector<double> temperature;  ///< [K], increasing
  std::vector<double>
      mean_absorption;  ///< kbar [1/(m Pa)]: band * temperatures + t; 0: transparent
  std::vector<double> inverse_spacing;  ///< 1/delta [cm], in the same order
  Manifest manifest;

  void check() const;
};

/// Reads the EM2C text tables (Riviere & Soufiani 2012; Perrin & Soufiani 2007): N rows of band
/// centre [1/cm] and kbar [1/(cm atm)] at 300, 400, ... K, then N rows of centre and 1/delta [cm].
NarrowBandParameters read_snb(const std::filesystem::path& file, Species species);
/// The same from a stream; `name` stands for the file in messages.
NarrowBandParameters read_snb(std::istream& in, const std::string& name, Species species);

/// One HDF5 file, described in docs/formats/table.md.
NarrowBandParameters read_narrow_band(const std::filesystem::path& file);
void write_narrow_band(const NarrowBandParameters& parameters, const std::filesystem::path& file);

/// The parameters that come with ermine, built from the EM2C tables: 250 to 2500 K (CH4: 2000 K).
const NarrowBandParameters& shipped_parameters(Species species);

/// Mean Lorentz half-width at half maximum gamma [1/cm] of a species' lines in a gas (the laws of
/// the EM2C parameters). Pressure in Pa.
double lorentz_half_width_cm1(Species species, double kelvin, double pressure,
                              const Composition& composition);

/// What a k-distribution is tabulated at.
struct KDistributionOptions {
  double band_width_cm1 = 0.0;  ///< 0: the bands of the data; else that many lumped, on multiples
  Quadrature quadrature = Quadrature::skewed(16);
  std::vector<double>
      temperature;  ///< [K]; empty: from the first to the last of the data, 1 % apart
};

/// The k-distribution of a species in a gas. Within a band, k is inverse-Gaussian with mean
/// kbar x p and shape B kbar x p.
SpectralTable k_distribution(const NarrowBandParameters& parameters, double pressure,
                             const Composition& composition,
                             const KDistributionOptions& options = {});

/// The same for any law of the half-width [1/cm] over temperature, per partial pressure
/// [1/(m Pa)], in the order of SpectralTable::absorption.
std::vector<float> k_distribution_rows(const NarrowBandParameters& parameters,
                                       const std::function<double(double kelvin)>& half_width_cm1,
                                       const KDistributionOptions& options);

}  // namespace ermine
