#pragma once

#include "core/sin_cos.hpp"
#include "core/vec3.hpp"
#include "geometry/grid_view.hpp"
#include "sampling/ray_stream.hpp"

#include <cmath>

namespace ermine {

/// Direction uniform on the sphere, from the first two words of a draw.
template <class Real>
struct IsotropicSampler {
  ERMINE_FUNCTION Vec3<Real> operator()(const Draw& draw) const {
    const Real mu = 1 - 2 * draw.uniform<Real>(0);
    const SinCos<Real> phi = sin_cos_of_turns(draw.uniform<Real>(1));
    const Real rho = std::sqrt((1 - mu) * (1 + mu));
    return {{rho * phi.cosine, rho * phi.sine, mu}};
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
    Vec3<Real> direction;
    direction[axis] = side % 2 == 0 ? mu : -mu;
    direction[first_tangent(axis)] = rho * phi.cosine;
    direction[second_tangent(axis)] = rho * phi.sine;
    return direction;
  }
};

}  // namespace ermine
