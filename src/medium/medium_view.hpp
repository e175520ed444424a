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
/// for its own kind of spectral Point.
/// Gas and walls of equal temperature have equal coordinates, hence bitwise equal intensities.

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
};

/// Spectral list: the coordinate is the (fractional) number of the temperature node.
template <class Real>
struct SpectralListView {
  using RealType = Real;
  using Point = PointId;

  const GasState<Real>* rows;  ///< rows[point * nodes + node]
  int nodes;

  ERMINE_FUNCTION GasState<Real> at(PointId point, CellId, Real coordinate) const {
    const Real fraction = coordinate - static_cast<Real>(node(coordinate));
    const GasState<Real>* row = row_at(point, coordinate);
    return {row[0].absorption + fraction * (row[1].absorption - row[0].absorption),
            row[0].intensity + fraction * (row[1].intensity - row[0].intensity)};
  }
  ERMINE_FUNCTION Real blackbody(PointId point, Real coordinate) const {
    return at(point, CellId{0}, coordinate).intensity;
  }

 private:
  /// The last node belongs to the last interval.
  ERMINE_FUNCTION int node(Real coordinate) const {
    const int lower = static_cast<int>(coordinate);
    return lower < nodes - 1 ? lower : nodes - 2;
  }
  ERMINE_FUNCTION const GasState<Real>* row_at(PointId point, Real coordinate) const {
    return rows + static_cast<long long>(point.value) * nodes + node(coordinate);
  }
};

}  // namespace ermine
