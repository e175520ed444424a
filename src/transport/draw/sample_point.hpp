#pragma once

#include "core/decay.hpp"
#include "core/id.hpp"
#include "sampling/ordered_uniforms.hpp"
#include "sampling/ray_stream.hpp"

#include <cstdint>

namespace ermine {

/// Draws the entries of a list for the rays of one batch, from the last two words of each ray's
/// draw: independently, or the same entries in increasing order of k (the list is in that order).
struct EntrySampler {
  /// Random: sum of p over entries 0..s, the last one is 1. Sorted: -ln(1 - sum), the last
  /// infinite.
  const double* cumulative;
  const int* guide;  ///< [g]: entry that holds u = g / guides
  int guides;        ///< a power of two
  int sorted;

  ERMINE_FUNCTION int operator()(const Draw& draw, OrderedUniforms& ordered) const {
    const double quantile = sorted ? ordered.next(draw.word[2]) : draw.fine_uniform();
    return holding(quantile, sorted ? 1.0f - decay(static_cast<float>(quantile))
                                    : static_cast<float>(quantile));
  }

  /// Entry at u of the distribution, which must not be sorted.
  ERMINE_FUNCTION int at(double u) const { return holding(u, static_cast<float>(u)); }

 private:
  /// Inverts the distribution, starting at a good guess (H.-C. Chen & Y. Asau, AIIE Trans. 6,
  /// 1974).
  ERMINE_FUNCTION int holding(double quantile, float u) const {
    const int bucket = static_cast<int>(u * static_cast<float>(guides));
    int entry = guide[bucket < guides ? bucket : guides - 1];
    while (entry > 0 && quantile < cumulative[entry - 1]) --entry;
    while (quantile >= cumulative[entry]) ++entry;
    return entry;
  }
};

/// Spectral point of a list.
template <class RealType>
struct PointSampler {
  using Real = RealType;
  using Point = PointId;

  EntrySampler sample_entry;
  const int* order;                 ///< point of each entry; null: they are the same
  const Real* inverse_probability;  ///< 1 / p_s
  const Real* usual_absorption;     ///< of the whole scene [1/m], see leave_cell()

  ERMINE_FUNCTION PointId operator()(const Draw& draw, OrderedUniforms& ordered) const {
    return point_of(sample_entry(draw, ordered));
  }

  ERMINE_FUNCTION PointId at(double u) const { return point_of(sample_entry.at(u)); }

  ERMINE_FUNCTION Real weight(PointId point) const { return inverse_probability[point.value]; }

 private:
  ERMINE_FUNCTION PointId point_of(int entry) const {
    return PointId{order ? order[entry] : entry};
  }
};

}  // namespace ermine
