#pragma once

#include "core/sin_cos.hpp"
#include "core/vec3.hpp"
#include "geometry/grid_view.hpp"
#include "sampling/ray_stream.hpp"

#include <cmath>

namespace ermine {

/// Direction uniform on the sphere, from the first two words of a draw: the first one alone gives
/// its component along the polar axis.
template <class Real>
struct IsotropicSampler {
  int polar = 2;

  ERMINE_FUNCTION Vec3<Real> operator()(const Draw& draw) const {
    const Real mu = 1 - 2 * draw.uniform<Real>(0);
    const SinCos<Real> phi = sin_cos_of_turns(draw.uniform<Real>(1));
    const Real rho = std::sqrt((1 - mu) * (1 + mu));
    const Real x = rho * phi.cosine;
    const Real y = rho * phi.sine;
    // Choices rather than an index, which would send the vector to a GPU's memory.
    return {{polar == 2 ? x : (polar == 1 ? y : mu), polar == 2 ? y : (polar == 1 ? mu : x),
             polar == 2 ? mu : (polar == 1 ? x : y)}};
  }
};

/// Direction leaving a wall, with density cos(theta) / pi about the normal into the gas
/// (diffuse emission and reflection), from the first two words of a draw.
template <class Real>
struct CosineSampler {
  int side;  ///< 2 * axis + (high ? 1 : 0)

  ERMINE_FUNCTION Vec3<Real> operator()(const Draw& draw) const {
    const Real square = draw.uniform<Real>(0);
    const Real mu = std::sqrt(square);
    const SinCos<Real> phi = sin_cos_of_turns(draw.uniform<Real>(1));
    const Real rho = std::sqrt(1 - square);
    const int axis = side / 2;
    const Real normal = side % 2 == 0 ? mu : -mu;
    const Real along = rho * phi.cosine;  // the first tangent
    const Real across = rho * phi.sine;   // the second one
    // Choices rather than an index, as above.
    return {{axis == 0 ? normal : along, axis == 0 ? along : (axis == 1 ? normal : across),
             axis == 2 ? normal : across}};
  }
};

}  // namespace ermine
