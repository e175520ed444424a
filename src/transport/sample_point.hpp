#pragma once

#include "core/id.hpp"
#include "sampling/ray_stream.hpp"

namespace ermine {

/// Number of the interval of a cumulative distribution, whose last entry is 1, that holds u.
ERMINE_FUNCTION int draw_from(const double* cumulative, int count, double u) {
  int low = 0;
  int high = count - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (u < cumulative[middle]) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// Spectral point drawn with probability p_s by inverting its cumulative distribution,
/// from the last two words of a draw.
template <class Real>
struct PointSampler {
  const double* cumulative;         ///< sum of p over points 0..s; the last entry is 1
  const Real* inverse_probability;  ///< 1 / p_s
  int points;

  ERMINE_FUNCTION PointId operator()(const Draw& draw) const {
    return PointId{draw_from(cumulative, points, draw.fine_uniform())};
  }
  /// As media with several species need it, which go on drawing.
  ERMINE_FUNCTION PointId operator()(const Draw& draw, RayStream&) const { return (*this)(draw); }

  ERMINE_FUNCTION Real weight(PointId point) const { return inverse_probability[point.value]; }
};

}  // namespace ermine
