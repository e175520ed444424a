#pragma once

#include "medium/packed_point.hpp"

#include <cstdint>

namespace ermine {

/// What the march of many cells at once sees of a scene: plain data only, as files compiled for
/// different processors share it (core/pack.hpp).

inline constexpr int most_lanes = 32;  ///< cells that are traced together
/// Rays of each cell that are. They keep each other company on the same level, whose cells stay in
/// the processor's cache meanwhile, and fill each other's gaps.
inline constexpr int rays_together = 8;

/// Cells beyond each end of an axis. Rays walk so many steps before anyone looks where they are:
/// behind a periodic end lie copies of the cells at the other one, behind a wall the wall.
inline constexpr int halo = 8;

/// What the number of a cell leads to. Table: its temperature as the medium's coordinate. Grey:
/// absorption and intensity. A wall is a cell whose coordinate, or absorption, has a minus sign.
struct GreyEntry {
  float absorption;
  float intensity;
};

/// Lengths of rays are in units of 1 / log2(e) m, so that transmissivities are powers of two.
inline constexpr float log2_e = 1.44269504f;
inline constexpr float ln_2 = 0.693147181f;

/// A transmissivity of which nothing is left.
inline constexpr float faintest = 1e-30f;
/// Of the words that a random number may be, those below it win in the roulette: a tenth of 2^32.
inline constexpr std::uint32_t winning_words = 429496730;

struct LaneLevel {
  int cells[3];
  int stride[3];
  int first;     ///< entry of cell (0, 0, 0)
  int width[3];  ///< of cell 0 of each axis
  int low[3];    ///< first index that has entries, beyond the end of an axis or within
  int planes;    ///< of entries across z
  /// 1: the axis is periodic, and rays beyond its ends come back at the others. Not where a process
  /// has a part of it only, which may lie across the ends: there they go on.
  int wraps[3];
};

/// Where the face cells of a level's walls begin, in the order of sides.
struct LaneSides {
  int first[6];
};

struct LaneScene {
  const LaneLevel* level;
  int levels;
  int steps;  ///< on each level but the last
  int periodic[3];
  float uniform_width[3];
  const float* width;
  const void* entry;
  const float* node;  ///< of a table: four numbers each, see PointNode
  int nodes;
  // Of a gas of several components, see PackedGasView.
  const PackedPoint* point;
  const GasNode* component[most_packed];  ///< nodes of each
  int gas_nodes;
  float gas_nodes_per_node;
  float gas_scale;
  const float* intensity;  ///< two numbers each
  float tolerance;
  int max_crossings;
  int roulette;
  int black;                ///< 1: no wall reflects
  const float* emissivity;  ///< of the face cells of walls
  const LaneSides* sides;   ///< of each level
  int specular[6];          ///< as in WallsView
  int polar;                ///< axis of the directions
  std::uint32_t key[2];     ///< of the rays' streams
  std::uint32_t update;
  bool (*stop)();  ///< whether nobody wants the rays any more
};

/// Numbers that rays from between cells are counted with, see ThinView.
inline constexpr int lane_parts = 8;
inline constexpr int lane_parts_stride = 8;

/// Cells, nodes between 2 x 2 x 2 of them, or face cells of a wall, that trace the same spectral
/// points.
struct LaneCells {
  int count;
  int index[3][most_lanes];            ///< of a node: of the lowest cell; of a face: beside it
  std::uint32_t shift[2][most_lanes];  ///< of the net's words
  std::uint32_t origin[most_lanes];    ///< of the rays' keys
  int averages[most_lanes];            ///< 1: rays start all over the cell, or face cell
  const float* strength;               ///< of each spectral point, of nodes; null: these are none
  float coordinate[most_lanes];        ///< of nodes: their temperature among those of rows
  int faces;                           ///< 1: these are face cells
  int side;                            ///< of face cells: 2 * axis + (high ? 1 : 0)
  float emissivity[most_lanes];        ///< of face cells
};

/// What one ray of each cell has in common.
struct LaneRay {
  int point;
  std::uint32_t number;   ///< in the rays' keys
  float weight;           ///< 1 / p_s
  std::uint32_t word[2];  ///< of the net
  // Of averages, see leave_cell():
  float crossing[3];
  float usual_absorption;
};

struct LaneRays {
  const LaneRay* ray;
  std::uint32_t count;
  /// When more are lost, the rest is not traced.
  std::int64_t most_lost;
};

struct LaneScores {
  double sum[most_lanes];
  double part[lane_parts][most_lanes];  ///< of nodes, in place of it
  std::int64_t traced;
  std::int64_t crossings;
  std::int64_t lost;
  bool gave_up;
};

/// Traces rays of some cells and adds what they find to the scores.
using TraceLanes = void (*)(const LaneScene&, const LaneCells&, const LaneRays&, LaneScores&);

/// Gases: of so many components.
enum class LaneMedium { table, grey, one_gas, two_gases, three_gases, four_gases, five_gases };

/// Null if there is no code for these instructions. `uniform`: as Spacing.
TraceLanes lanes_tracer_avx2(LaneMedium medium, bool uniform);
TraceLanes lanes_tracer_avx512(LaneMedium medium, bool uniform);

}  // namespace ermine
