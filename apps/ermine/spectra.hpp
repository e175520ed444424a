#pragma once

#include <ermine/spectra.hpp>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>
#include <vector>

/// What the subcommands of `ermine spectra` share.
namespace ermine::cli {

void add_spectra_from_snb(CLI::App& spectra);
void add_spectra_from_lines(CLI::App& spectra);
void add_spectra_info(CLI::App& spectra);
void add_spectra_planck_mean(CLI::App& spectra);
void add_spectra_emissivity(CLI::App& spectra);
void add_spectra_plot(CLI::App& spectra);

/// Options that say how a k-distribution is made.
struct TableOptions {
  double pressure = 101325.0;  ///< [Pa]
  double mole_fraction = 1.0;
  double band_width_cm1 = 0.0;
  std::string quadrature;  ///< skewed or legendre
  int points = 16;
  std::string temperatures;  ///< FROM:TO:STEP; empty: not given

  Quadrature rule() const;
};

void add_pressure(CLI::App& verb, double& pressure);
void add_mole_fraction(CLI::App& verb, double& mole_fraction);
/// Adds --pressure, --mole-fraction, --band-width, --quadrature, --points and --temperatures.
void add_table_options(CLI::App& verb, TableOptions& options);

/// "300:1500:10" [K]: both ends included, whole steps between them. Throws Error.
std::vector<double> parse_temperatures(const std::string& text);
/// Refuses what parse_temperatures refuses, as a wrong command line.
CLI::Validator temperature_range();
/// A number with `low` < value <= `high`; `advice` says what to give.
CLI::Validator number_within(double low, double high, const std::string& advice);

/// 300, 500, 1000, 1500, 2000 and 2500 K as far as the range of these covers them; if none, its
/// ends.
std::vector<double> usual_temperatures(const std::vector<double>& range);

/// The species of --gas. Throws Error.
Species parse_species(const std::string& name);

/// A file as a manifest lists it: its name without folder, and its checksum.
Manifest::Input input_of(const std::filesystem::path& file);
std::string this_tool();

/// Throws Error if the file could not be written later, before any work is done.
void check_output(const std::filesystem::path& file);

/// One line: kind, gas, bands, points, temperatures, conditions.
std::string summary(const SpectralTable& table);
std::string summary(const NarrowBandParameters& parameters);

}  // namespace ermine::cli
