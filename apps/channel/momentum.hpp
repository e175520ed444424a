#pragma once

#include "field.hpp"

namespace channel {

/// What one Runge-Kutta stage needs besides fields: u^(s+1) = u^s + dt (gamma R^s + zeta R^(s-1)),
/// with the coefficients of Wray (Spalart, Moser & Rogers 1991, J. Comput. Phys. 96, appendix A).
struct Stage {
  double gamma = 0, zeta = 0;
  double dt = 0;
  CHANNEL_FUNCTION double alpha() const { return gamma + zeta; }
};

/// Which stage: the first has no tendencies before it, the last leaves none behind.
enum class Turn { first, middle, last };

/// Convection in divergence form and diffusion, second-order central on the staggered grid (Harlow
/// & Welch 1965). Interpolation along the stretched x as in Verstappen & Veldman (2003, J. Comput.
/// Phys. 187): plain means of what is carried, fluxes of half cells of what carries; so kinetic
/// energy and the square of the temperature are conserved where the flux is free of divergence.
struct Tendencies {
  Layout layout;
  Metric metric;
  Fields<const double> f;
  double viscosity = 0, diffusivity = 0;

  CHANNEL_FUNCTION double of_u(int i, std::ptrdiff_t c) const {
    const std::ptrdiff_t x = layout.plane(), z = layout.row();
    const double* u = f.u;
    const double low = 0.5 * metric.cell[i] * metric.per_centre[i];
    const double high = 0.5 * metric.cell[i + 1] * metric.per_centre[i];
    Neighbours sum{u[c]};
    sum.add(0.25 * metric.per_centre[i],
            {u[c - x] + u[c], viscosity * metric.per_centre[i] * metric.per_cell[i], u[c - x]},
            {u[c] + u[c + x], viscosity * metric.per_centre[i] * metric.per_cell[i + 1], u[c + x]});
    sum.add(0.5 * metric.per_dy,
            {low * f.v[c - 1] + high * f.v[c + x - 1], along_y(viscosity), u[c - 1]},
            {low * f.v[c] + high * f.v[c + x], along_y(viscosity), u[c + 1]});
    sum.add(0.5 * metric.per_dz,
            {low * f.w[c - z] + high * f.w[c + x - z], along_z(viscosity), u[c - z]},
            {low * f.w[c] + high * f.w[c + x], along_z(viscosity), u[c + z]});
    return sum.value();
  }

  CHANNEL_FUNCTION double of_v(int i, std::ptrdiff_t c) const {
    const std::ptrdiff_t x = layout.plane(), z = layout.row();
    const double* v = f.v;
    Neighbours sum{v[c]};
    sum.add(0.25 * metric.per_cell[i], {f.u[c - x] + f.u[c - x + 1], below(viscosity, i), v[c - x]},
            {f.u[c] + f.u[c + 1], above(viscosity, i), v[c + x]});
    sum.add(0.25 * metric.per_dy, {v[c - 1] + v[c], along_y(viscosity), v[c - 1]},
            {v[c] + v[c + 1], along_y(viscosity), v[c + 1]});
    sum.add(0.25 * metric.per_dz, {f.w[c - z] + f.w[c - z + 1], along_z(viscosity), v[c - z]},
            {f.w[c] + f.w[c + 1], along_z(viscosity), v[c + z]});
    return sum.value();
  }

  CHANNEL_FUNCTION double of_w(int i, std::ptrdiff_t c) const {
    const std::ptrdiff_t x = layout.plane(), z = layout.row();
    const double* w = f.w;
    Neighbours sum{w[c]};
    sum.add(0.25 * metric.per_cell[i], {f.u[c - x] + f.u[c - x + z], below(viscosity, i), w[c - x]},
            {f.u[c] + f.u[c + z], above(viscosity, i), w[c + x]});
    sum.add(0.25 * metric.per_dy, {f.v[c - 1] + f.v[c - 1 + z], along_y(viscosity), w[c - 1]},
            {f.v[c] + f.v[c + z], along_y(viscosity), w[c + 1]});
    sum.add(0.25 * metric.per_dz, {w[c - z] + w[c], along_z(viscosity), w[c - z]},
            {w[c] + w[c + z], along_z(viscosity), w[c + z]});
    return sum.value();
  }

  CHANNEL_FUNCTION double of_t(int i, std::ptrdiff_t c) const {
    const std::ptrdiff_t x = layout.plane(), z = layout.row();
    const double* t = f.t;
    Neighbours sum{t[c]};
    sum.add(0.5 * metric.per_cell[i], {f.u[c - x], below(diffusivity, i), t[c - x]},
            {f.u[c], above(diffusivity, i), t[c + x]});
    sum.add(0.5 * metric.per_dy, {f.v[c - 1], along_y(diffusivity), t[c - 1]},
            {f.v[c], along_y(diffusivity), t[c + 1]});
    sum.add(0.5 * metric.per_dz, {f.w[c - z], along_z(diffusivity), t[c - z]},
            {f.w[c], along_z(diffusivity), t[c + z]});
    return sum.value();
  }

 private:
  /// Along one axis, with carriers a above and b below, diffusion d_a and d_b, and q between q_b
  /// and q_a:
  ///     d_a (q_a - q) - d_b (q - q_b) - h (a (q + q_a) - b (q_b + q))
  ///       = A (q_a + q) + B (q_b + q) - 2 (d_a + d_b) q,   A = d_a - h a,  B = d_b + h b.
  /// A flux is computed for both of its cells, and both find it up to rounding: memory is what a
  /// stage waits for.
  struct Side {
    double carrier, diffusion, q;
  };
  struct Neighbours {
    double q = 0, sum = 0, diffusion = 0;
    CHANNEL_FUNCTION void add(double h, const Side& below, const Side& above) {
      sum += (above.diffusion - h * above.carrier) * (above.q + q) +
             (below.diffusion + h * below.carrier) * (below.q + q);
      diffusion += above.diffusion + below.diffusion;
    }
    CHANNEL_FUNCTION double value() const { return sum - 2 * diffusion * q; }
  };

  /// Diffusion along y and z, and across faces of cells along x.
  CHANNEL_FUNCTION double along_y(double d) const { return d * metric.per_dy * metric.per_dy; }
  CHANNEL_FUNCTION double along_z(double d) const { return d * metric.per_dz * metric.per_dz; }
  CHANNEL_FUNCTION double below(double d, int i) const {
    return d * metric.per_centre[i - 1] * metric.per_cell[i];
  }
  CHANNEL_FUNCTION double above(double d, int i) const {
    return d * metric.per_centre[i] * metric.per_cell[i];
  }
};

/// Heat lost by radiation over rho cp U/h: `base` + `slope` T.
struct HeatLoss {
  const double* base = nullptr;   ///< none: there is no radiation
  const double* slope = nullptr;  ///< none: emission is explicit
  double per_capacity = 0;        ///< 1 / (rho cp U/h) [m3 K/W]
};

enum class LossKind { none, explicit_emission, implicit_emission };

/// One stage, all but the pressure: everything is read once and written once. Without branches, so
/// that compilers make vectors of rows.
template <Turn turn, LossKind kind>
struct Advance {
  Tendencies tendencies;
  Fields<double> next;
  Fields<double> before;          ///< tendencies of the stage before, replaced by those of this one
  const double* force = nullptr;  ///< along z, uniform
  HeatLoss loss;
  Stage stage;

  CHANNEL_FUNCTION double advanced(double q, double rate, double* old, std::ptrdiff_t c) const {
    double change = stage.gamma * rate;
    if constexpr (turn != Turn::first) change += stage.zeta * old[c];
    if constexpr (turn != Turn::last) old[c] = rate;
    return q + stage.dt * change;
  }

  CHANNEL_FUNCTION void operator()(int i, int j, int k) const {
    const std::ptrdiff_t c = tendencies.layout.at(i, j, k);
    const Fields<const double>& f = tendencies.f;
    // The last face is the wall.
    const double open = i + 1 < tendencies.layout.nx ? 1.0 : 0.0;
    next.u[c] = open * advanced(f.u[c], tendencies.of_u(i, c), before.u, c);
    next.v[c] = advanced(f.v[c], tendencies.of_v(i, c), before.v, c);
    next.w[c] = advanced(f.w[c], tendencies.of_w(i, c) + *force, before.w, c);
    double t = advanced(f.t[c], tendencies.of_t(i, c), before.t, c);
    const double time = stage.dt * stage.alpha() * loss.per_capacity;
    if constexpr (kind != LossKind::none) t -= time * loss.base[c];
    if constexpr (kind == LossKind::implicit_emission) t /= 1 + time * loss.slope[c];
    next.t[c] = t;
  }
};

}  // namespace channel
