#pragma once

#include "transport/march.hpp"
#include "transport/sample_point.hpp"

namespace ermine {

/// What one ray adds to the estimate of its cell or wall face cell.
template <class Real>
struct RayScore {
  Real value;
  int crossings;  ///< 0: nothing to trace
  RayEnd end;
};

/// Start of a ray within a cell of the given widths: distances from its low faces [m].
template <class Real>
struct StartSampler {
  int uniform;  ///< 1: anywhere in the cell; 0: at its centre, consuming no draw

  ERMINE_FUNCTION Vec3<Real> operator()(const GridView<Real>& grid, const Vec3<int>& index,
                                        RayStream& stream) const {
    Vec3<Real> fraction{{Real(0.5), Real(0.5), Real(0.5)}};
    if (uniform) {
      const Draw draw = stream.next();
      for (int a = 0; a < 3; ++a) fraction[a] = draw.uniform<Real>(a);
    }
    Vec3<Real> offset;
    for (int a = 0; a < 3; ++a) offset[a] = fraction[a] * grid.width[a][index[a]];
    return offset;
  }
};

/// One ray of a cell: Q_i = 4 pi sum_s k_s(T_i) <D_s>, estimated as 4 pi k_s(T_i) D / p_s [W/m3].
/// The paper's Algorithm 1: spectral point and direction at random.
template <class Medium, class Sampler = PointSampler<typename Medium::RealType>>
struct CellTracer {
  using Real = typename Medium::RealType;

  March<Medium> march;
  Sampler sample_point;
  StartSampler<Real> sample_start;
  std::uint64_t seed;
  std::uint32_t update;

  ERMINE_FUNCTION RayScore<Real> operator()(CellId cell, std::int64_t ray) const {
    RayStream stream(
        {seed, update, static_cast<std::uint32_t>(cell.value), static_cast<std::uint32_t>(ray)});
    const Draw draw = stream.next();
    const typename Medium::Point point = sample_point(draw, stream);
    const GasState<Real> gas = march.medium.at(point, cell, march.coordinate[cell.value]);
    if (!(gas.absorption > 0)) return {0, 0, RayEnd::absorbed};

    const Vec3<int> index = march.grid.index(cell);
    const Vec3<Real> offset = sample_start(march.grid, index, stream);
    const Vec3<Real> direction = IsotropicSampler<Real>{}(draw);
    const auto found = march({index, offset, direction}, point, gas.intensity, stream);
    const Real strength = static_cast<Real>(4 * constants::pi) * gas.absorption;
    return {strength * sample_point.weight(point) * found.difference, found.crossings, found.end};
  }
};

}  // namespace ermine
