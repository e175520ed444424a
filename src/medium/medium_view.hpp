#pragma once

#include "core/id.hpp"

namespace ermine {

/// What a ray meets in a cell at one spectral point.
template <class Real>
struct GasState {
  Real absorption;  ///< k_s(T) [1/m]
  Real intensity;   ///< I_s(T) [W/(m2 sr)]
};

/// A medium sees a temperature as one number, its coordinate, computed once per cell and wall face
/// cell before rays are traced. Every medium view answers
///   at(point, cell, coordinate) and blackbody(point, coordinate)
/// for its own kind of spectral Point, and scale(cell), how much there is in a cell that absorbs,
/// in any unit. Gas and walls of equal temperature have equal coordinates, hence bitwise equal
/// intensities.

/// Grey gas: the coordinate is the intensity sigma T^4 / pi itself.
template <class Real>
struct GreyView {
  using RealType = Real;
  using Point = PointId;

  const Real* absorption;
  int stride;  ///< 1: one coefficient per cell; 0: one for all

  ERMINE_FUNCTION GasState<Real> at(PointId, CellId cell, Real coordinate) const {
    return {absorption[cell.value * stride], coordinate};
  }
  ERMINE_FUNCTION Real blackbody(PointId, Real coordinate) const { return coordinate; }
  ERMINE_FUNCTION Real scale(CellId cell) const { return absorption[cell.value * stride]; }
};

/// A spectral point at one temperature node, and the way to the next: one load on a GPU.
template <class Real>
struct alignas(4 * sizeof(Real)) PointNode {
  Real absorption;       ///< k_s [1/m]
  Real absorption_rise;  ///< to the next node
  Real intensity;        ///< I_s [W/(m2 sr)]
  Real intensity_rise;
};

/// List of spectral points, in order of k: the coordinate is the (fractional) number of the
/// temperature node. Nothing rises from the last node, which needs no care therefore.
template <class Real>
struct PointTableView {
  using RealType = Real;
  using Point = PointId;

  const PointNode<Real>* node;  ///< point * nodes + node
  int nodes;

  ERMINE_FUNCTION GasState<Real> at(PointId point, CellId, Real coordinate) const {
    const int lower = static_cast<int>(coordinate);
    const Real fraction = coordinate - static_cast<Real>(lower);
    const PointNode<Real> low = node[point.value * nodes + lower];
    return {low.absorption + fraction * low.absorption_rise,
            low.intensity + fraction * low.intensity_rise};
  }
  ERMINE_FUNCTION Real blackbody(PointId point, Real coordinate) const {
    return at(point, CellId{0}, coordinate).intensity;
  }
  ERMINE_FUNCTION Real scale(CellId) const { return 1; }
};

}  // namespace ermine
