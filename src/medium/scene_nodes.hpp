#pragma once

#include <ermine/gas_medium.hpp>

#include "medium/point_density.hpp"
#include "medium/temperature_position.hpp"

#include <algorithm>
#include <vector>

namespace ermine {

/// Temperature nodes of a gas from the coldest to the hottest temperature of a scene, walls
/// included: those of its intensity, which may be closer than those of its k.
class SceneNodes {
 public:
  /// `of_both`: the first and the last are nodes of k, too.
  SceneNodes(const GasMedium& gas, const PointDensity& density, bool of_both = false) {
    const std::size_t steps = gas.intensity_steps();
    const double fine = static_cast<double>(steps);
    const auto position = [&](double kelvin) {
      const double within = std::clamp(kelvin, gas.temperature().front(), gas.temperature().back());
      return static_cast<std::size_t>(fine * position_among(gas.temperature(), within));
    };
    const std::size_t next = std::min(position(density.hottest) + 1, gas.intensity_nodes() - 1);
    const std::size_t whole = of_both ? steps : 1;
    const std::size_t last = (next + whole - 1) / whole * whole;
    first_ = std::min(position(density.coldest), last - 1) / whole * whole;
    const std::size_t gas_nodes = gas.temperature().size() - gas.first_gas_node();
    for (std::size_t t = first_; t <= last; ++t) {
      const double fraction = static_cast<double>(t % steps) / fine;
      const double low = gas.temperature()[t / steps];
      const double high = gas.temperature()[std::min(t / steps + 1, gas.temperature().size() - 1)];
      kelvin_.push_back(low + (high - low) * fraction);
      const bool too_cold = t / steps < gas.first_gas_node();
      const std::size_t node = too_cold ? 0 : t / steps - gas.first_gas_node();
      places_.push_back({node, std::min(node + 1, gas_nodes - 1), fraction, too_cold});
    }
  }

  std::size_t count() const { return places_.size(); }
  std::size_t first() const { return first_; }  ///< among those of the gas
  const std::vector<double>& kelvin() const { return kelvin_; }

  /// k at a node, from a row of the gas; 0 where no gas can be so cold.
  double absorption(const float* row, std::size_t node) const {
    const Place& place = places_[node];
    if (place.too_cold) return 0.0;
    const double low = static_cast<double>(row[place.low]);
    return low + (static_cast<double>(row[place.high]) - low) * place.fraction;
  }

 private:
  /// Between two nodes of k, or colder than the gas can be.
  struct Place {
    std::size_t low;
    std::size_t high;
    double fraction;
    bool too_cold;
  };

  std::size_t first_;
  std::vector<double> kelvin_;
  std::vector<Place> places_;
};

}  // namespace ermine
