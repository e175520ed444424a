#pragma once

#include <ermine/gas_medium.hpp>

#include "backend/in_place.hpp"
#include "geometry/levels.hpp"
#include "medium/emission_term.hpp"
#include "medium/faint_rows.hpp"
#include "medium/gas_points.hpp"
#include "medium/gas_view.hpp"
#include "medium/packed_gas_storage.hpp"
#include "medium/temperature_position.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ermine {

/// Owns the arrays behind a GasView that do not depend on the temperature of cells: all temperature
/// fields of a scene share them. Coarse cells have the mean composition.
template <class Real, int most>
class SceneGas {
 public:
  using View = GasView<Real, most>;

  SceneGas(const GasMedium& medium, const Levels& levels)
      : SceneGas(medium, levels, gas_points(medium, levels.threads())) {}
  /// The same with rows for the fast march in scenes of these temperatures, if there can be such.
  SceneGas(const GasMedium& medium, const Levels& levels, const PointDensity& density)
      : SceneGas(medium, levels,
                 without_faint_rows(medium, gas_points(medium, levels.threads()), density,
                                    levels.threads())) {
    packed_ = PackedGasStorage::make(medium_, points_, density, threads_);
    if (packed_) round_amounts();
  }
  SceneGas(const SceneGas&) = delete;
  SceneGas& operator=(const SceneGas&) = delete;

  const GasMedium& medium() const { return medium_; }
  /// Among the nodes of the temperature [K].
  double position(double kelvin) const { return position_(kelvin); }
  const std::optional<PackedGasStorage>& packed() const { return packed_; }
  std::size_t bytes() const {
    std::size_t sum = medium_.bytes() + (packed_ ? packed_->bytes() : 0) +
                      points_.size() * (sizeof(GasListPoint) + sizeof(typename View::Listed)) +
                      emitting_.size() * sizeof(double);
    for (const std::vector<Real>& amount : amount_) sum += amount.size() * sizeof(Real);
    return sum;
  }

  /// Without the line widths of cells.
  template <class Place = InPlace>
  View view(const Place& in_place = {}) const {
    const Place place = in_place.kept(copies_);
    View view{place(intensity_),
              static_cast<int>(medium_.temperature().size()),
              static_cast<int>(medium_.intensity_steps()),
              static_cast<int>(medium_.first_gas_node()),
              static_cast<int>(medium_.component_count()),
              {},
              place(list_),
              packed_ ? packed_->view(place) : PackedGasView{}};
    for (std::size_t c = 0; c < medium_.component_count(); ++c) {
      const GasComponent& gas = medium_.component(c);
      view.component[c] = {place(gas.rows), place(amount_[c]), nullptr,
                           static_cast<int>(gas.broadening.size()), amount_[c].size() > 1};
    }
    return view;
  }

  /// How much the cells of all levels emit, for the temperatures of coarse ones; empty: all alike.
  const std::vector<double>& emitting() const { return emitting_; }

  std::vector<PointStrength> strengths(const PointDensity& density) const {
    return gas_strengths(medium_, points_, density, threads_);
  }

  /// Power emitted per volume [W/m3]: 4 pi sum k I, exact for rows linear between nodes.
  /// `layer(c)`: position of a component's line width among those of its rows.
  template <class Layer>
  double emission(CellId cell, double coordinate, const Layer& layer) const {
    const double position = (coordinate - static_cast<double>(medium_.first_gas_node())) *
                            static_cast<double>(medium_.intensity_steps());
    const auto interval = std::min(static_cast<std::size_t>(position), emission_intervals() - 1);
    const double fraction = position - static_cast<double>(interval);
    const auto i = static_cast<std::size_t>(cell.value);
    double sum = 0.0;
    for (std::size_t c = 0; c < medium_.component_count(); ++c) {
      const auto of_layer = [&](std::size_t number) {
        return emission_[c][number * emission_intervals() + interval].at(fraction);
      };
      const std::size_t layers = medium_.component(c).broadening.size();
      double value = 0.0;
      if (layers == 1) {
        value = of_layer(0);
      } else {
        const double where = layer(c);
        const auto below = std::min(static_cast<std::size_t>(where), layers - 2);
        const double low = of_layer(below);
        value = low + (where - static_cast<double>(below)) * (of_layer(below + 1) - low);
      }
      sum += static_cast<double>(amount_[c][amount_[c].size() > 1 ? i : 0]) * value;
    }
    return sum;
  }

 private:
  SceneGas(const GasMedium& medium, const Levels& levels, std::vector<GasListPoint> points)
      : medium_(medium),
        threads_(levels.threads()),
        position_({medium_.temperature().begin(), medium_.temperature().end()}),
        points_(std::move(points)) {
    for (std::size_t part = 0; part < medium_.part_count(); ++part) {
      const auto row = medium_.blackbody_intensity(part);
      intensity_.insert(intensity_.end(), row.begin(), row.end());
    }
    for (std::size_t c = 0; c < medium_.component_count(); ++c) {
      std::vector<double> amount = medium_.component(c).amount;
      if (amount.size() > 1) {
        levels.extend(amount, mean);
        emitting_.resize(amount.size());
        for (std::size_t i = 0; i < amount.size(); ++i) emitting_[i] += amount[i];
      }
      amount_[c].assign(amount.begin(), amount.end());
      tabulate_emission(c);
    }
    for (const GasListPoint& listed : points_) {
      auto& entry = list_.emplace_back();
      entry.point.band = listed.part;
      for (std::size_t c = 0; c < most; ++c) entry.point.row[c] = listed.joint.row[c];
      entry.weight = static_cast<Real>(listed.joint.weight);
    }
  }

  /// Intervals of the intensity at temperatures of the gas.
  std::size_t emission_intervals() const {
    return (medium_.temperature().size() - medium_.first_gas_node() - 1) *
           medium_.intensity_steps();
  }
  void tabulate_emission(std::size_t component);

  /// Amounts as cells of the fast march have them, so that what is emitted is what is traced.
  void round_amounts() {
    const PackedGasView packed = packed_->view();
    const float inverse = packed.inverse_most;
    if (!(inverse > 0)) return;
    for (std::size_t c = 0; c < medium_.component_count(); ++c) {
      for (Real& amount : amount_[c]) {
        const std::uint32_t code = share_code(static_cast<float>(amount) * inverse);
        amount = static_cast<Real>(share_value(code) / inverse);
      }
    }
  }

  GasMedium medium_;
  int threads_;
  NodePositions position_;
  std::vector<GasListPoint> points_;
  std::vector<typename View::Listed> list_;
  std::optional<PackedGasStorage> packed_;
  std::vector<Real> intensity_;
  std::array<std::vector<Real>, most> amount_;
  std::vector<double> emitting_;  ///< sum of the amounts, where they differ from cell to cell
  std::array<std::vector<EmissionTerm>, most> emission_;  ///< layer * intervals + i
  KeptCopies copies_;
};

template <class Real, int most>
void SceneGas<Real, most>::tabulate_emission(std::size_t component) {
  const GasComponent& gas = medium_.component(component);
  const std::size_t points = gas.smooth ? 1 : medium_.weights().size();
  const std::size_t layers = gas.broadening.size();
  const std::size_t gas_nodes = medium_.temperature().size() - medium_.first_gas_node();
  const std::size_t steps = medium_.intensity_steps();
  const std::size_t intervals = emission_intervals();
  emission_[component].resize(layers * intervals);
  std::vector<double> weight(gas.band.size() * points);  // of the spectral points with each row
  for (const GasListPoint& listed : points_) {
    const int row = listed.joint.row[component];
    if (row >= 0) weight[static_cast<std::size_t>(row)] += listed.joint.weight;
  }
  std::vector<double> mean(gas_nodes);
  for (std::size_t b = 0; b < gas.band.size(); ++b) {
    const Real* intensity = intensity_.data() +
                            static_cast<std::size_t>(gas.band[b]) * medium_.intensity_nodes() +
                            medium_.first_gas_node() * steps;
    for (std::size_t layer = 0; layer < layers; ++layer) {
      std::fill(mean.begin(), mean.end(), 0.0);
      for (std::size_t g = 0; g < points; ++g) {
        const float* row = gas.rows.data() + ((b * points + g) * layers + layer) * gas_nodes;
        for (std::size_t t = 0; t < gas_nodes; ++t) {
          mean[t] += weight[b * points + g] * static_cast<double>(row[t]);
        }
      }
      for (std::size_t i = 0; i < intervals; ++i) {
        const std::size_t t = i / steps;
        const double dk = (mean[t + 1] - mean[t]) / static_cast<double>(steps);
        const double k = mean[t] + dk * static_cast<double>(i % steps);
        const double low = static_cast<double>(intensity[i]);
        const double di = static_cast<double>(intensity[i + 1]) - low;
        emission_[component][layer * intervals + i].add(k, dk, low, di);
      }
    }
  }
}

}  // namespace ermine
