#pragma once

#include <ermine/medium.hpp>

#include "backend/in_place.hpp"
#include "core/constants.hpp"
#include "geometry/levels.hpp"
#include "medium/medium_view.hpp"
#include "medium/point_density.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace ermine {

/// Blackbody intensity integrated over the spectrum, sigma T^4 / pi [W/(m2 sr)].
inline double total_blackbody(double temperature) {
  const double square = temperature * temperature;
  return constants::stefan_boltzmann / constants::pi * square * square;
}

/// Owns the arrays behind a GreyView and maps temperatures to its coordinate. Coarse cells have the
/// mean absorption coefficient.
template <class Real>
class GreyStorage {
 public:
  using View = GreyView<Real>;

  GreyStorage(const GreyMedium& medium, const Levels& levels) {
    std::vector<double> absorption(medium.absorption_coefficient().begin(),
                                   medium.absorption_coefficient().end());
    if (!medium.uniform()) levels.extend(absorption, mean);
    absorption_.assign(absorption.begin(), absorption.end());
    if (!medium.uniform()) emitting_ = std::move(absorption);
  }

  template <class Place = InPlace>
  View view(const Place& place = {}) const {
    return {place.kept(copies_)(absorption_), absorption_.size() == 1 ? 0 : 1};
  }
  std::size_t bytes() const {
    return absorption_.size() * sizeof(Real) + emitting_.size() * sizeof(double);
  }
  /// How much the cells of all levels emit, for the temperatures of coarse ones; empty: all alike.
  const std::vector<double>& emitting() const { return emitting_; }
  bool covers(double) const { return true; }
  double coordinate(double temperature) const { return total_blackbody(temperature); }
  double wall_coordinate(double temperature) const { return coordinate(temperature); }

  std::vector<PointStrength> strengths(const PointDensity& density) const {
    const Real strongest = *std::max_element(absorption_.begin(), absorption_.end());
    const double intensity = total_blackbody(density.hottest);
    const auto k = static_cast<double>(strongest);
    return {{k, intensity, 1.0, intensity, k}};
  }

  /// Power emitted per volume [W/m3]: 4 pi k I.
  double emission(CellId cell, double coordinate) const {
    const GasState<Real> gas = view().at(PointId{0}, cell, static_cast<Real>(coordinate));
    return 4 * constants::pi * static_cast<double>(gas.absorption) *
           static_cast<double>(gas.intensity);
  }

 private:
  std::vector<Real> absorption_;
  std::vector<double> emitting_;
  KeptCopies copies_;
};

}  // namespace ermine
