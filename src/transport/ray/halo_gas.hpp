#pragma once

#include "core/single.hpp"
#include "transport/scene/halo_field.hpp"

#include <cmath>

namespace ermine {

/// Gas of a cell at a spectral point, as the march in segments looks it up.
struct HaloGas {
  float absorption;
  float intensity;
  bool wall;  ///< the entry is a wall, which is black
};

/// Absorption coefficient and intensity of an entry in the row of a spectral point.
ERMINE_FUNCTION HaloGas halo_gas(const PointTableView<float>& table, float coordinate, int row) {
  const WholeAndFraction node = in_parts(std::abs(coordinate));
  const PointNode<float> low = table.node[row + node.whole];
  return {fused(node.fraction, low.absorption_rise, low.absorption),
          fused(node.fraction, low.intensity_rise, low.intensity), std::signbit(coordinate)};
}

ERMINE_FUNCTION HaloGas halo_gas(const GreyView<float>&, const GreyEntry& grey, int) {
  return {grey.absorption, grey.intensity, grey.absorption < 0};
}

template <int most, int components>
ERMINE_FUNCTION HaloGas halo_gas(const GasView<float, most>& medium,
                                 const GasEntry<components>& cell, const PackedPoint& row) {
  const PackedGasView& gas = medium.packed;
  const WholeAndFraction node = in_parts(std::abs(cell.position));
  const IntensityNode low = gas.intensity[row.band + node.whole];
  const WholeAndFraction of_gas = in_parts(std::abs(cell.position) * gas.gas_nodes_per_node);
  float absorption = 0;
  constexpr int looked_at = components < most_packed ? components : most_packed;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int c = 0; c < looked_at; ++c) {
    if (row.row[c] == 0) continue;
    const std::uint32_t code = cell.component[c];
    const GasNode k = gas.node[c][row.row[c] + width_interval(code) * gas.gas_nodes + of_gas.whole];
    absorption = fused(share_value(code), absorption_at(k, of_gas.fraction, width_fraction(code)),
                       absorption);
  }
  return {absorption * gas.scale, fused(node.fraction, low.rise, low.intensity),
          std::signbit(cell.position)};
}

/// Blackbody intensity at the position of a temperature among the nodes of rows.
ERMINE_FUNCTION float halo_intensity(const PointTableView<float>& table, float position, int row) {
  return halo_gas(table, position, row).intensity;
}
ERMINE_FUNCTION float halo_intensity(const GreyView<float>&, float position, int) {
  return position;
}
template <int most>
ERMINE_FUNCTION float halo_intensity(const GasView<float, most>& medium, float position,
                                     const PackedPoint& row) {
  const WholeAndFraction node = in_parts(std::abs(position));
  const IntensityNode low = medium.packed.intensity[row.band + node.whole];
  return fused(node.fraction, low.rise, low.intensity);
}

/// The same of a wall, whose temperature is a coordinate of the medium.
template <class Medium, class Row>
ERMINE_FUNCTION float halo_wall_intensity(const Medium& medium, float coordinate, const Row& row) {
  if constexpr (is_gas<Medium>) {
    return halo_intensity(medium, medium.packed_position(coordinate), row);
  }
  return halo_intensity(medium, coordinate, row);
}

}  // namespace ermine
