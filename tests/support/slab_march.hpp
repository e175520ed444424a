#pragma once

#include <ermine/options.hpp>
#include <ermine/walls.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace ermine::test {

/// One spectral point of a layer of cells between two walls, each cell of one k and one I.
struct SlabCells {
  std::vector<double> width;             ///< [m]
  std::vector<double> absorption;        ///< [1/m]
  std::vector<double> intensity;         ///< [W/(m2 sr)]
  std::array<double, 2> wall_intensity;  ///< [W/(m2 sr)]
  std::array<double, 2> emissivity{1, 1};
  Reflection reflection = Reflection::diffuse;
};

struct SlabMarch {
  std::vector<double> flux_divergence;  ///< [W/m3]
  std::array<double, 2> wall_flux{};    ///< emission less absorption [W/m2]
};

/// What all rays from the centres of cells, or from all over them, and from wall faces find on
/// average: the limit of the Monte Carlo solution on one level for infinitely many rays, by
/// quadrature over directions.
inline SlabMarch march_slab(const SlabCells& slab, StartPoint start_point = StartPoint::point) {
  // Gauss points in intervals that halve towards mu = 0.
  constexpr std::array<std::array<double, 2>, 4> gauss{{{0.183434642495650, 0.362683783378362},
                                                        {0.525532409916329, 0.313706645877887},
                                                        {0.796666477413627, 0.222381034453374},
                                                        {0.960289856497536, 0.101228536290376}}};
  std::vector<std::array<double, 2>> directions;  // mu, weight
  double high = 1.0;
  for (int interval = 0; interval < 16; ++interval) {
    const double low = interval == 15 ? 0.0 : high / 2;
    for (const auto& [node, weight] : gauss) {
      for (const double side : {-node, node}) {
        directions.push_back(
            {(low + high) / 2 + side * (high - low) / 2, weight * (high - low) / 2});
      }
    }
    high = low;
  }
  const std::size_t n = slab.width.size();
  // Sweeps from wall `from` with intensity `start` there; visit(cell, intensity at its
  // centre, or its mean).
  const auto sweep = [&](double mu, int from, double start, const auto& visit) {
    double arriving = start;
    for (std::size_t step = 0; step < n; ++step) {
      const std::size_t i = from == 0 ? step : n - 1 - step;
      const double tau = slab.absorption[i] * slab.width[i] / mu;
      const double share =
          start_point == StartPoint::point ? std::exp(-tau / 2) : -std::expm1(-tau) / tau;
      visit(i, slab.intensity[i] + (arriving - slab.intensity[i]) * share);
      arriving = slab.intensity[i] + (arriving - slab.intensity[i]) * std::exp(-tau);
    }
    return arriving;
  };
  const auto ignore = [](std::size_t, double) {};
  // Means over directions (diffuse), or each direction by itself (specular), of what arrives at a
  // wall from gas alone, and of what is left of the other wall's radiation.
  const auto leaving = [&](const std::array<double, 2>& gas, double through) {
    // L_w = e_w I_w + (1 - e_w) (gas_w + through L_other)
    std::array<double, 2> own;
    std::array<double, 2> of_other;
    for (const std::size_t w : {0, 1}) {
      const double white = 1 - slab.emissivity[w];
      own[w] = slab.emissivity[w] * slab.wall_intensity[w] + white * gas[w];
      of_other[w] = white * through;
    }
    const double determinant = 1 - of_other[0] * of_other[1];
    return std::array{(own[0] + of_other[0] * own[1]) / determinant,
                      (own[1] + of_other[1] * own[0]) / determinant};
  };
  const auto arriving_from_gas = [&](double mu) {
    const double through = sweep(mu, 0, 1.0, ignore) - sweep(mu, 0, 0.0, ignore);
    return std::array{sweep(mu, 1, 0.0, ignore), sweep(mu, 0, 0.0, ignore), through};
  };
  std::array<double, 3> mean{};
  for (const auto& [mu, weight] : directions) {
    const auto found = arriving_from_gas(mu);
    for (const std::size_t i : {0, 1, 2}) mean[i] += 2 * mu * weight * found[i];
  }
  SlabMarch result;
  result.flux_divergence.assign(n, 0.0);
  const auto diffuse = leaving({mean[0], mean[1]}, mean[2]);
  constexpr double pi = std::numbers::pi;
  for (const auto& [mu, weight] : directions) {
    auto leaves = diffuse;
    if (slab.reflection == Reflection::specular) {
      const auto found = arriving_from_gas(mu);
      leaves = leaving({found[0], found[1]}, found[2]);
    }
    for (const int from : {0, 1}) {
      const auto start = static_cast<std::size_t>(from);
      const double arrived = sweep(mu, from, leaves[start], [&](std::size_t i, double in_cell) {
        result.flux_divergence[i] +=
            2 * pi * slab.absorption[i] * weight * (slab.intensity[i] - in_cell);
      });
      const std::size_t end = 1 - start;
      result.wall_flux[end] +=
          2 * pi * mu * weight * slab.emissivity[end] * (slab.wall_intensity[end] - arrived);
    }
  }
  return result;
}

}  // namespace ermine::test
