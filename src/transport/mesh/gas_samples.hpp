#pragma once

#include <ermine/gas_medium.hpp>

#include "medium/gas_view.hpp"
#include "medium/point_density.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace ermine {

/// Some spectral points of a gas or mixture that stand for all of them: sums over all points are
/// close to those over these, each with its weight. They are drawn as rays draw them, evenly, and
/// are the same for all cells.
class GasSamples {
 public:
  static constexpr int most = most_gas_components;

  /// `temperature` of the cells where the composition differs from cell to cell; the medium must
  /// outlive the samples.
  GasSamples(const GasMedium& gas, const PointDensity& density, std::size_t count,
             std::span<const double> temperature = {}, int threads = 1);

  std::size_t count() const { return points_.size(); }
  double weight(std::size_t sample) const { return weights_[sample]; }
  /// `coordinate`: (fractional) number of the temperature's node.
  GasState<double> at(std::size_t sample, CellId cell, double coordinate) const {
    return view_.at(points_[sample], cell, coordinate);
  }

 private:
  std::vector<GasPoint<most>> points_;
  std::vector<double> weights_;
  std::array<std::vector<double>, most> layer_;
  GasView<double, most> view_;
};

}  // namespace ermine
