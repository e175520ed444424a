#pragma once

#include <ermine/gas_medium.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace ermine {

/// Grey gas: one spectral point with I(T) = sigma T^4 / pi and an absorption coefficient [1/m] that
/// does not depend on temperature: one value for the whole domain, or one per cell.
class GreyMedium {
 public:
  explicit GreyMedium(double absorption_coefficient);
  explicit GreyMedium(std::vector<double> absorption_coefficient);

  std::span<const double> absorption_coefficient() const { return absorption_coefficient_; }
  double absorption_coefficient(std::size_t cell) const {
    return absorption_coefficient_[uniform() ? 0 : cell];
  }
  bool uniform() const { return absorption_coefficient_.size() == 1; }

 private:
  std::vector<double> absorption_coefficient_;
};

/// Equally spaced temperatures [K] at which the rows of a SpectralList are given.
struct TemperatureNodes {
  double first = 0.0;
  double step = 1.0;
  std::size_t count = 0;

  double last() const { return first + step * static_cast<double>(count - 1); }
};

/// Any non-grey gas: a list of spectral points, each with two rows over temperature,
/// the absorption coefficient k_s(T) [1/m] and the blackbody intensity I_s(T) [W/(m2 sr)] already
/// multiplied by the point's spectral width and quadrature weight. Between nodes both follow smooth
/// curves: cubics through the logarithms, or straight lines beside a value of zero.
/// Narrow-band correlated-k, line-by-line and weighted-sum-of-grey-gases media are such lists.
class SpectralList {
 public:
  /// Rows are stored point after point: value(point, node) = rows[point * nodes.count + node].
  SpectralList(TemperatureNodes nodes, std::vector<double> absorption_coefficient,
               std::vector<double> blackbody_intensity);

  const TemperatureNodes& nodes() const { return nodes_; }
  std::size_t point_count() const { return absorption_coefficient_.size() / nodes_.count; }
  std::span<const double> absorption_coefficient(std::size_t point) const;
  std::span<const double> blackbody_intensity(std::size_t point) const;

 private:
  TemperatureNodes nodes_;
  std::vector<double> absorption_coefficient_;
  std::vector<double> blackbody_intensity_;
};

using Medium = std::variant<GreyMedium, SpectralList, GasMedium>;

/// The same medium with particles in it that absorb so much [1/m] at all wavelengths and have its
/// temperature: one value for the whole domain, or one per cell. Those that a gas has already are
/// replaced. A SpectralList takes one value only.
Medium with_particles(const Medium& medium, const std::vector<double>& absorption);

/// One line for people: "H2O and CO2, 455 bands x 16 points, 250 to 5000 K, 17 MB".
std::string describe(const Medium& medium);

/// GasMedium::warnings(); none of others.
std::vector<std::string> warnings(const Medium& medium);

}  // namespace ermine
