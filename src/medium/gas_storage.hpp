#pragma once

#include "core/unset_vector.hpp"
#include "medium/line_widths.hpp"
#include "medium/scene_gas.hpp"
#include "medium/temperature_position.hpp"

#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace ermine {

/// Owns or borrows the arrays behind a GasView, for one temperature field: to what scenes share it
/// adds the line widths of cells. Coarse cells have the mean width.
template <class Real, int most>
class GasStorage {
 public:
  using View = GasView<Real, most>;
  using Shared = SceneGas<Real, most>;

  GasStorage(std::shared_ptr<const Shared> shared, const Levels& levels,
             std::span<const double> temperature)
      : shared_(std::move(shared)) {
    for (std::size_t c = 0; c < medium().component_count(); ++c) {
      if (medium().component(c).broadening.size() > 1) find_layers(c, levels, temperature);
    }
  }
  /// Without rows for the fast march.
  GasStorage(const GasMedium& medium, const Levels& levels, std::span<const double> temperature)
      : GasStorage(std::make_shared<const Shared>(medium, levels), levels, temperature) {}
  GasStorage(const GasStorage&) = delete;
  GasStorage& operator=(const GasStorage&) = delete;

  const std::shared_ptr<const Shared>& shared() const { return shared_; }

  template <class Place = InPlace>
  View view(const Place& place = {}) const {
    View view = shared_->view(place);
    for (std::size_t c = 0; c < medium().component_count(); ++c) {
      view.component[c].layer = place(layer_[c]);
    }
    return view;
  }

  /// Whether the gas may be so hot.
  bool covers(double temperature) const { return covered().hold(temperature); }
  double coordinate(double temperature) const {
    covered().check_gas(temperature);
    return shared_->position(temperature);
  }
  double wall_coordinate(double temperature) const {
    covered().check_wall(temperature);
    return shared_->position(temperature);
  }

  /// How much the cells of all levels emit, for the temperatures of coarse ones; empty: all alike.
  const std::vector<double>& emitting() const { return shared_->emitting(); }

  std::vector<PointStrength> strengths(const PointDensity& density) const {
    return shared_->strengths(density);
  }

  /// Power emitted per volume [W/m3].
  double emission(CellId cell, double coordinate) const {
    return shared_->emission(cell, coordinate, [&](std::size_t c) {
      return static_cast<double>(layer_[c][static_cast<std::size_t>(cell.value)]);
    });
  }

  const GasMedium& medium() const { return shared_->medium(); }

 private:
  CoveredTemperatures covered() const { return {medium().coldest(), medium().hottest()}; }

  /// As cells of the fast march have them, so that what is emitted is what is traced.
  static Real rounded(double layer, int intervals) {
    const std::uint32_t code = width_code(static_cast<float>(static_cast<Real>(layer)), intervals);
    return static_cast<Real>(static_cast<float>(width_interval(code)) + width_fraction(code));
  }

  void find_layers(std::size_t component, const Levels& levels,
                   std::span<const double> temperature) {
    const std::vector<double>& widths = medium().component(component).broadening;
    const LineWidths width(medium(), component);
    UnsetVector<double> layer(temperature.size());
    std::size_t refused = temperature.size();  // no exception may leave a thread
#pragma omp parallel for schedule(static) num_threads(levels.threads()) reduction(min : refused)
    for (std::size_t cell = 0; cell < temperature.size(); ++cell) {
      if (covers(temperature[cell])) {
        layer[cell] = position_among(widths, width(cell, temperature[cell]));
      } else {
        refused = std::min(refused, cell);
      }
    }
    if (refused < temperature.size()) coordinate(temperature[refused]);  // throws
    const std::vector<double> coarse = levels.coarse_levels(layer, mean);
    UnsetVector<Real>& all = layer_[component];
    all.resize(layer.size() + coarse.size());
    const bool packed = shared_->packed().has_value();
    const int intervals = static_cast<int>(widths.size()) - 1;
#pragma omp parallel for schedule(static) num_threads(levels.threads())
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double value = i < layer.size() ? layer[i] : coarse[i - layer.size()];
      all[i] = packed ? rounded(value, intervals) : static_cast<Real>(value);
    }
  }

  std::shared_ptr<const Shared> shared_;
  std::array<UnsetVector<Real>, most> layer_;
};

}  // namespace ermine
