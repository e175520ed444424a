#pragma once

#include "core/id.hpp"
#include "sampling/ray_stream.hpp"

namespace ermine {

/// Spectral point drawn with probability p_s by inverting its cumulative distribution,
/// from the last two words of a draw.
template <class Real>
struct PointSampler {
  const double* cumulative;         ///< sum of p over points 0..s; the last entry is 1
  const Real* inverse_probability;  ///< 1 / p_s
  int points;

  ERMINE_FUNCTION PointId operator()(const Draw& draw) const {
    const double u = draw.fine_uniform();
    int low = 0;
    int high = points - 1;
    while (low < high) {
      const int middle = low + (high - low) / 2;
      if (u < cumulative[middle]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return PointId{low};
  }

  ERMINE_FUNCTION Real weight(PointId point) const { return inverse_probability[point.value]; }
};

}  // namespace ermine
