#pragma once

#include <ermine/species.hpp>
#include <ermine/spectral_table.hpp>

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
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
  /// kbar [1/(m Pa)]: band * temperatures + t; 0: transparent
  std::vector<double> mean_absorption;
  std::vector<double> inverse_spacing;  ///< 1/delta [cm], in the same order
  Manifest manifest;

  void check() const;
};

/// Reads the EM2C text tables (Riviere & Soufiani 2012; Perrin & Soufiani 2007): N rows of band
/// centre [1/cm] and kbar [1/(cm atm)] at 300, 400, ... K, then N rows of centre and 1/delta [cm].
/// kbar below 1e-19 1/(cm atm) is transparent. Of the manifest only the citation is filled.
NarrowBandParameters read_snb(const std::filesystem::path& file, Species species);
/// The same from a stream; `name` stands for the file in messages.
NarrowBandParameters read_snb(std::istream& in, const std::string& name, Species species);

/// The parameters with one more temperature [K] below the others: ln kbar and ln 1/delta linear in
/// 1/T through the two lowest. A band that is transparent at one of these is transparent there too.
NarrowBandParameters extended_down(const NarrowBandParameters& parameters, double kelvin);

/// One HDF5 file, described in docs/formats/table.md.
NarrowBandParameters read_narrow_band(const std::filesystem::path& file);
void write_narrow_band(const NarrowBandParameters& parameters, const std::filesystem::path& file);

/// The parameters that come with ermine, built from the EM2C tables: 250 to 5000 K (CH4: 2000 K).
const NarrowBandParameters& shipped_parameters(Species species);

/// Mean Lorentz half-width at half maximum gamma [1/cm] of a species' lines in a gas (the laws of
/// the EM2C parameters). Pressure in Pa.
double lorentz_half_width_cm1(Species species, double kelvin, double pressure,
                              const Composition& composition);

/// Share of the emissivity of a species that narrow bands miss at a pressure [Pa], about: the wings
/// of lines that collisions make wide lie in the bands next to theirs, where the model does not
/// have them (docs/theory/spectra.md). Above 50 atm as much as there, at least. 0: nothing that is
/// known of, though it has been looked for up to 50 atm in H2O and CO, and not in CH4.
double missing_emissivity(Species species, double pressure);
/// In words, where it is more than 5 %.
std::optional<std::string> pressure_warning(Species species, double pressure);

/// What a k-distribution is tabulated at.
struct KDistributionOptions {
  /// 0: the bands of the data. Else a multiple of their width: those whose centres share
  /// floor(centre / band_width_cm1) become one band. It has the same edges for all species; what
  /// the data do not cover of it is transparent.
  double band_width_cm1 = 0.0;
  Quadrature quadrature = Quadrature::skewed(16);
  /// [K]; empty: from the first to the last of the data, 1 % apart
  std::vector<double> temperature = {};
};

/// The bands of such a k-distribution.
std::vector<Band> k_distribution_bands(const NarrowBandParameters& parameters,
                                       const KDistributionOptions& options);

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
