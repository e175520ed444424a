#pragma once

#include <ermine/gas_medium.hpp>

#include "backend/in_place.hpp"
#include "core/unset_vector.hpp"
#include "medium/gas_points.hpp"
#include "medium/packed_gas.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace ermine {

/// Owns the arrays behind a PackedGasView: k of all rows and intensities of all bands at the
/// temperature nodes from the coldest to the hottest temperature of a scene, walls included.
class PackedGasStorage {
 public:
  /// Nothing where the rows would take more than half a gigabyte, lines have too many widths, or k
  /// is too large for single precision.
  static std::optional<PackedGasStorage> make(const GasMedium& gas,
                                              std::span<const GasListPoint> points,
                                              const PointDensity& density, int threads);

  template <class Place = InPlace>
  PackedGasView view(const Place& place = {}) const {
    PackedGasView view{};
    view.point = place(points_);
    view.intensity = place(intensity_);
    view.nodes = nodes_;
    view.gas_nodes = gas_nodes_;
    view.gas_nodes_per_node = 1 / steps_;
    view.components = components_;
    view.inverse_most = inverse_most_;
    view.scale = scale_;
    view.first = first_;
    view.steps = steps_;
    for (std::size_t c = 0; c < most_packed; ++c) {
      view.node[c] = place(rows_[c]);
      view.intervals[c] = intervals_[c];
    }
    return view;
  }

  std::size_t bytes() const {
    std::size_t sum = points_.size() * sizeof(PackedPoint);
    sum += intensity_.size() * sizeof(IntensityNode);
    for (const auto& rows : rows_) sum += rows.size() * sizeof(GasNode);
    return sum;
  }

 private:
  PackedGasStorage() = default;

  std::vector<PackedPoint> points_;
  UnsetVector<IntensityNode> intensity_;
  std::array<UnsetVector<GasNode>, most_packed> rows_;
  std::array<int, most_packed> intervals_{};
  int nodes_ = 0;
  int gas_nodes_ = 0;
  int components_ = 0;
  float inverse_most_ = 0;
  float scale_ = 0;
  float first_ = 0;
  float steps_ = 1;
};

}  // namespace ermine
