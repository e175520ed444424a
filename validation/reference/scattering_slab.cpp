#include "reference/scattering_slab.hpp"

#include "reference/quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

// Discrete ordinates for a plane layer (S. Chandrasekhar, Radiative Transfer, ch. 2; M. F. Modest,
// Radiative Heat Transfer, chapter on the method of discrete ordinates). Along a direction of
// cosine mu, with the extinction b = k + s,
//   mu dI/dx = b (S - I),   S(mu) = [k I_b + s sum over l of (2 l + 1) g^l P_l(mu) M_l] / b,
//   M_l = 1/2 integral of P_l I dmu,
// since the moments of Henyey and Greenstein's phase function are g^l.

namespace ermine::reference {
namespace {

/// Legendre polynomials P_0 to P_{count - 1}.
std::vector<double> legendre(double x, std::size_t count) {
  std::vector<double> p(count, 1.0);
  if (count > 1) p[1] = x;
  for (std::size_t l = 2; l < count; ++l) {
    const double n = static_cast<double>(l);
    p[l] = ((2 * n - 1) * x * p[l - 1] - (n - 1) * p[l - 2]) / n;
  }
  return p;
}

class Ordinates {
 public:
  Ordinates(const Slab& slab, const SlabScattering& scattering, std::span<const double> faces,
            const ScatteringResolution& resolution)
      : slab_(slab), faces_(faces), per_cell_(static_cast<std::size_t>(resolution.intervals)) {
    for (std::size_t i = 0; i + 1 < faces.size(); ++i) {
      for (std::size_t j = 0; j < per_cell_; ++j) {
        x_.push_back(std::lerp(faces[i], faces[i + 1],
                               static_cast<double>(j) / static_cast<double>(per_cell_)));
      }
    }
    x_.push_back(faces.back());
    for (const double x : x_) scatters_.push_back(scattering.coefficient(x));
    const Quadrature half = gauss_legendre(resolution.directions, 0.0, 1.0);
    mu_ = half.nodes;
    weight_ = half.weights;
    // Beyond, they are less than the last digits; none is more than the directions integrate.
    while (factor_.size() < 2 * mu_.size()) {
      const double power = std::pow(scattering.asymmetry, static_cast<double>(factor_.size()));
      if (!factor_.empty() && std::abs(power) < 1e-12) break;
      factor_.push_back((2.0 * static_cast<double>(factor_.size()) + 1) * power);
    }
    for (const double mu : mu_) legendre_.push_back(legendre(mu, factor_.size()));
  }

  void add(const SlabPoint& point, SlabSolution& sum) {
    const std::size_t n = x_.size();
    std::vector<double> absorbs(n), emits(n);
    for (std::size_t i = 0; i < n; ++i) {
      absorbs[i] = point.absorption(x_[i]);
      emits[i] = point.intensity(x_[i]);
    }
    std::vector<std::vector<double>> moment(factor_.size(), std::vector<double>(n));
    std::array<double, 2> leaves = point.wall_intensity;  // each wall [W/(m2 sr)]
    std::array<double, 2> arrives{};
    constexpr int most_iterations = 100000;
    for (int iteration = 0;; ++iteration) {
      if (iteration == most_iterations) throw std::runtime_error("scattering does not converge");
      auto next = std::vector<std::vector<double>>(factor_.size(), std::vector<double>(n));
      arrives = {};
      for (std::size_t d = 0; d < mu_.size(); ++d) {
        for (const bool up : {true, false}) {
          const auto intensity = sweep(d, up, absorbs, emits, moment, leaves[up ? 0 : 1]);
          for (std::size_t l = 0; l < factor_.size(); ++l) {
            const double share = 0.5 * weight_[d] * polynomial(d, up, l);
            for (std::size_t i = 0; i < n; ++i) next[l][i] += share * intensity[i];
          }
          arrives[up ? 1 : 0] += 2 * weight_[d] * mu_[d] * (up ? intensity.back() : intensity[0]);
        }
      }
      double change = 0.0, largest = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        change = std::max(change, std::abs(next[0][i] - moment[0][i]));
        largest = std::max(largest, std::abs(next[0][i]));
      }
      for (const std::size_t wall : {0, 1}) {
        const double e = slab_.emissivity[wall];
        const double now = e * point.wall_intensity[wall] + (1 - e) * arrives[wall];
        change = std::max(change, std::abs(now - leaves[wall]));
        leaves[wall] = now;
      }
      moment = std::move(next);
      if (change <= 1e-11 * largest) break;
    }
    for (std::size_t cell = 0; cell + 1 < faces_.size(); ++cell) {
      double mean = 0.0;  // Q = k (4 pi I_b - G), by trapezes
      for (std::size_t j = 0; j <= per_cell_; ++j) {
        const std::size_t i = cell * per_cell_ + j;
        const double share = j == 0 || j == per_cell_ ? 0.5 : 1.0;
        mean += share * absorbs[i] * 4 * std::numbers::pi * (emits[i] - moment[0][i]);
      }
      sum.flux_divergence[cell] += mean / static_cast<double>(per_cell_);
    }
    for (const std::size_t wall : {0, 1}) {
      sum.wall_flux[wall] += std::numbers::pi * (leaves[wall] - arrives[wall]);
    }
  }

 private:
  double polynomial(std::size_t d, bool up, std::size_t l) const {
    return up || l % 2 == 0 ? legendre_[d][l] : -legendre_[d][l];
  }

  /// Intensity at the nodes along a direction, from its wall on.
  std::vector<double> sweep(std::size_t d, bool up, const std::vector<double>& absorbs,
                            const std::vector<double>& emits,
                            const std::vector<std::vector<double>>& moment, double begins) const {
    const std::size_t n = x_.size();
    const auto source = [&](std::size_t i) {  // b S
      double sum = 0.0;
      for (std::size_t l = 0; l < factor_.size(); ++l) {
        sum += factor_[l] * polynomial(d, up, l) * moment[l][i];
      }
      return absorbs[i] * emits[i] + scatters_[i] * sum;
    };
    std::vector<double> intensity(n);
    std::size_t from = up ? 0 : n - 1;
    intensity[from] = begins;
    double source_from = source(from);
    for (std::size_t step = 1; step < n; ++step) {
      const std::size_t to = up ? step : n - 1 - step;
      const double source_to = source(to);
      const double b = 0.5 * (absorbs[from] + absorbs[to] + scatters_[from] + scatters_[to]);
      const double length = std::abs(x_[to] - x_[from]) / mu_[d];
      const double depth = b * length;
      // Of b S, linear along the way: weights of both ends.
      const double decay = std::exp(-depth);
      const double all = depth > 1e-4 ? -std::expm1(-depth) / depth : 1 - depth / 2;
      const double near = depth > 1e-2 ? (1 - all) / depth : 0.5 - depth / 6 + depth * depth / 24;
      intensity[to] =
          intensity[from] * decay + length * (near * source_to + (all - near) * source_from);
      from = to;
      source_from = source_to;
    }
    return intensity;
  }

  const Slab& slab_;
  std::span<const double> faces_;
  std::size_t per_cell_;
  std::vector<double> x_, scatters_;
  std::vector<double> mu_, weight_;
  std::vector<double> factor_;  ///< (2 l + 1) g^l
  std::vector<std::vector<double>> legendre_;
};

}  // namespace

SlabSolution solve_scattering_slab(const Slab& slab, std::span<const SlabPoint> points,
                                   const SlabScattering& scattering, std::span<const double> faces,
                                   const ScatteringResolution& resolution) {
  SlabSolution sum;
  sum.flux_divergence.resize(faces.size() - 1);
  Ordinates ordinates(slab, scattering, faces, resolution);
  for (const SlabPoint& point : points) ordinates.add(point, sum);
  return sum;
}

}  // namespace ermine::reference
