#pragma once

#include "medium/medium_view.hpp"
#include "transport/mesh/cell_factors.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace ermine {

/// a D + b D^2 / 2 for a difference D of temperatures [K].
struct Quadratic {
  double linear = 0.0;
  double square = 0.0;

  double operator()(double difference) const {
    return difference * (linear + 0.5 * difference * square);
  }
  friend Quadratic operator+(const Quadratic& a, const Quadratic& b) {
    return {a.linear + b.linear, a.square + b.square};
  }
  friend Quadratic operator*(double factor, const Quadratic& a) {
    return {factor * a.linear, factor * a.square};
  }
};

/// Terms of a cell for a face to another: the one over h d, the other over h^2
/// (docs/theory/mesh.md).
struct FaceTerms {
  Quadratic gradient;
  Quadratic curvature;
};

/// Terms of a cell for a face to a wall: over h^2, for emissivity 1 and 0; and of the wall's flux.
struct WallTerms {
  Quadratic black;
  std::array<Quadratic, 2> white;  ///< by ermine::Reflection
  Quadratic flux;
};

/// How a spectral point changes with temperature.
struct PointSlopes {
  double absorption;         ///< k [1/m]
  double absorption_slope;   ///< dk/dT
  double intensity_slope;    ///< dI/dT, with the point's weight
  double intensity_curving;  ///< d2I/dT2
};

/// Sums over spectral points at one temperature, sorted by ln k into bins; between the centres of
/// two bins a point belongs to both.
class AbsorptionBins {
 public:
  void add(const PointSlopes& point);
  FaceTerms face(double width, const Structures& field) const;
  WallTerms wall(double width, const Structures& field) const;
  /// (4 pi / 3 d) sum of (1 - f) I' / k: heat that crosses a face too little, per difference of the
  /// temperatures a distance d apart [W/(m2 K)].
  double conductance(double distance, const Structures& field) const;

 private:
  struct Bin {
    double slope = 0.0;     ///< sum of I' / k
    double curving = 0.0;   ///< sum of I'' / k
    double gradient = 0.0;  ///< sum of (1/k)' I'
  };
  template <class Visit>
  void each(double width, const Structures& field, const Visit& visit) const;

  int first_ = 0;
  std::vector<Bin> bins_;
};

/// Corrections for a medium that is the same everywhere: functions of temperature, one row of them
/// for each kind of cell.
class TemperatureTables {
 public:
  struct Position {
    std::size_t node;
    double part;
  };
  struct Row {
    double width;      ///< of the cells along an axis [m]
    Structures field;  ///< along it
    bool at_wall;      ///< some of them have a wall
  };

  /// Nodes for temperatures from coldest to hottest [K].
  TemperatureTables(double coldest, double hottest);

  std::span<const double> nodes() const { return nodes_; }
  std::vector<AbsorptionBins>& bins() { return bins_; }  ///< to be filled, one of each node

  /// Once bins are full: what face() and wall() need.
  void tabulate(std::span<const Row> rows, int threads);
  /// The same for potential(). Widths are then distances between neighbours.
  void tabulate_fluxes(std::span<const Row> rows, int threads);

  Position position(double kelvin) const;
  FaceTerms face(std::size_t row, const Position& at) const;
  WallTerms wall(std::size_t row, const Position& at) const;
  /// Integral of the conductance over temperature: its difference between two cells is the flux
  /// from the one to the other that the march leaves out [W/m2].
  double potential(std::size_t row, const Position& at) const;

 private:
  std::vector<double> nodes_;  ///< equally spaced [K]
  std::vector<AbsorptionBins> bins_;
  std::vector<FaceTerms> face_;      ///< row * nodes + node
  std::vector<WallTerms> wall_;      ///< the same; empty ones where there is no wall
  std::vector<double> conductance_;  ///< the same
  std::vector<double> potential_;    ///< the same
};

}  // namespace ermine
