#include "reference/box.hpp"

#include "reference/quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

// With I(p) the blackbody intensity at the point,
//   4 pi I(p) - G = integral over directions of
//     (I(p) - Iw) exp(-tau_wall) - integral of k (I - I(p)) exp(-tau) ds
// (formal solution of the transfer equation, Modest, Radiative Heat Transfer, less its value for a
// uniform intensity I(p)), which is zero term by term in equilibrium.
//
// Directions are integrated wall by wall. On a wall at distance d, with b and c measured from the
// foot of the point, b = d cosh v sinh u and c = d sinh v give the distance d cosh u cosh v and the
// solid angle du dv / (cosh^2 u cosh v). Unlike in polar angles, the integrand varies over du and
// dv of order one however close the wall is.

namespace ermine::reference {
namespace {

using Point = std::array<double, 3>;

/// Integrals of the Gauss points' Lagrange polynomials from 0 to each node, row by row: turns k at
/// the nodes of [0, 1] into optical depth at the nodes. Each polynomial is expanded in Legendre
/// polynomials P_m, the integral of which is (P_(m+1) - P_(m-1)) / (2 m + 1).
std::vector<double> integration_matrix(const Quadrature& rule) {
  const std::size_t n = rule.nodes.size();
  const auto legendre = [n](double x) {
    std::vector<double> p{1.0, x};
    for (std::size_t m = 1; m < n; ++m) {
      const auto degree = static_cast<double>(m);
      p.push_back(((2.0 * degree + 1.0) * x * p[m] - degree * p[m - 1]) / (degree + 1.0));
    }
    return p;
  };
  std::vector<double> matrix;
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<double> row = legendre(2.0 * rule.nodes[i] - 1.0);
    for (std::size_t j = 0; j < n; ++j) {
      const std::vector<double> column = legendre(2.0 * rule.nodes[j] - 1.0);
      double sum = 2.0 * rule.nodes[i];
      for (std::size_t m = 1; m < n; ++m) sum += column[m] * (row[m + 1] - row[m - 1]);
      matrix.push_back(0.5 * rule.weights[j] * sum);
    }
  }
  return matrix;
}

/// Integrates along rays from one point.
class RayIntegrator {
 public:
  RayIntegrator(const BoxProblem& problem, const Point& origin, const Quadrature& rule)
      : problem_(problem),
        origin_(origin),
        rule_(rule),
        matrix_(integration_matrix(rule)),
        intensity_(problem.intensity(origin[0], origin[1], origin[2])),
        absorption_(rule.nodes.size()) {}

  /// I(p) less the intensity that arrives from the wall place at origin + offset.
  double operator()(const Point& offset, double wall_intensity) {
    offset_ = offset;
    length_ = std::hypot(offset[0], offset[1], offset[2]);
    transmission_ = 1.0;
    gain_ = 0.0;
    find_cuts();
    for (std::size_t i = 0; i + 1 < cuts_.size(); ++i) add_piece(cuts_[i], cuts_[i + 1]);
    return (intensity_ - wall_intensity) * transmission_ - gain_;
  }

 private:
  /// Fractions of the ray between which the medium is smooth. Patches meet at the foot of the
  /// point, so no ray is parallel to a plane.
  void find_cuts() {
    cuts_.assign({0.0, 1.0});
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (const double kink : problem_.kinks[axis]) {
        const double ahead = (kink - origin_[axis]) / offset_[axis];
        if (ahead > 0.0 && ahead < 1.0) cuts_.push_back(ahead);
      }
    }
    std::sort(cuts_.begin(), cuts_.end());
  }

  /// Adds emission and absorption between two fractions of the ray. The Gauss points resolve a
  /// limited optical depth; thicker pieces are halved.
  void add_piece(double from, double to) {
    constexpr double negligible = 1e-18;
    if (transmission_ < negligible) return;
    const std::size_t n = rule_.nodes.size();
    const double step = (to - from) * length_;
    double thickness = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      absorption_[j] = at(problem_.absorption, from + (to - from) * rule_.nodes[j]);
      thickness += step * rule_.weights[j] * absorption_[j];
    }
    if (thickness > 0.5 * static_cast<double>(n)) {
      add_piece(from, 0.5 * (from + to));
      add_piece(0.5 * (from + to), to);
      return;
    }
    for (std::size_t i = 0; i < n; ++i) {
      double depth = 0.0;
      for (std::size_t j = 0; j < n; ++j) depth += matrix_[i * n + j] * absorption_[j];
      const double excess =
          at(problem_.intensity, from + (to - from) * rule_.nodes[i]) - intensity_;
      gain_ += transmission_ * std::exp(-step * depth) * step * rule_.weights[i] * absorption_[i] *
               excess;
    }
    transmission_ *= std::exp(-thickness);
  }

  double at(const std::function<double(double, double, double)>& field, double fraction) const {
    return field(origin_[0] + fraction * offset_[0], origin_[1] + fraction * offset_[1],
                 origin_[2] + fraction * offset_[2]);
  }

  const BoxProblem& problem_;
  Point origin_;
  const Quadrature& rule_;
  std::vector<double> matrix_;
  double intensity_;
  std::vector<double> absorption_;  ///< at the nodes of the current piece
  std::vector<double> cuts_;
  Point offset_{};
  double length_ = 0.0;
  double transmission_ = 1.0;
  double gain_ = 0.0;
};

/// Edges of wall patches along one axis, relative to the point. The foot of the point is one of
/// them, to halve the range of the direction variables.
std::vector<double> patch_edges(const BoxProblem& problem, const Point& point, std::size_t axis) {
  const double low = problem.box.low[axis];
  const double high = problem.box.high[axis];
  std::vector<double> edges{low, point[axis], high};
  for (const double kink : problem.kinks[axis]) {
    if (kink > low && kink < high) edges.push_back(kink);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (double& edge : edges) edge -= point[axis];
  return edges;
}

/// One wall as seen from the point.
struct Wall {
  std::size_t axis;
  double offset;  ///< along the axis, signed [m]
  double intensity;
};

/// Rectangular part of a wall, relative to the foot of the point [m].
struct Patch {
  std::array<double, 2> b;
  std::array<double, 2> c;
};

double integrate_patch(const Wall& wall, const Patch& patch, const Quadrature& rule,
                       RayIntegrator& integrate_ray) {
  const double d = std::abs(wall.offset);
  const double v0 = std::asinh(patch.c[0] / d);
  const double dv = std::asinh(patch.c[1] / d) - v0;
  double sum = 0.0;
  for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
    const double v = v0 + dv * rule.nodes[i];
    const double reach = d * std::cosh(v);
    const double u0 = std::asinh(patch.b[0] / reach);
    const double du = std::asinh(patch.b[1] / reach) - u0;
    for (std::size_t j = 0; j < rule.nodes.size(); ++j) {
      const double u = u0 + du * rule.nodes[j];
      Point offset{};
      offset[wall.axis] = wall.offset;
      offset[(wall.axis + 1) % 3] = reach * std::sinh(u);
      offset[(wall.axis + 2) % 3] = d * std::sinh(v);
      const double solid_angle = rule.weights[i] * dv * rule.weights[j] * du /
                                 (std::cosh(u) * std::cosh(u) * std::cosh(v));
      sum += solid_angle * integrate_ray(offset, wall.intensity);
    }
  }
  return sum;
}

}  // namespace

double box_flux_divergence(const BoxProblem& problem, const std::array<double, 3>& point,
                           int order) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!(point[axis] > problem.box.low[axis] && point[axis] < problem.box.high[axis])) {
      throw std::invalid_argument("point must lie inside the box");
    }
  }
  const Quadrature rule = gauss_legendre(order, 0.0, 1.0);
  RayIntegrator integrate_ray(problem, point, rule);
  double sum = 0.0;
  for (std::size_t side = 0; side < 6; ++side) {
    const std::size_t axis = side / 2;
    const double place = side % 2 == 0 ? problem.box.low[axis] : problem.box.high[axis];
    const Wall wall{axis, place - point[axis], problem.wall_intensity[side]};
    const std::vector<double> b = patch_edges(problem, point, (axis + 1) % 3);
    const std::vector<double> c = patch_edges(problem, point, (axis + 2) % 3);
    for (std::size_t i = 0; i + 1 < b.size(); ++i) {
      for (std::size_t j = 0; j + 1 < c.size(); ++j) {
        const Patch patch{{b[i], b[i + 1]}, {c[j], c[j + 1]}};
        sum += integrate_patch(wall, patch, rule, integrate_ray);
      }
    }
  }
  return problem.absorption(point[0], point[1], point[2]) * sum;
}

}  // namespace ermine::reference
