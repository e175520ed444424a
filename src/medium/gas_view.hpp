#pragma once

#include "medium/medium_view.hpp"
#include "medium/packed_gas.hpp"

namespace ermine {

/// A product that is rounded before anything is taken from it, so that the difference of two equal
/// ones is exactly zero: compilers fuse products with differences.
template <class Real>
ERMINE_FUNCTION Real rounded_product(Real a, Real b) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Real) == sizeof(float)) return __fmul_rn(a, b);
  return __dmul_rn(a, b);
#else
  const volatile Real product = a * b;
  return product;
#endif
}

/// One row of each of up to `most` species in a band. The band behind the last one is all that lies
/// outside them, where no species absorbs.
template <int most>
struct GasPoint {
  int band;
  int row[most];  ///< -1: transparent in this band
};

/// k-distributions or line-by-line spectra of a gas or mixture: a list of spectral points, in which
/// the species share the points of a band (joint_points()). The coordinate is the (fractional)
/// number of the temperature node; rows of k begin at node `first_gas_node`, the intensities at
/// 0 K. Composition enters through the amount of each species and, where it is a field, through
/// the width of its lines: between layers made for neighbouring widths k is linear.
template <class Real, int most>
struct GasView {
  using RealType = Real;
  using Point = PointId;

  struct Component {
    const float* rows;   ///< (row * layers + layer) * gas_nodes + node
    const Real* amount;  ///< per cell, or one
    const Real* layer;   ///< per cell: (fractional) number of the layer; unused if one layer
    int layers;
    int amount_stride;  ///< 1: one amount per cell; 0: one for all
  };
  struct Listed {
    GasPoint<most> point;
    Real weight;  ///< of the point among those of its band
  };

  const Real* intensity;  ///< band * intensity nodes + node [W/(m2 sr)]
  int nodes;              ///< of the temperature
  int intensity_steps;    ///< intervals of the intensity in each interval of the temperature
  int first_gas_node;
  int components;
  Component component[most];
  const Listed* list = nullptr;
  PackedGasView packed{};  ///< the same for the fast march, if there is one

  ERMINE_FUNCTION GasState<Real> at(PointId id, CellId cell, Real coordinate) const {
    const Listed& listed = list[id.value];
    const GasState<Real> state = at(listed.point, cell, coordinate);
    return {state.absorption, rounded_product(listed.weight, state.intensity)};
  }
  ERMINE_FUNCTION Real blackbody(PointId id, Real coordinate) const {
    return rounded_product(list[id.value].weight, blackbody(list[id.value].point, coordinate));
  }

  /// The same with the intensity of the whole band.
  ERMINE_FUNCTION GasState<Real> at(const GasPoint<most>& point, CellId cell,
                                    Real coordinate) const {
    const int node = node_below(coordinate, nodes);
    const Real fraction = coordinate - static_cast<Real>(node);
    Real absorption = 0;
    for (int c = 0; c < (most == 1 ? 1 : components); ++c) {
      if (point.row[c] < 0) continue;
      const Component& gas = component[c];
      absorption += gas.amount[cell.value * gas.amount_stride] *
                    absorption_of(gas, point.row[c], node - first_gas_node, fraction, cell);
    }
    return {absorption, blackbody(point, coordinate)};
  }
  ERMINE_FUNCTION Real blackbody(const GasPoint<most>& point, Real coordinate) const {
    const int intervals = (nodes - 1) * intensity_steps;
    const Real position = coordinate * static_cast<Real>(intensity_steps);
    const int node = node_below(position, intervals + 1);
    const Real* row = intensity + static_cast<long long>(point.band) * (intervals + 1);
    return between(row + node, position - static_cast<Real>(node));
  }

  ERMINE_FUNCTION Real scale(CellId cell) const {
    Real sum = 0;
    for (int c = 0; c < (most == 1 ? 1 : components); ++c) {
      sum += component[c].amount[cell.value * component[c].amount_stride];
    }
    return sum;
  }

  /// What the fast march has for a cell, and the position of a coordinate among its nodes.
  ERMINE_FUNCTION float packed_position(Real coordinate) const {
    return static_cast<float>(coordinate) * packed.steps - packed.first;
  }
  template <class Entry>
  ERMINE_FUNCTION Entry packed_entry(CellId cell, Real coordinate) const {
    const float position = packed_position(coordinate);
    Entry entry{position > 0 ? position : 0.0f, {}};  // rounding must not make it a wall
    for (int c = 0; c < Entry::components; ++c) {
      if (c >= packed.components) break;
      const Component& gas = component[c];
      const auto amount = static_cast<float>(gas.amount[cell.value * gas.amount_stride]);
      const auto width = gas.layers > 1 ? static_cast<float>(gas.layer[cell.value]) : 0.0f;
      entry.component[c] =
          share_code(amount * packed.inverse_most) | width_code(width, packed.intervals[c]);
    }
    return entry;
  }

 private:
  /// The last node belongs to the last interval.
  ERMINE_FUNCTION static int node_below(Real coordinate, int count) {
    const int lower = static_cast<int>(coordinate);
    return lower < count - 1 ? lower : count - 2;
  }
  template <class Stored>
  ERMINE_FUNCTION static Real between(const Stored* row, Real fraction) {
    const Real low = static_cast<Real>(row[0]);
    return low + fraction * (static_cast<Real>(row[1]) - low);
  }
  ERMINE_FUNCTION Real absorption_of(const Component& gas, int row, int node, Real fraction,
                                     CellId cell) const {
    const int gas_nodes = nodes - first_gas_node;
    const float* first = gas.rows + static_cast<long long>(row) * gas.layers * gas_nodes + node;
    if (gas.layers == 1) return between(first, fraction);
    const Real position = gas.layer[cell.value];
    const int layer = node_below(position, gas.layers);
    const float* below = first + static_cast<long long>(layer) * gas_nodes;
    const Real low = between(below, fraction);
    const Real high = between(below + gas_nodes, fraction);
    return low + (position - static_cast<Real>(layer)) * (high - low);
  }
};

}  // namespace ermine
