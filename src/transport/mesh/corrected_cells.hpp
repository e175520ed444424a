#pragma once

#include "core/constants.hpp"
#include "core/thread_count.hpp"
#include "transport/mesh/mesh_correction.hpp"
#include "transport/mesh/stencil.hpp"
#include "transport/mesh/temperature_tables.hpp"
#include "transport/run/gather.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ermine {

/// Sums up the correction of the cells of a box, and of their wall faces, of one temperature field.
class CorrectedCells {
 public:
  /// References must outlive it.
  CorrectedCells(const Grid& grid, const Walls& walls, const TemperatureField& temperature,
                 std::span<const char> transparent, std::span<const char> rough,
                 const Options& options, const Box& box);

  double coldest() const { return coldest_; }  ///< gas [K]
  double hottest() const { return hottest_; }

  /// Of one spectral point with state(cell, kelvin), which may differ from cell to cell, and the
  /// weight with which its intensity counts. Averages: the flux from cell i through each face is
  ///   -2 pi psi (I - I_i),   at walls of emissivity e times e.
  /// Values at points:
  ///   Q_i = -(4 pi / 3 h_i) sum over faces of
  ///         (1 - g) <1/k> (I - I_i) / d + (g - f) (I - I_i) / (k_i h_i),   at walls
  ///         omega <1/k> (I - I_i) / (h_i / 2).
  /// Values at points in cells of a smaller optical thickness than `thinnest` along all axes are
  /// left as they are.
  template <class State>
  void add_point(double weight, const State& state, double thinnest = 0.0);

  /// Of all spectral points of a medium that is the same everywhere.
  void add_tables(TemperatureTables& tables);

  CorrectionField take() { return std::move(field_); }

 private:
  struct WallSite {
    std::size_t face;
    std::size_t face_cell;
    double emissivity;
    Reflection reflection;
    double difference;  ///< of temperature from the cell, limited [K]; 0: the wall has none
  };

  /// Row of tables of each cell along an axis, or of its low and high face.
  using CellRows = std::array<std::vector<std::size_t>, 3>;
  using FaceRows = std::array<std::vector<std::array<std::size_t, 2>>, 3>;

  /// Whether rays of a cell start all over it: it is corrected by fluxes through its faces.
  bool averages(std::size_t cell) const {
    return rough_.empty() ? all_average_ : rough_[cell] != 0;
  }
  CellRows cell_rows(std::vector<TemperatureTables::Row>& rows) const;
  FaceRows face_rows(std::vector<TemperatureTables::Row>& rows) const;
  // Corrections of a cell, -Q [W/m3], which also add to the fluxes of its walls:
  double flux_of_tables(const TemperatureTables& tables, const FaceRows& row, std::size_t cell,
                        const std::array<std::size_t, 3>& at);
  double term_of_tables(const TemperatureTables& tables, const CellRows& row, std::size_t cell,
                        const std::array<std::size_t, 3>& at);
  template <class State>
  double flux_of_point(double weight, const State& state, std::span<const GasState<double>> states,
                       std::size_t cell, const std::array<std::size_t, 3>& at);
  template <class State>
  double term_of_point(double weight, const State& state, std::span<const GasState<double>> states,
                       std::size_t cell, const std::array<std::size_t, 3>& at);
  template <class Visit>
  void each_cell(const Visit& visit);
  WallSite wall_site(std::size_t cell, const std::array<std::size_t, 3>& at, std::size_t axis,
                     std::size_t side) const;
  void add_wall_flux(const WallSite& wall, double flux) {
    auto& fluxes = field_.wall_flux[wall.face];
    if (!fluxes.empty()) fluxes[wall.face_cell] += flux;
  }

  const Grid& grid_;
  const Walls& walls_;
  const TemperatureField& temperature_;
  std::span<const char> transparent_;  ///< empty: no cell is
  Stencil stencil_;
  std::array<std::vector<double>, 3> log_width_;  ///< of cells along each axis
  double widest_ = 0.0;                           ///< of all cells and axes [m]
  int threads_;
  bool all_average_;
  std::span<const char> rough_;  ///< see rough_cells()
  Box box_;
  std::array<Structures, 3> structures_;  ///< of the temperature, along each axis
  double coldest_;
  double hottest_;
  CorrectionField field_;
};

template <class Visit>
void CorrectedCells::each_cell(const Visit& visit) {
  const std::size_t nx = grid_.cells(0);
  const std::size_t ny = grid_.cells(1);
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
#pragma omp parallel for collapse(2) schedule(static) num_threads(threads_)
  for (std::size_t k = at(box_.begin[2]); k < at(box_.end[2]); ++k) {
    for (std::size_t j = at(box_.begin[1]); j < at(box_.end[1]); ++j) {
      for (std::size_t i = at(box_.begin[0]); i < at(box_.end[0]); ++i) {
        const std::size_t cell = (k * ny + j) * nx + i;
        field_.flux_divergence[cell] -= visit(cell, std::array{i, j, k});
      }
    }
  }
}

template <class State>
void CorrectedCells::add_point(double weight, const State& state, double thinnest) {
  const double least = std::max(least_corrected_absorption, thinnest / widest_);
  // As temperatures lie; the medium of a field in parts is the same in all cells.
  const std::span<const double> kelvin = temperature_.finest();
  std::vector<GasState<double>> states(kelvin.size());
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t i = 0; i < states.size(); ++i) states[i] = state(i, kelvin[i]);
  each_cell([&](std::size_t cell, const std::array<std::size_t, 3>& at) {
    const bool average = averages(cell);
    const double from = average ? least_corrected_absorption : least;
    if (!(states[temperature_.place(cell)].absorption > from)) return 0.0;
    return average ? flux_of_point(weight, state, states, cell, at)
                   : term_of_point(weight, state, states, cell, at);
  });
}

template <class State>
double CorrectedCells::term_of_point(double weight, const State& state,
                                     std::span<const GasState<double>> states, std::size_t cell,
                                     const std::array<std::size_t, 3>& at) {
  const CellFactorTable& factors = CellFactorTable::instance();
  // Mean of 1/k across a face. Gas that hardly absorbs does not count, whatever its temperature.
  const auto mean_free_path = [](double k, double other) {
    return 0.5 * (1 / k + 1 / std::max(other, k / 3));
  };
  const auto counts = [](double k, double other) { return std::min(1.0, 3 * other / k); };
  const auto [k, intensity] = states[temperature_.place(cell)];
  const double log_k = std::log(k);
  CellFactors of_width;
  double known_width = 0.0;
  double sum = 0.0;
  for (const std::size_t a : {0, 1, 2}) {
    const double h = stencil_.width(a, at[a]);
    if (h != known_width) of_width = factors(log_k + log_width_[a][at[a]]);
    known_width = h;
    const CellFactors own = of_width.for_structures(k * h, structures_[a], k);
    for (const std::size_t side : {0, 1}) {
      const Neighbour& face = stencil_.neighbour(a, at[a], side);
      if (face.wall) {
        const WallSite wall = wall_site(cell, at, a, side);
        if (wall.difference == 0) continue;
        const GasState<double> there = state(cell, temperature_[cell] + wall.difference);
        const double rise = there.intensity - intensity;
        const double omega =
            wall.emissivity * own.black_wall + (1 - wall.emissivity) * own.white(wall.reflection);
        sum += omega * mean_free_path(k, there.absorption) * rise / (h * h / 2);
        add_wall_flux(wall, weight * wall.emissivity * 2 * constants::pi * own.wall_flux * rise);
        continue;
      }
      const GasState<double>& there = states[temperature_.place(face.from(cell))];
      const double rise = counts(k, there.absorption) * (there.intensity - intensity);
      sum += rise * (own.gradient * mean_free_path(k, there.absorption) / (h * face.distance) +
                     (own.curvature - own.gradient) / (k * h * h));
    }
  }
  return weight * 4 * constants::pi / 3 * sum;
}

template <class State>
double CorrectedCells::flux_of_point(double weight, const State& state,
                                     std::span<const GasState<double>> states, std::size_t cell,
                                     const std::array<std::size_t, 3>& at) {
  const CellFactorTable& factors = CellFactorTable::instance();
  // 2 pi psi of a face, with the mean optical thickness of the two cells.
  const auto conductance = [&](std::size_t axis, double tau, double k) {
    const CellFactors of_face = factors(std::log(tau)).for_structures(tau, structures_[axis], k);
    return 4 * constants::pi / 3 * of_face.exchange / tau;
  };
  const auto [k, intensity] = states[temperature_.place(cell)];
  double sum = 0.0;
  for (const std::size_t a : {0, 1, 2}) {
    const double h = stencil_.width(a, at[a]);
    for (const std::size_t side : {0, 1}) {
      const Neighbour& face = stencil_.neighbour(a, at[a], side);
      if (face.wall) {
        const WallSite wall = wall_site(cell, at, a, side);
        if (wall.difference == 0) continue;
        const double there = state(cell, temperature_[cell] + wall.difference).intensity;
        const double flux = wall.emissivity * conductance(a, k * h, k) * (there - intensity);
        sum += flux / h;
        add_wall_flux(wall, weight * flux);
        continue;
      }
      const GasState<double>& there = states[temperature_.place(face.from(cell))];
      if (!(there.absorption > least_corrected_absorption)) continue;
      const double tau = (k * h + there.absorption * (2 * face.distance - h)) / 2;
      // Where one hardly absorbs there is a surface, not a gradient.
      const auto [less, more] = std::minmax(k, there.absorption);
      sum += std::min(1.0, 3 * less / more) * conductance(a, tau, tau / face.distance) *
             (there.intensity - intensity) / h;
    }
  }
  return weight * sum;
}

}  // namespace ermine
