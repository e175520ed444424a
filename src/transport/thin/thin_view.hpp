#pragma once

#include "core/single.hpp"
#include "geometry/tiles.hpp"
#include "transport/march.hpp"

#include <cstdint>

namespace ermine {

/// Thin points are those that hardly absorb in one cell: what they absorb is smooth in space, and
/// rays from the nodes between 2 x 2 x 2 cells tell it for all. k is one of a cell's temperature,
/// however, not of a node's. With polynomials B_m that are 1 at the m-th of some temperatures T_m
/// and 0 at the others,
///   Q_i = sum_m B_m(T_i) sum_n w_n [ a_m(T_i) - a_m(T_n) + E_m(n) ],
///   a_m(T) = 4 pi sum_s k_s(T_m) I_s(T),   E_m(n) = mean over rays of 4 pi k_s(T_m) D / p_s,
/// with nodes n around the cell, their weights w_n of a cubic interpolation, and D of March. In an
/// isothermal enclosure each bracket is exactly zero.

/// Temperatures T_m. With 6 of them k is off by less than 0.01 % of the largest Q.
inline constexpr int thin_parts = 6;

/// One number for each T_m; two more make it two loads of a GPU.
struct alignas(16) ThinParts {
  float of[8];
};

/// Nodes next to a cell along an axis, and their weights.
struct NodeWeights {
  int node[4];
  float weight[4];
};

struct ThinView {
  LevelView nodes;              ///< half as many along each axis as cells, numbers from 0
  PlainField<float> field;      ///< temperature as the medium's coordinate
  int first_node;               ///< among the cells of all levels
  const ThinParts* strength;    ///< of each spectral point: 4 pi k_s(T_m) / p_s
  const ThinParts* emission;    ///< a_m at each temperature of the table
  int temperatures;             ///< of the table
  float at[thin_parts];         ///< T_m, as coordinates
  float scale[thin_parts];      ///< of B_m
  const NodeWeights* along[3];  ///< of each cell of an axis

  ERMINE_FUNCTION CellTiles tiles() const {
    CellTiles tiles{};  // nvcc drops the braces of a list
    tiles.grid = nodes;
    return tiles;
  }
  ERMINE_FUNCTION int node_count() const { return nodes.stride[2] * nodes.cells[2]; }

  /// Of the mean temperature of a node's cells.
  ERMINE_FUNCTION float coordinate(int node) const { return field[CellId{first_node + node}]; }

  /// E_m - a_m of a node, from the sums over its rays.
  ERMINE_FUNCTION ThinParts found(int node, const double (&sum)[thin_parts],
                                  std::uint32_t rays) const {
    ThinParts parts = emitted(coordinate(node));
    for (int m = 0; m < thin_parts; ++m) {
      parts.of[m] = static_cast<float>(sum[m] / rays) - parts.of[m];
    }
    return parts;
  }

  /// Q of the thin points in a cell [W/m3], from what was found at all nodes.
  ERMINE_FUNCTION float operator()(const Vec3<int>& cell, float cell_coordinate,
                                   const ThinParts* found) const {
    const ThinParts own = emitted(cell_coordinate);
    float basis[thin_parts];
    for (int m = 0; m < thin_parts; ++m) {
      basis[m] = scale[m];
      for (int n = 0; n < thin_parts; ++n) {
        if (n != m) basis[m] *= cell_coordinate - at[n];
      }
    }
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
          for (int m = 0; m < thin_parts; ++m) of_node += basis[m] * (own.of[m] + node.of[m]);
          of_row += x.weight[i] * of_node;
        }
        q += z.weight[k] * y.weight[j] * of_row;
      }
    }
    return q;
  }

 private:
  /// a_m, the same bits wherever it is asked for.
  ERMINE_FUNCTION ThinParts emitted(float temperature) const {
    int low = static_cast<int>(temperature);
    if (low > temperatures - 2) low = temperatures - 2;
    const float fraction = temperature - static_cast<float>(low);
    ThinParts parts{};
    for (int m = 0; m < thin_parts; ++m) {
      const float from = emission[low].of[m];
      parts.of[m] = fused(fraction, emission[low + 1].of[m] - from, from);
    }
    return parts;
  }
};

/// Rays of a node for each of a cell.
inline constexpr std::uint32_t node_rays = 2;

}  // namespace ermine
