#pragma once

#include "core/single.hpp"
#include "geometry/tiles.hpp"
#include "medium/gas_view.hpp"
#include "transport/ray/march.hpp"

#include <cstdint>

namespace ermine {

/// Thin points are those that hardly absorb in one cell: what they absorb is smooth in space, and
/// rays from the nodes between 2 x 2 x 2 cells tell it for all. k is one of a cell's temperature
/// and composition, however, not of a node's. With a few numbers k_sm for each spectral point
/// (ThinBasis) such that k_s = sum_m b_m k_sm in every cell i,
///   Q_i = sum_m b_m(i) sum_n w_n [ a_m(T_i) - a_m(T_n) + E_m(n) ],
///   a_m(T) = 4 pi sum_s k_sm I_s(T),   E_m(n) = mean over rays of 4 pi k_sm D / p_s,
/// with nodes n around the cell, their weights w_n of a cubic interpolation, and D of March. In an
/// isothermal enclosure each bracket is exactly zero.

/// Numbers m of each point.
inline constexpr int thin_parts = 8;

struct alignas(16) ThinParts {
  float of[thin_parts];
};

/// Nodes next to a cell along an axis, and their weights.
struct NodeWeights {
  int node[4];
  float weight[4];
};

struct ThinView {
  /// Of a cell; a gas of one component without fields has all of it.
  using GasState = GasEntry<most_packed>;

  LevelView nodes;            ///< half as many along each axis as cells, numbers from 0
  PlainField<float> field;    ///< temperature as the medium's coordinate
  int first_node;             ///< among the cells of all levels
  float first, steps;         ///< of temperatures among those below, see PackedGasView
  const ThinParts* strength;  ///< of each spectral point: 4 pi k_sm / p_s
  const ThinParts* emission;  ///< a_m at each of some temperatures
  int temperatures;           ///< number of them
  int components;
  int intervals[most_packed];  ///< between the line widths of each
  const ThinParts*
      basis[most_packed];       ///< b_m at each width and temperature, if there is all of it
  const NodeWeights* along[3];  ///< of each cell of an axis

  ERMINE_FUNCTION CellTiles tiles() const {
    CellTiles tiles{};  // nvcc drops the braces of a list
    tiles.grid = nodes;
    return tiles;
  }
  ERMINE_FUNCTION int node_count() const { return nodes.stride[2] * nodes.cells[2]; }

  /// Of the mean temperature of a node's cells.
  ERMINE_FUNCTION float position(int node) const {
    return field[CellId{first_node + node}] * steps - first;
  }

  /// E_m - a_m of a node, from the sums over its rays.
  ERMINE_FUNCTION ThinParts found(int node, const double (&sum)[thin_parts],
                                  std::uint32_t rays) const {
    ThinParts parts = emitted(position(node));
    for (int m = 0; m < thin_parts; ++m) {
      parts.of[m] = static_cast<float>(sum[m] / rays) - parts.of[m];
    }
    return parts;
  }

  /// b_m of a cell.
  ERMINE_FUNCTION ThinParts basis_of(const GasState& gas) const {
    ThinParts parts{};
    const Between at = between(gas.position);
    for (int c = 0; c < components; ++c) {
      const std::uint32_t code = gas.component[c];
      const float share = share_value(code);
      const float width = intervals[c] > 0 ? width_fraction(code) : 0.0f;
      const ThinParts* low = basis[c] + width_interval(code) * temperatures + at.low;
      const ThinParts* high = intervals[c] > 0 ? low + temperatures : low;
      for (int m = 0; m < thin_parts; ++m) {
        const float narrow = fused(at.fraction, low[1].of[m] - low[0].of[m], low[0].of[m]);
        const float wide = fused(at.fraction, high[1].of[m] - high[0].of[m], high[0].of[m]);
        parts.of[m] = fused(share, fused(width, wide - narrow, narrow), parts.of[m]);
      }
    }
    return parts;
  }

  /// Q of the thin points in a cell [W/m3], from what was found at all nodes.
  ERMINE_FUNCTION float operator()(const Vec3<int>& cell, const GasState& gas,
                                   const ThinParts* found) const {
    const ThinParts own = emitted(gas.position);
    const ThinParts share = basis_of(gas);
    const NodeWeights& x = along[0][cell[0]];
    const NodeWeights& y = along[1][cell[1]];
    const NodeWeights& z = along[2][cell[2]];
    float q = 0;
    for (int k = 0; k < 4; ++k) {
      for (int j = 0; j < 4; ++j) {
        const ThinParts* row = found + z.node[k] * nodes.stride[2] + y.node[j] * nodes.stride[1];
        float of_row = 0;
        for (int i = 0; i < 4; ++i) {
          const ThinParts& node = row[x.node[i]];
          float of_node = 0;
          for (int m = 0; m < thin_parts; ++m) of_node += share.of[m] * (own.of[m] + node.of[m]);
          of_row += x.weight[i] * of_node;
        }
        q += z.weight[k] * y.weight[j] * of_row;
      }
    }
    return q;
  }

 private:
  struct Between {
    int low;
    float fraction;
  };
  ERMINE_FUNCTION Between between(float temperature) const {
    int low = static_cast<int>(temperature);
    if (low > temperatures - 2) low = temperatures - 2;
    return {low, temperature - static_cast<float>(low)};
  }

  /// a_m, the same bits wherever it is asked for.
  ERMINE_FUNCTION ThinParts emitted(float temperature) const {
    const Between at = between(temperature);
    ThinParts parts{};
    for (int m = 0; m < thin_parts; ++m) {
      const float from = emission[at.low].of[m];
      parts.of[m] = fused(at.fraction, emission[at.low + 1].of[m] - from, from);
    }
    return parts;
  }
};

/// A cell as a ThinView looks at it.
ERMINE_FUNCTION ThinView::GasState thin_state(const PointTableView<float>&, CellId,
                                              float coordinate) {
  return {coordinate, {share_code(1.0f)}};
}
template <int most>
ERMINE_FUNCTION ThinView::GasState thin_state(const GasView<float, most>& gas, CellId cell,
                                              float coordinate) {
  return gas.template packed_entry<ThinView::GasState>(cell, coordinate);
}

/// Rays of a node for each of a cell.
inline constexpr std::uint32_t node_rays = 2;

}  // namespace ermine
