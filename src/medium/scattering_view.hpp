#pragma once

#include "core/id.hpp"
#include "core/sin_cos.hpp"
#include "core/vec3.hpp"
#include "sampling/ray_stream.hpp"

#include <cmath>

namespace ermine {

/// Cosine of the angle of scattering, distributed as Henyey and Greenstein have it
/// (L. G. Henyey & J. L. Greenstein, Astrophys. J. 93, 70, 1941), from u uniform in (0, 1):
///   (1 + g^2 - ((1 - g^2) / (1 + g s))^2) / (2 g),   s = 2 u - 1,
/// in a form that holds for g = 0 too and loses no digits near it.
template <class Real>
ERMINE_FUNCTION Real scattering_cosine(Real asymmetry, Real u) {
  const Real s = 2 * u - 1;
  const Real ahead = 1 + asymmetry * s;
  const Real ratio = (1 - asymmetry * asymmetry) / ahead;
  const Real cosine = asymmetry / 2 + (s + asymmetry) * (1 + ratio) / (2 * ahead);
  return cosine < -1 ? Real(-1) : (cosine > 1 ? Real(1) : cosine);
}

/// A unit vector at an angle from `direction`, `turns` of a circle around it. The basis is that of
/// T. Duff et al., J. Computer Graphics Techniques 6 (1), 2017.
template <class Real>
ERMINE_FUNCTION Vec3<Real> turned(const Vec3<Real>& direction, Real cosine, Real turns) {
  const Real x = direction[0], y = direction[1], z = direction[2];
  const Real sign = z < 0 ? Real(-1) : Real(1);
  const Real a = -1 / (sign + z);
  const Real b = x * y * a;
  const SinCos<Real> phi = sin_cos_of_turns(turns);
  const Real rho = std::sqrt((1 - cosine) * (1 + cosine));
  const Real along = rho * phi.cosine;
  const Real across = rho * phi.sine;
  const Vec3<Real> sum{{cosine * x + along * (1 + sign * x * x * a) + across * b,
                        cosine * y + along * sign * b + across * (sign + y * y * a),
                        cosine * z - along * sign * x - across * y}};
  // Rounding must not add up over many scatterings.
  const Real length = std::sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
  return {{sum[0] / length, sum[1] / length, sum[2] / length}};
}

inline constexpr int most_scattering_classes = 8;

/// Scattering coefficients of the cells of all levels.
template <class Real>
struct ScatteringView {
  struct Class {
    const Real* coefficient;  ///< [1/m]
    int stride;               ///< 1: one coefficient per cell; 0: one for all
    Real asymmetry;
  };
  Class of[most_scattering_classes];
  int classes = 0;  ///< 0: nothing scatters

  /// Of all classes together [1/m].
  ERMINE_FUNCTION Real coefficient(CellId cell) const {
    Real sum = 0;
    for (int c = 0; c < classes; ++c) sum += of[c].coefficient[cell.value * of[c].stride];
    return sum;
  }

  /// Optical depth until a ray is scattered, from one word.
  ERMINE_FUNCTION static Real depth(const Draw& draw, int word) {
    return -std::log(draw.uniform<Real>(word));
  }

  /// Direction after light is scattered in a cell, of a class drawn by its share there.
  ERMINE_FUNCTION Vec3<Real> scatter(CellId cell, const Vec3<Real>& direction,
                                     const Draw& draw) const {
    Real left = classes > 1 ? draw.uniform<Real>(3) * coefficient(cell) : Real(0);
    int chosen = 0;
    for (int c = 0; c + 1 < classes; ++c) {
      left -= of[c].coefficient[cell.value * of[c].stride];
      if (left < 0) break;
      chosen = c + 1;
    }
    const Real cosine = scattering_cosine(of[chosen].asymmetry, draw.uniform<Real>(0));
    return turned(direction, cosine, draw.uniform<Real>(1));
  }
};

}  // namespace ermine
