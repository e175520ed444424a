#pragma once

#include <ermine/spectra.hpp>

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace ermine::cli {

/// The gas whose properties are asked for, as the command line names it.
struct GasOptions {
  std::vector<std::string> gases;  ///< "H2O", or "H2O=0.2" with its mole fraction
  std::string table;               ///< a file instead
  double pressure = 101325.0;      ///< [Pa]
  double mole_fraction = 1.0;
  bool conditions_given = false;  ///< --pressure or --mole-fraction are on the command line
};

/// Adds --gas, --table, --pressure and --mole-fraction.
void add_gas_options(CLI::App& verb, GasOptions& options);
/// Adds --temperature and --length, each with one value or more.
void add_temperature(CLI::App& verb, std::vector<double>& kelvin);
void add_length(CLI::App& verb, std::vector<double>& length);

/// A gas or mixture, from the data that come with ermine or from a table.
class GasSource {
 public:
  explicit GasSource(const GasOptions& options);

  /// Temperatures [K] that all of its gases cover.
  double coldest() const { return coldest_; }
  double hottest() const { return hottest_; }
  double pressure() const { return pressure_; }
  std::string title() const;  ///< "H2O = 0.2, CO2 = 0.1 in N2 at 101325 Pa"
  /// The one gas of the source, for what makes no sense of a mixture. Throws Error.
  double single_mole_fraction(const std::string& purpose) const;

  /// A table for each gas. Those from narrow-band parameters are made for these temperatures, so
  /// that nothing is interpolated.
  const std::vector<SpectralTable>& tables(std::vector<double> kelvin);
  bool is_mixture() const { return gas_.size() > 1; }
  const SpectralTable& single_table(const std::string& purpose, const std::vector<double>& kelvin);

 private:
  void add_parameters(const NarrowBandParameters& parameters, double mole_fraction);
  void add_named(const std::string& word, const GasOptions& options);
  void add_file(const GasOptions& options);

  std::vector<std::string> gas_;
  std::vector<double> mole_fraction_;
  std::vector<NarrowBandParameters> parameters_;  ///< one per gas; empty: tables_ are from a file
  Composition composition_;
  double pressure_ = 0.0;
  double coldest_ = 0.0;
  double hottest_ = 1e9;
  std::vector<SpectralTable> tables_;
};

}  // namespace ermine::cli
