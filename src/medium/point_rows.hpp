#pragma once

#include <ermine/medium.hpp>

#include "core/unset_vector.hpp"
#include "medium/point_density.hpp"
#include "medium/temperature_position.hpp"

#include <optional>
#include <vector>

namespace ermine {

/// A medium as a plain list of spectral points: two rows over temperature each,
/// value(point, node) = row[point * nodes + node].
struct PointRows {
  std::vector<double> temperature;  ///< nodes [K], increasing
  CoveredTemperatures covered;
  UnsetVector<double> absorption;  ///< k_s [1/m]
  UnsetVector<double> intensity;   ///< I_s, with the point's width and weight [W/(m2 sr)]

  /// Points in increasing order of k at the middle temperature, equal ones as they came.
  std::vector<std::size_t> by_absorption() const;
};

/// At the nodes of the list.
PointRows point_rows(const SpectralList& list);
/// At those of a scene (scene_temperatures()): k and I along smooth curves through the list's.
PointRows point_rows(const SpectralList& list, const PointDensity& density, int threads = 1);

/// A gas or mixture that is the same everywhere, at the nodes of a scene (gas_of_scene()); species
/// of a mixture share points (joint_points()). Nothing for fields of composition and for very long
/// lists: those are looked up species by species. `threads` of the CPU fill the rows.
std::optional<PointRows> point_rows(const GasMedium& gas, const PointDensity& density,
                                    int threads = 1);

}  // namespace ermine
