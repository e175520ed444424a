#pragma once

#include "geometry/tiles.hpp"
#include "transport/tally.hpp"

namespace ermine {

/// Whether estimates are proportional to it. Squares of scores of smaller ones would vanish, and
/// with them what is known of the error: of cells that absorb as little it is zero, as that of
/// cells that absorb nothing.
ERMINE_FUNCTION bool is_scale(double scale) { return scale > 1e-100; }

/// Variances between the replicates of the origins of a tile, over the squares of their scales,
/// added up.
struct Spread {
  double sum = 0.0;
  int origins = 0;  ///< 0: nothing is known of them

  ERMINE_FUNCTION void add(const Spread& other) {
    sum += other.sum;
    origins += other.origins;
  }
  ERMINE_FUNCTION void add(const Tally& tally, double scale) {
    if (tally.count() < 2 || !is_scale(scale)) return;
    sum += tally.variance_of_scores() / (scale * scale);
    ++origins;
  }
};

/// Few replicates tell little of the variance of one origin, and origins of a tile are alike but
/// for their scales (absorption coefficient of a cell, emissivity of a wall): error bars have the
/// variance of the tile and of those next to it, all taken together.
template <class Tiles>
ERMINE_FUNCTION double pooled_variance(const Tiles& tiles, const Spread* spread, int tile) {
  Spread pooled = spread[tile];
  if (pooled.origins == 0) return HUGE_VAL;
  for (int i = 0; i < Tiles::neighbours; ++i) {
    const int neighbour = tiles.neighbour(tile, i);
    if (neighbour >= 0) pooled.add(spread[neighbour]);
  }
  return pooled.sum / pooled.origins;
}

/// Of the mean of an origin, with the pooled variance of its tile. What has no scale finds exactly
/// nothing.
ERMINE_FUNCTION Estimate pooled_estimate(const Tally& tally, double variance, double scale) {
  if (tally.count() < 2) return {tally.mean(), HUGE_VAL};
  return {tally.mean(), is_scale(scale) ? scale * std::sqrt(variance / tally.count()) : 0.0};
}

}  // namespace ermine
