#pragma once

#include "medium/gas_view.hpp"
#include "sampling/ray_stream.hpp"
#include "transport/sample_point.hpp"

namespace ermine {

/// Spectral point of a gas or mixture: a band and, independently for each species, one of its
/// rows there (random overlap).
///
/// Rays of the gas follow the paper's p ~ k(Tmax) I(Tmax). The k of a mixture is a sum over its
/// species, so p is a mixture of distributions: one species draws band and row from its own
/// k(Tmax) I(Tmax), the others draw their rows by quadrature weight alone. Rays of walls draw the
/// band as PointDensity has it and all rows by weight.
template <class RealType, int most>
struct GasPointSampler {
  using Real = RealType;
  using Point = GasPoint<most>;

  struct Component {
    const double* emission;  ///< per row: amount x k(Tmax) x I(Tmax)
    const int* first_row;    ///< per band of the medium, -1: transparent
    const int* band;         ///< per band of the component
    int first_entry;         ///< of the component
  };

  EntrySampler sample_entry;        ///< among all rows of all components, or among bands
  const int* entry;                 ///< in the order of the sampler
  const double* wall;               ///< per band: what p of rays of walls is proportional to
  const double* cumulative_weight;  ///< of the quadrature
  double total;                     ///< sum of what p is proportional to; 0: nothing shines
  int points;                       ///< of the quadrature
  int components;
  int from_walls;  ///< 1: draws bands, 0: rows
  Component component[most];

  ERMINE_FUNCTION Point operator()(const Draw& draw, OrderedUniforms& ordered,
                                   RayStream& stream) const {
    return complete(entry[sample_entry(draw, ordered)], stream);
  }

  /// The rows of the other species come from `stream`.
  ERMINE_FUNCTION Point at(double u, RayStream& stream) const {
    return complete(entry[sample_entry.at(u)], stream);
  }

  /// Product of the quadrature weights of the point over its probability.
  ERMINE_FUNCTION Real weight(const Point& point) const {
    double strength = 0.0;
    if (from_walls) {
      strength = wall[point.band];
    } else {
      for (int c = 0; c < components; ++c) {
        if (point.row[c] >= 0) strength += component[c].emission[point.row[c]];
      }
    }
    return strength > 0 ? static_cast<Real>(total / strength) : Real(0);
  }

 private:
  ERMINE_FUNCTION Point complete(int drawn, RayStream& stream) const {
    int chosen = -1;
    Point point{drawn, {}};
    if (!from_walls) {
      chosen = 0;
      while (chosen + 1 < components && drawn >= component[chosen + 1].first_entry) ++chosen;
      const int row = drawn - component[chosen].first_entry;
      point.band = component[chosen].band[row / points];
      point.row[chosen] = row;
    }
    if (from_walls || components > 1) {
      const Draw others = stream.next();
      for (int c = 0; c < components; ++c) {
        if (c == chosen) continue;
        const int first = component[c].first_row[point.band];
        const int offset = draw_from(cumulative_weight, points, others.template uniform<double>(c));
        point.row[c] = first < 0 ? -1 : first + offset;
      }
    }
    return point;
  }
};

}  // namespace ermine
