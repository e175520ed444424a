#pragma once

#include <ermine/medium.hpp>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "medium/medium_view.hpp"
#include "medium/point_density.hpp"

#include <algorithm>
#include <vector>

namespace ermine {

/// Blackbody intensity integrated over the spectrum, sigma T^4 / pi [W/(m2 sr)].
inline double total_blackbody(double temperature) {
  const double square = temperature * temperature;
  return constants::stefan_boltzmann / constants::pi * square * square;
}

/// What p_s, the chance of spectral point s, is built from (one entry per point).
struct PointStrength {
  double absorption;  ///< k_s(Tmax) [1/m]
  double intensity;   ///< I_s(Tmax) [W/(m2 sr)]
};

/// Owns the arrays behind a GreyView and maps temperatures to its coordinate.
template <class Real>
class GreyStorage {
 public:
  explicit GreyStorage(const GreyMedium& medium)
      : absorption_(medium.absorption_coefficient().begin(),
                    medium.absorption_coefficient().end()) {}

  GreyView<Real> view() const { return {absorption_.data(), absorption_.size() == 1 ? 0 : 1}; }
  double coordinate(double temperature) const { return total_blackbody(temperature); }
  double wall_coordinate(double temperature) const { return coordinate(temperature); }

  std::vector<PointStrength> strengths(const PointDensity& density) const {
    const Real strongest = *std::max_element(absorption_.begin(), absorption_.end());
    return {{static_cast<double>(strongest), total_blackbody(density.hottest)}};
  }

  /// Power emitted per volume [W/m3]: 4 pi k I.
  double emission(CellId cell, double coordinate) const {
    const GasState<Real> gas = view().at(PointId{0}, cell, static_cast<Real>(coordinate));
    return 4 * constants::pi * static_cast<double>(gas.absorption) *
           static_cast<double>(gas.intensity);
  }

 private:
  std::vector<Real> absorption_;
};

/// Owns the rows behind a SpectralListView.
template <class Real>
class SpectralListStorage {
 public:
  explicit SpectralListStorage(const SpectralList& list) : nodes_(list.nodes()) {
    rows_.reserve(list.point_count() * nodes_.count);
    for (std::size_t point = 0; point < list.point_count(); ++point) {
      for (std::size_t node = 0; node < nodes_.count; ++node) {
        rows_.push_back({static_cast<Real>(list.absorption_coefficient(point)[node]),
                         static_cast<Real>(list.blackbody_intensity(point)[node])});
      }
    }
    tabulate_emission();
  }

  SpectralListView<Real> view() const { return {rows_.data(), static_cast<int>(nodes_.count)}; }

  double coordinate(double temperature) const {
    ERMINE_REQUIRE(temperature >= nodes_.first && temperature <= nodes_.last(),
                   "temperature {} K is outside the spectral table ({} to {} K), use a table that "
                   "covers it",
                   temperature, nodes_.first, nodes_.last());
    return (temperature - nodes_.first) / nodes_.step;
  }
  double wall_coordinate(double temperature) const { return coordinate(temperature); }

  std::vector<PointStrength> strengths(const PointDensity& density) const {
    std::vector<PointStrength> strengths;
    const Real hot = static_cast<Real>(coordinate(density.hottest));
    const Real cold = static_cast<Real>(coordinate(density.coldest));
    for (std::size_t point = 0; point < rows_.size() / nodes_.count; ++point) {
      const PointId id{static_cast<int>(point)};
      const GasState<Real> hottest = view().at(id, CellId{0}, hot);
      if (density.emission()) {
        strengths.push_back({or_largest(hottest.absorption, point, &GasState<Real>::absorption),
                             or_largest(hottest.intensity, point, &GasState<Real>::intensity)});
        continue;
      }
      // Rows of a list are anybody's: the largest k and I anywhere, in place of those in between.
      const double k = or_largest(0, point, &GasState<Real>::absorption);
      const double difference = static_cast<double>(hottest.intensity) -
                                static_cast<double>(view().at(id, CellId{0}, cold).intensity);
      const double floor = 1e-3 * or_largest(0, point, &GasState<Real>::intensity);
      strengths.push_back({k / (1 + k * density.length), std::max(difference, floor)});
    }
    return strengths;
  }

  /// Power emitted per volume [W/m3]: 4 pi sum_s k_s I_s, exact for rows linear between nodes.
  double emission(CellId, double coordinate) const {
    const auto node = std::min(static_cast<std::size_t>(coordinate), nodes_.count - 2);
    const double fraction = coordinate - static_cast<double>(node);
    const EmissionTerm& term = emission_[node];
    return term.constant + fraction * (term.linear + fraction * term.quadratic);
  }

 private:
  struct EmissionTerm {
    double constant = 0, linear = 0, quadratic = 0;
  };

  /// A point that is dark at Tmax may shine elsewhere and must keep a chance of being drawn.
  double or_largest(Real value, std::size_t point, Real GasState<Real>::*member) const {
    if (value > 0) return static_cast<double>(value);
    for (std::size_t node = 0; node < nodes_.count; ++node) {
      value = std::max(value, rows_[point * nodes_.count + node].*member);
    }
    return static_cast<double>(value);
  }

  void tabulate_emission() {
    emission_.resize(nodes_.count - 1);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::size_t node = i % nodes_.count;
      if (node + 1 == nodes_.count) continue;
      const double k = static_cast<double>(rows_[i].absorption);
      const double intensity = static_cast<double>(rows_[i].intensity);
      const double dk = static_cast<double>(rows_[i + 1].absorption) - k;
      const double di = static_cast<double>(rows_[i + 1].intensity) - intensity;
      emission_[node].constant += 4 * constants::pi * k * intensity;
      emission_[node].linear += 4 * constants::pi * (k * di + dk * intensity);
      emission_[node].quadratic += 4 * constants::pi * dk * di;
    }
  }

  TemperatureNodes nodes_;
  std::vector<GasState<Real>> rows_;
  std::vector<EmissionTerm> emission_;
};

}  // namespace ermine
