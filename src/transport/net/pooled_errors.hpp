#pragma once

#include "transport/ray/tally.hpp"

namespace ermine {

/// Whether estimates are proportional to it. Squares of scores of smaller ones would vanish, and
/// with them what is known of the error: of cells that absorb as little it is zero, as that of
/// cells that absorb nothing.
ERMINE_FUNCTION bool is_scale(double scale) { return scale > 1e-100; }

/// Origins up to so many cells away share what they know of their errors: fewer where origins are
/// many, which resolve how errors change, and take time.
ERMINE_FUNCTION int pooled_reach(int origins) { return origins < (1 << 19) ? 2 : 1; }

/// Weight of the variance of a neighbour `squared` cells away, squared, in that of an origin:
///   1 / (1 + r^2/4 + 2 (E - E')^2 / (E E'))^2,   E what both emit [W/m3].
/// Errors of cells change over a few cells, and with temperature and composition: a hot cell must
/// not be diluted by the many cold ones around it.
ERMINE_FUNCTION double pooled_weight(double squared, double emission, double other) {
  const double product = emission * other;
  const double difference = emission - other;
  const double all = product * (1 + 0.25 * squared) + 2 * difference * difference;
  const double closeness = all > 0 ? product / all : 1.0;
  return closeness * closeness;
}

/// What cells are compared by, one of each; null at walls, which are all alike.
struct CellKinds {
  const double* emission;  ///< [W/m3]
  /// 1: rays start all over the cell (see rough_cells()), and 2 more where starts were of the other
  /// kind in the update before (see changed_starts()); null: all alike.
  const char* starts;

  ERMINE_FUNCTION double emitted(int cell) const { return emission ? emission[cell] : 1.0; }
  /// Each kind of start has errors of its own.
  ERMINE_FUNCTION bool alike(int cell, int other) const {
    return !starts || starts[cell] == starts[other];
  }
};

/// Estimate of an origin. Few replicates tell little of its variance; those of its neighbours are
/// averaged with it. Variances are relative to the squares of scales (absorption coefficient of a
/// cell, emissivity of a wall), which estimates are proportional to, other things being equal. An
/// origin without scale finds exactly nothing.
template <class Trace>
ERMINE_FUNCTION Estimate pooled_estimate(const Trace& trace, const Tally* tallies,
                                         const CellKinds& kinds, typename Trace::Origin origin) {
  const Tally& tally = tallies[origin.value];
  if (tally.count() < 2) return {tally.mean(), HUGE_VAL};
  const double scale = static_cast<double>(trace.scale(origin));
  if (!is_scale(scale)) return {tally.mean(), 0.0};
  const double emitted = kinds.emitted(origin.value);
  double squares = 0.0;
  double freedom = 0.0;
  const int reach = pooled_reach(trace.origin_count());
  trace.tiles().each_near(origin, reach, [&](typename Trace::Origin neighbour, int squared) {
    const Tally& other = tallies[neighbour.value];
    const double of_other = static_cast<double>(trace.scale(neighbour));
    if (other.count() < 2 || !is_scale(of_other)) return;
    if (!kinds.alike(origin.value, neighbour.value)) return;
    const double weight = pooled_weight(squared, emitted, kinds.emitted(neighbour.value));
    squares += weight * other.squares() / (of_other * of_other);
    freedom += weight * (other.count() - 1);
  });
  return {tally.mean(), scale * std::sqrt(squares / (freedom * tally.count()))};
}

}  // namespace ermine
