#pragma once

#include <ermine/medium.hpp>

#include "backend/in_place.hpp"
#include "core/unset_vector.hpp"
#include "medium/emission_term.hpp"
#include "medium/medium_view.hpp"
#include "medium/point_rows.hpp"
#include "medium/temperature_position.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace ermine {

/// Owns the nodes behind a PointTableView: spectral points in order of k.
template <class Real>
class PointTableStorage {
 public:
  using View = PointTableView<Real>;

  /// `threads` of the CPU build it.
  explicit PointTableStorage(const PointRows& rows, int threads = 1)
      : position_(rows.temperature), covered_(rows.covered), threads_(threads) {
    const std::size_t nodes = temperature().size();
    const std::size_t points = rows.absorption.size() / nodes;
    ERMINE_REQUIRE(rows.absorption.size() <= std::numeric_limits<int>::max(),
                   "the list of spectral points has {} values, give at most 2^31 - 1",
                   rows.absorption.size());
    nodes_.resize(points * nodes);
    const std::vector<std::size_t> order = rows.by_absorption();
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t point = 0; point < points; ++point) {
      const double* k = rows.absorption.data() + order[point] * nodes;
      const double* intensity = rows.intensity.data() + order[point] * nodes;
      for (std::size_t t = 0; t < nodes; ++t) {
        const std::size_t next = std::min(t + 1, nodes - 1);
        nodes_[point * nodes + t] = {static_cast<Real>(k[t]), static_cast<Real>(k[next] - k[t]),
                                     static_cast<Real>(intensity[t]),
                                     static_cast<Real>(intensity[next] - intensity[t])};
      }
    }
    tabulate_emission();
  }

  template <class Place = InPlace>
  View view(const Place& place = {}) const {
    return {place.kept(copies_)(nodes_), static_cast<int>(temperature().size())};
  }

  std::size_t bytes() const { return nodes_.size() * sizeof(PointNode<Real>); }

  /// All cells hold the same gas.
  std::vector<double> emitting() const { return {}; }

  /// Whether the gas may be so hot.
  bool covers(double temperature) const { return covered_.hold(temperature); }
  double coordinate(double temperature) const {
    covered_.check_gas(temperature);
    return position_(temperature);
  }
  double wall_coordinate(double temperature) const {
    covered_.check_wall(temperature);
    ERMINE_REQUIRE(temperature >= position_.nodes().front(),
                   "wall temperature {} K is below the spectral data (from {} K), keep it above",
                   temperature, position_.nodes().front());
    return position_(temperature);
  }

  std::vector<PointStrength> strengths(const PointDensity& density) const {
    std::vector<PointStrength> strengths(nodes_.size() / temperature().size());
    const Real hot = position_within(density.hottest);
    const Real cold = position_within(density.coldest);
    const Real wall_hot = position_within(density.wall_hottest);
    const Real wall_cold = position_within(density.wall_coldest);
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t point = 0; point < strengths.size(); ++point) {
      const PointId id{static_cast<int>(point)};
      const auto intensity_at = [&](Real position) {
        return static_cast<double>(view().at(id, CellId{0}, position).intensity);
      };
      const GasState<Real> largest = this->largest(point);
      strengths[point] = point_strength(
          density,
          {.hottest_absorption = static_cast<double>(view().at(id, CellId{0}, hot).absorption),
           .largest_absorption = static_cast<double>(largest.absorption),
           .hottest_intensity = intensity_at(hot),
           .largest_intensity = static_cast<double>(largest.intensity),
           .coldest_intensity = intensity_at(cold),
           .between_walls = intensity_at(wall_hot) - intensity_at(wall_cold)});
    }
    return strengths;
  }

  /// Power emitted per volume [W/m3]: 4 pi sum_s k_s I_s, exact for rows linear between nodes.
  double emission(CellId, double coordinate) const {
    const auto node =
        std::min(static_cast<std::size_t>(std::max(coordinate, 0.0)), emission_.size() - 1);
    const double fraction = coordinate - static_cast<double>(node);
    return emission_[node].at(fraction);
  }

 private:
  const std::vector<double>& temperature() const { return position_.nodes(); }

  /// Each thread has some nodes, and adds up the points in their order.
  void tabulate_emission() {
    constexpr std::size_t block = 8;  // neighbours share cache lines
    const std::size_t nodes = temperature().size();
    emission_.resize(nodes - 1);
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t first = 0; first < nodes - 1; first += block) {
      const std::size_t end = std::min(first + block, nodes - 1);
      for (std::size_t row = 0; row < nodes_.size(); row += nodes) {
        for (std::size_t t = first; t < end; ++t) {
          const PointNode<Real>& node = nodes_[row + t];
          emission_[t].add(
              static_cast<double>(node.absorption), static_cast<double>(node.absorption_rise),
              static_cast<double>(node.intensity), static_cast<double>(node.intensity_rise));
        }
      }
    }
  }

  /// Of temperatures that may lie outside: coordinate() refuses those.
  Real position_within(double kelvin) const {
    return static_cast<Real>(
        position_(std::clamp(kelvin, temperature().front(), temperature().back())));
  }

  GasState<Real> largest(std::size_t point) const {
    GasState<Real> largest{0, 0};
    for (std::size_t t = 0; t < temperature().size(); ++t) {
      const PointNode<Real>& node = nodes_[point * temperature().size() + t];
      largest.absorption = std::max(largest.absorption, node.absorption);
      largest.intensity = std::max(largest.intensity, node.intensity);
    }
    return largest;
  }

  NodePositions position_;  ///< among the temperatures of the nodes [K]
  CoveredTemperatures covered_;
  int threads_;
  UnsetVector<PointNode<Real>> nodes_;
  KeptCopies copies_;
  std::vector<EmissionTerm> emission_;
};

}  // namespace ermine
