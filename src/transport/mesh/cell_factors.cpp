#include "transport/mesh/cell_factors.hpp"

#include <algorithm>

namespace ermine {
namespace {

constexpr double thinnest_log = -9.0;  ///< ln tau; below, factors follow their power laws
constexpr double thickest_log = 5.0;   ///< above, nothing leaves a cell but through its own faces

/// Gauss-Legendre nodes and weights on [-1, 1] (Abramowitz & Stegun, table 25.4, n = 8).
constexpr std::array<std::array<double, 2>, 4> gauss{{{0.183434642495650, 0.362683783378362},
                                                      {0.525532409916329, 0.313706645877887},
                                                      {0.796666477413627, 0.222381034453374},
                                                      {0.960289856497536, 0.101228536290376}}};

/// Integral of term(mu) over mu from 0 to 1: intervals halve towards 0, where exp(-tau / mu) has
/// its structure.
template <class Term>
void integrate(const Term& term) {
  double high = 1.0;
  for (int interval = 0; interval < 16; ++interval) {
    const double low = interval == 15 ? 0.0 : high / 2;
    for (const auto& [node, weight] : gauss) {
      for (const double side : {-node, node}) {
        term((low + high) / 2 + side * (high - low) / 2, weight * (high - low) / 2);
      }
    }
    high = low;
  }
}

/// 1/z^2 - cosh(z/2) / (4 sinh^2(z/2)).
double curvature_term(double z) {
  if (z < 0.3) {
    const double square = z * z;
    return -1.0 / 24 + square * (7.0 / 1920 - square * 31.0 / 193536);
  }
  if (z > 1400) return 1 / (z * z);
  const double half = z / 2;
  return 1 / (z * z) - std::cosh(half) / (4 * std::sinh(half) * std::sinh(half));
}

/// 1/y^3 - 1/sinh^3(y).
double gradient_term(double y) {
  if (y < 0.15) return (0.5 - y * y * (17.0 / 120 - y * y * 457.0 / 15120)) / y;
  return 1 / (y * y * y) - (y > 230 ? 0.0 : std::pow(std::sinh(y), -3));
}

}  // namespace

CellFactors cell_factors(double tau) {
  CellFactors factors;
  // Exponential integrals E_n(x), and their sums over the faces that a ray meets.
  double e2_half = 0.0;   // E2(tau / 2)
  double e3 = 0.0;        // E3(tau)
  double e4 = 0.0;        // E4(tau)
  double e2_faces = 0.0;  // sum of E2((m + 1/2) tau), m >= 0: from the centre of a cell
  double e3_faces = 0.0;  // sum of E3(m tau), m >= 1: from a wall
  integrate([&](double mu, double weight) {
    const double z = tau / mu;
    factors.curvature += weight * 3 * tau * tau * curvature_term(z);
    factors.gradient += weight * 0.375 * tau * tau * tau / mu * gradient_term(z / 2);
    const double decay = std::exp(-z);
    e2_half += weight * std::exp(-z / 2);
    e3 += weight * mu * decay;
    e4 += weight * mu * mu * decay;
    e2_faces += weight * std::exp(-z / 2) / -std::expm1(-z);
    e3_faces += weight * mu * decay / -std::expm1(-z);
  });
  const double f = 1 - factors.curvature;
  const double square = 1.5 * tau * tau;
  factors.black_wall = 0.5 - f + 1.5 * e4 + square * (e2_faces - e2_half / 2);
  factors.white_wall[static_cast<std::size_t>(Reflection::diffuse)] =
      -f + 1.5 * e4 + e3 + square * (e2_faces + 2 * e2_half * e3_faces);
  factors.white_wall[static_cast<std::size_t>(Reflection::specular)] =
      -f + 3 * e4 + square * (2 * e2_faces - e2_half);
  factors.wall_flux = 2 / (3 * tau) - 0.5 - 2 * e3_faces;
  factors.exchange = 1.5 * tau * factors.wall_flux;
  return factors;
}

CellFactors CellFactors::for_structures(double tau, const Structures& field,
                                        double absorption) const {
  if (!(field.wavenumber > 0)) return *this;
  const double ratio = field.wavenumber / absorption;
  const double unseen = ratio < 1e-3 ? ratio * ratio / 3 : 1 - std::atan(ratio) / ratio;
  const double thin = unseen * tau * tau;
  // Of thick cells that are long beside the waves' length, no more than was there; in cubic cells
  // this is no limit, as 1 - (k/q) atan(q/k) <= (q/k)^2/3.
  const double most = field.phase * field.phase / 3;
  const auto taken_from = [&](double factor, double limit) {
    const double part = std::abs(limit);
    const double there = factor * limit > 0 ? std::abs(factor) : 0.0;
    return factor - std::copysign(std::min(part * thin, part * most + there), limit);
  };
  CellFactors factors;
  factors.curvature = taken_from(curvature, -1.0 / 8);
  factors.gradient = taken_from(gradient, 3.0 / 8);
  factors.black_wall = taken_from(black_wall, -1.0 / 8);
  factors.white_wall[static_cast<std::size_t>(Reflection::diffuse)] =
      taken_from(white(Reflection::diffuse), -2.0 / 9);
  factors.white_wall[static_cast<std::size_t>(Reflection::specular)] =
      taken_from(white(Reflection::specular), -1.0 / 8);
  factors.wall_flux = wall_flux;
  factors.exchange = taken_from(exchange, -1.0 / 4);
  return factors;
}

CellFactorTable::CellFactorTable() {
  const int count = static_cast<int>(std::ceil((thickest_log - thinnest_log) / step)) + 1;
  for (int i = 0; i < count; ++i) nodes_.push_back(cell_factors(std::exp(thinnest_log + step * i)));
}

const CellFactorTable& CellFactorTable::instance() {
  static const CellFactorTable table;
  return table;
}

CellFactors CellFactorTable::operator()(double log_tau) const {
  if (log_tau <= thinnest_log) {
    CellFactors factors = nodes_.front();
    const double ratio = std::exp(log_tau - thinnest_log);
    for (double* factor : {&factors.curvature, &factors.gradient, &factors.black_wall,
                           &factors.white_wall[0], &factors.white_wall[1], &factors.exchange}) {
      *factor *= ratio * ratio;
    }
    factors.wall_flux *= ratio;
    return factors;
  }
  if (log_tau >= thickest_log) {
    CellFactors factors = nodes_.back();
    factors.wall_flux = 2 / 3.0 * std::exp(-log_tau) - 0.5;
    factors.exchange = 1.5 * std::exp(log_tau) * factors.wall_flux;
    return factors;
  }
  const double position = (log_tau - thinnest_log) / step;
  const auto node = std::min(static_cast<std::size_t>(position), nodes_.size() - 2);
  const double part = position - static_cast<double>(node);
  const CellFactors& low = nodes_[node];
  const CellFactors& high = nodes_[node + 1];
  const auto between = [&](double from, double to) { return from + part * (to - from); };
  return {between(low.curvature, high.curvature),
          between(low.gradient, high.gradient),
          between(low.black_wall, high.black_wall),
          {between(low.white_wall[0], high.white_wall[0]),
           between(low.white_wall[1], high.white_wall[1])},
          between(low.wall_flux, high.wall_flux),
          between(low.exchange, high.exchange)};
}

}  // namespace ermine
