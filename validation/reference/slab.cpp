#include "reference/slab.hpp"

#include "reference/exponential_integral.hpp"
#include "reference/quadrature.hpp"
#include "reference/slab_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>

// Exact solution for a plane layer between diffuse walls (Modest, Radiative Heat Transfer, chapter
// on one-dimensional gray media), written for the deviation D = intensity - I(x) of the radiation
// from local equilibrium. Integration by parts of the formal solution gives, along +mu and -mu,
//   D+(tau) = (J0 - I0) exp(-tau / mu)           - integral of I' exp(-(tau - tau') / mu) below,
//   D-(tau) = (JL - IL) exp(-(tauL - tau) / mu)  + integral of I' exp(-(tau' - tau) / mu) above,
// with I' = dI/dtau, the radiosities J0, JL of the walls [W/(m^2 sr)] and the gas at the walls I0,
// IL. Then 4 pi I - G = -2 pi integral (D+ + D-) dmu and q = 2 pi integral mu (D+ - D-) dmu. No
// kernel is singular, an isothermal slab gives exactly zero, and neither a transparent nor a thick
// gas causes cancellation. The wall terms are E_2 and E_3; the gas terms are summed over mu, each
// swept through the slab at a cost linear in the number of nodes.

namespace ermine::reference {
namespace {

constexpr double pi = std::numbers::pi;

/// Angular integrals of the gas terms of D at nodes, and wall terms.
struct Deviation {
  std::vector<double> sum;            ///< integral of (D+ + D-) dmu
  std::vector<double> flux;           ///< integral of mu (D+ - D-) dmu
  std::array<double, 2> wall_term{};  ///< J0 - I0, JL - IL
};

void check(const Slab& slab, std::span<const double> asked, const SlabResolution& resolution) {
  if (!(slab.from < slab.to)) throw std::invalid_argument("slab needs from < to");
  for (const double e : slab.emissivity) {
    if (!(e >= 0.0 && e <= 1.0)) throw std::invalid_argument("emissivity must be from 0 to 1");
  }
  for (const double x : asked) {
    if (!(x >= slab.from && x <= slab.to)) throw std::invalid_argument("position outside slab");
  }
  if (resolution.intervals < 4 || resolution.directions < 1) {
    throw std::invalid_argument("slab needs at least 4 intervals and 1 direction");
  }
}

/// Integrals of r^j exp(-delta r) over r from 0 to 1, j = 0 to 2.
struct Moments {
  double transmission;  ///< exp(-delta)
  std::array<double, 3> value;
};

/// 1 / (k! (k + 3)): the last moment is the sum of (-delta)^k times these.
constexpr std::array<double, 9> series_coefficients = [] {
  std::array<double, 9> coefficients{};
  double factorial = 1.0;
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    if (k > 0) factorial *= static_cast<double>(k);
    coefficients[k] = 1.0 / (factorial * static_cast<double>(k + 3));
  }
  return coefficients;
}();

Moments moments(double delta) {
  Moments m{std::exp(-delta), {}};
  constexpr double series_limit = 0.1;
  if (delta > series_limit) {
    m.value[0] = (1.0 - m.transmission) / delta;
    m.value[1] = (m.value[0] - m.transmission) / delta;
    m.value[2] = (2.0 * m.value[1] - m.transmission) / delta;
    return m;
  }
  // The recurrence upwards loses digits as 1 / delta^2; downwards all terms are positive.
  double last = 0.0;
  for (std::size_t k = series_coefficients.size(); k-- > 0;) {
    last = series_coefficients[k] - delta * last;
  }
  m.value[2] = last;
  m.value[1] = 0.5 * (delta * m.value[2] + m.transmission);
  m.value[0] = delta * m.value[1] + m.transmission;
  return m;
}

/// Integral of dI/dtheta exp(-delta r), where r is the distance from the end with slope `near` and
/// dI/dtheta is the parabola with the given end values and integral `change`.
double attenuated_change(const Moments& m, double near, double far, double change) {
  return near * m.value[0] + (6.0 * change - 4.0 * near - 2.0 * far) * m.value[1] +
         3.0 * (near + far - 2.0 * change) * m.value[2];
}

void sweep(const Layers& layers, double mu, double weight, Deviation& deviation) {
  const std::size_t intervals = layers.thickness.size();
  std::vector<double> transmission(intervals);
  std::vector<double> gain(intervals);
  double along = 0.0;
  for (std::size_t i = 0; i < intervals; ++i) {
    const Moments m = moments(layers.thickness[i] / mu);
    const double change = layers.intensity[i + 1] - layers.intensity[i];
    transmission[i] = m.transmission;
    gain[i] = attenuated_change(m, layers.low_slope[i], layers.high_slope[i], change);
    along = along * m.transmission -
            attenuated_change(m, layers.high_slope[i], layers.low_slope[i], change);
    deviation.sum[i + 1] += weight * along;
    deviation.flux[i + 1] += weight * mu * along;
  }
  double against = 0.0;
  for (std::size_t i = intervals; i-- > 0;) {
    against = against * transmission[i] + gain[i];
    deviation.sum[i] += weight * against;
    deviation.flux[i] -= weight * mu * against;
  }
}

/// Wall terms a = J0 - I0 and b = JL - IL from J = e Iw + (1 - e) H / pi at each wall, where the
/// irradiation is H0 / pi = I0 + 2 b E_3(tauL) + gas term, and likewise at the high wall.
std::array<double, 2> wall_terms(const Slab& slab, const SlabPoint& point, const Layers& layers,
                                 const Deviation& deviation) {
  const double thickness = layers.depth.back();
  const double crossing = 2.0 * exponential_integral(3, thickness);
  const double retained = -std::expm1(-thickness) + thickness * exponential_integral(2, thickness);
  const auto [e0, e1] = slab.emissivity;
  const double gas0 = -2.0 * deviation.flux.front();
  const double gas1 = 2.0 * deviation.flux.back();
  const double own0 = e0 * (point.wall_intensity[0] - layers.intensity.front()) + (1.0 - e0) * gas0;
  const double own1 = e1 * (point.wall_intensity[1] - layers.intensity.back()) + (1.0 - e1) * gas1;
  // 1 - (1 - e0) (1 - e1) crossing^2 without cancellation, since crossing = 1 - retained.
  const double determinant =
      e0 + e1 - e0 * e1 + (1.0 - e0) * (1.0 - e1) * retained * (1 + crossing);
  // Mirrors around transparent gas: any radiosity common to both solves the system.
  if (determinant == 0.0) return {gas0, 0.0};
  return {(own0 + (1.0 - e0) * crossing * own1) / determinant,
          (own1 + (1.0 - e1) * crossing * own0) / determinant};
}

/// Rule in mu from 0 to 1. Gauss points in s with mu = s^4 resolve exp(-tau / mu), which varies at
/// mu of the order of tau, alike for thin and thick gas.
Quadrature polar_cosines(int count) {
  Quadrature rule = gauss_legendre(count, 0.0, 1.0);
  for (std::size_t d = 0; d < rule.nodes.size(); ++d) {
    rule.weights[d] *= 4.0 * std::pow(rule.nodes[d], 3);
    rule.nodes[d] = std::pow(rule.nodes[d], 4);
  }
  return rule;
}

/// Solution of one spectral point on a mesh.
class SpectralSolution {
 public:
  SpectralSolution(const Slab& slab, const Mesh& mesh, const SlabPoint& point,
                   const Quadrature& cosines)
      : layers_(sample_layers(mesh, point)) {
    deviation_.sum.resize(mesh.nodes.size());
    deviation_.flux.resize(mesh.nodes.size());
    for (std::size_t d = 0; d < cosines.nodes.size(); ++d) {
      sweep(layers_, cosines.nodes[d], cosines.weights[d], deviation_);
    }
    deviation_.wall_term = wall_terms(slab, point, layers_, deviation_);
  }

  double flux_divergence(std::size_t node) const {
    return -2.0 * pi * layers_.absorption[node] *
           (low(2, node) + high(2, node) + deviation_.sum[node]);
  }
  /// Radiative flux towards +x [W/m^2].
  double flux(std::size_t node) const {
    return 2.0 * pi * (low(3, node) - high(3, node) + deviation_.flux[node]);
  }

 private:
  double low(int n, std::size_t node) const {
    return deviation_.wall_term[0] * exponential_integral(n, layers_.depth[node]);
  }
  double high(int n, std::size_t node) const {
    return deviation_.wall_term[1] *
           exponential_integral(n, layers_.depth.back() - layers_.depth[node]);
  }

  Layers layers_;
  Deviation deviation_;
};

/// Calls add(solution) for each spectral point and returns the summed wall fluxes.
template <class Add>
std::array<double, 2> sum_points(const Slab& slab, const Mesh& mesh,
                                 std::span<const SlabPoint> points, int directions, Add&& add) {
  const Quadrature cosines = polar_cosines(directions);
  std::array<double, 2> wall_flux{};
  for (const SlabPoint& point : points) {
    const SpectralSolution solution(slab, mesh, point, cosines);
    wall_flux[0] += solution.flux(0);
    wall_flux[1] -= solution.flux(mesh.nodes.size() - 1);
    add(solution);
  }
  return wall_flux;
}

}  // namespace

SlabSolution solve_slab(const Slab& slab, std::span<const SlabPoint> points,
                        std::span<const double> positions, const SlabResolution& resolution) {
  check(slab, positions, resolution);
  const Mesh mesh = make_mesh(slab, positions, resolution.intervals);
  SlabSolution result;
  result.flux_divergence.resize(positions.size());
  const auto add = [&](const SpectralSolution& solution) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      result.flux_divergence[i] += solution.flux_divergence(mesh.asked[i]);
    }
  };
  result.wall_flux = sum_points(slab, mesh, points, resolution.directions, add);
  return result;
}

SlabSolution solve_slab_cells(const Slab& slab, std::span<const SlabPoint> points,
                              std::span<const double> faces, const SlabResolution& resolution) {
  check(slab, faces, resolution);
  if (faces.size() < 2 ||
      std::adjacent_find(faces.begin(), faces.end(), std::greater_equal<>()) != faces.end()) {
    throw std::invalid_argument("cells need at least two faces, ascending");
  }
  const Mesh mesh = make_mesh(slab, faces, resolution.intervals);
  SlabSolution result;
  result.flux_divergence.resize(faces.size() - 1);
  const auto add = [&](const SpectralSolution& solution) {
    double low_flux = solution.flux(mesh.asked[0]);
    for (std::size_t i = 0; i + 1 < faces.size(); ++i) {
      const double high_flux = solution.flux(mesh.asked[i + 1]);
      result.flux_divergence[i] += (high_flux - low_flux) / (faces[i + 1] - faces[i]);
      low_flux = high_flux;
    }
  };
  result.wall_flux = sum_points(slab, mesh, points, resolution.directions, add);
  return result;
}

}  // namespace ermine::reference
