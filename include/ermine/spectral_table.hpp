#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace ermine {

/// An interval of wavenumbers [1/cm].
struct Band {
  double low_cm1 = 0.0;
  double high_cm1 = 0.0;

  double width_cm1() const { return high_cm1 - low_cm1; }
  bool operator==(const Band&) const = default;
};

/// Points and weights for averages over g in (0, 1), the fraction of a band with a smaller k.
struct Quadrature {
  std::vector<double> node;    ///< increasing
  std::vector<double> weight;  ///< they add up to 1

  std::size_t size() const { return node.size(); }
  bool operator==(const Quadrature&) const = default;

  static Quadrature gauss_legendre(int points);
  /// Gauss-Legendre in u with 1 - g = (1 - u)^3: more points where k is large. The mean of k in
  /// a narrow band, which Gauss-Legendre in g misses by per cents, comes out to 3e-4 with 16 points
  /// and the transmissivity to 5e-4.
  static Quadrature skewed(int points);
  /// Equal parts, each with its middle: the wavenumbers of a line-by-line band.
  static Quadrature equal_parts(int points);
};

/// What a table was made of and how.
struct Manifest {
  struct Input {
    std::string name;
    std::string checksum;  ///< SHA-256 of the file, in hexadecimal digits
  };
  std::vector<Input> inputs;
  std::string tool;      ///< "ermine 0.1.0"
  std::string options;   ///< what was asked for: bands, cut-off, extrapolation, ...
  std::string citation;  ///< of the data; cite it when you use the table
};

enum class TableKind {
  k_distribution,  ///< points of a band are ordered by k, at every temperature
  line_by_line     ///< points of a band are its wavenumbers, in order
};

/// Absorption coefficients of a gas at one pressure and composition: bands of the spectrum, a few
/// points in each, and for each point a row over temperature. Every band has the same points.
struct SpectralTable {
  TableKind kind = TableKind::k_distribution;
  std::string gas;             ///< "H2O"
  double pressure = 0.0;       ///< [Pa]
  double mole_fraction = 1.0;  ///< of the gas; the rest is a transparent gas that broadens lines
  std::vector<Band> bands;     ///< in order, not overlapping
  Quadrature quadrature;
  std::vector<double> temperature;  ///< [K], increasing
  std::vector<float> absorption;    ///< k [1/m]: ((band * points) + point) * temperatures + t
  Manifest manifest;

  std::size_t point_count() const { return bands.size() * quadrature.size(); }
  std::span<const float> row(std::size_t band, std::size_t point) const {
    return std::span(absorption)
        .subspan((band * quadrature.size() + point) * temperature.size(), temperature.size());
  }
  /// k [1/m], linear between the temperatures of the table; outside them an error.
  double absorption_at(std::size_t band, std::size_t point, double kelvin) const;

  /// Throws Error if sizes do not fit, anything is negative or not finite, or bands, temperatures,
  /// or the points of a k-distribution are not in order.
  void check() const;
};

/// One HDF5 file, described in docs/formats/table.md. Reading checks all of it.
SpectralTable read_table(const std::filesystem::path& file);
void write_table(const SpectralTable& table, const std::filesystem::path& file);

}  // namespace ermine
