#pragma once

#include <ermine/spectral_table.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace ermine {

/// One transition, from a 160-column HITRAN record.
struct SpectralLine {
  int molecule = 0;               ///< HITRAN number: 1 H2O, 2 CO2, 5 CO, 6 CH4, ...
  int isotopologue = 0;           ///< HITRAN number within the molecule, from 1
  double wavenumber_cm1 = 0.0;    ///< in vacuum
  double strength = 0.0;          ///< at 296 K, natural abundance [cm/molecule]
  double air_half_width = 0.0;    ///< at 296 K [1/(cm atm)]
  double self_half_width = 0.0;   ///< at 296 K [1/(cm atm)]
  double lower_energy_cm1 = 0.0;  ///< [1/cm]
  double width_exponent = 0.0;    ///< n_air: half-widths fall as (296 K / T)^n
  double air_shift = 0.0;         ///< at 296 K [1/(cm atm)]
};

/// Reads HITRAN records one at a time and hands each to `use`. Throws Error with file and line.
void read_lines(const std::filesystem::path& file,
                const std::function<void(const SpectralLine&)>& use);
void read_lines(std::istream& in, const std::string& name,
                const std::function<void(const SpectralLine&)>& use);

/// Total internal partition sums of the isotopologues of one molecule over temperature.
class PartitionSums {
 public:
  /// CSV: a comment "# ...; T[K],161,181,..." that names the isotopologues in HITRAN order, then
  /// rows of temperature and one sum for each.
  static PartitionSums read(const std::filesystem::path& file);
  static PartitionSums read(std::istream& in, const std::string& name);

  std::size_t isotopologues() const { return codes_.size(); }
  /// Name of an isotopologue, numbered from 1 as in HITRAN: "161".
  const std::string& code(int isotopologue) const;
  double first() const { return temperature_.front(); }
  double last() const { return temperature_.back(); }
  /// Q(T); cubic between the temperatures of the file. Throws outside them.
  double operator()(int isotopologue, double kelvin) const;

 private:
  std::string name_;
  std::vector<std::string> codes_;
  std::vector<double> temperature_;
  std::vector<std::vector<double>> sum_;
};

/// Conditions and resolution of a line-by-line spectrum.
struct LineByLineOptions {
  double pressure = 101325.0;  ///< [Pa]
  double mole_fraction = 1.0;  ///< of the absorbing gas; the rest broadens like air
  double from_cm1 = 0.0;
  double to_cm1 = 0.0;
  double step_cm1 = 0.01;
  double cutoff_cm1 = 25.0;  ///< a line is dropped farther from its centre than this
  int threads = 0;           ///< 0: all that the machine offers
};

/// Called a few times a second with the share done, from 0 to 1.
using ShareCallback = std::function<void(double)>;

/// Absorption coefficient [1/m] at the middle of every step from from_cm1 to to_cm1, at one
/// temperature: sum over lines of strength times Voigt profile.
std::vector<double> line_by_line_spectrum(const std::vector<SpectralLine>& lines,
                                          const PartitionSums& partition_sums, double kelvin,
                                          const LineByLineOptions& options,
                                          const ShareCallback& progress = {});

/// A third of the half-width at half maximum [1/cm] of the narrowest lines at a temperature.
/// Spectra with coarser steps misjudge peaks. The narrowest lines that together carry a hundredth
/// of the strength in the range do not count.
double coarsest_step_cm1(const std::vector<SpectralLine>& lines,
                         const PartitionSums& partition_sums, double kelvin,
                         const LineByLineOptions& options);

/// Line-by-line table of a gas: bands of 1 1/cm, the wavenumbers of each as its points. The range
/// must begin and end at whole numbers, and whole steps must fill a band.
/// Needs 4 bytes per wavenumber and temperature. `gas` and the manifest are the caller's to fill.
SpectralTable line_by_line_table(const std::vector<SpectralLine>& lines,
                                 const PartitionSums& partition_sums,
                                 const std::vector<double>& temperature,
                                 const LineByLineOptions& options,
                                 const ShareCallback& progress = {});

/// The k-distribution of a line-by-line table, the paper's route: in each band of the given width
/// (whole bands of the table; the last may be narrower) the absorption coefficients are sorted, at
/// each temperature for itself, cumulated to g, and read at the points of the quadrature. Equal g
/// at different temperatures is taken for the same wavenumbers (correlation).
SpectralTable k_distribution(const SpectralTable& line_by_line, double band_width_cm1,
                             const Quadrature& quadrature);

/// Largest and root-mean-square difference of the band-averaged transmissivity between a
/// k-distribution and the line-by-line table it was made from, over all bands.
struct TransmissivityError {
  double kelvin = 0.0;
  double length = 0.0;  ///< [m]
  double largest = 0.0;
  double root_mean_square = 0.0;
};
TransmissivityError transmissivity_error(const SpectralTable& k_distribution,
                                         const SpectralTable& line_by_line, double kelvin,
                                         double length);

}  // namespace ermine
