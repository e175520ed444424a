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

  /// Of quantity q along one axis: flux differences of carriers `above` and `below`.
  CHANNEL_FUNCTION static double carried(double above, double below, double upper, double q,
                                         double lower) {
    return 0.5 * (above * (q + upper) - below * (lower + q));
  }

  CHANNEL_FUNCTION double of_u(int i, std::ptrdiff_t c) const {
    const std::ptrdiff_t x = layout.plane(), z = layout.row();
    const double* u = f.u;
    const double q = u[c];
    const double low = 0.5 * metric.cell[i] * metric.per_centre[i];
    const double high = 0.5 * metric.cell[i + 1] * metric.per_centre[i];
    const double v_above = low * f.v[c] + high * f.v[c + x];
    const double v_below = low * f.v[c - 1] + high * f.v[c + x - 1];
    const double w_above = low * f.w[c] + high * f.w[c + x];
    const double w_below = low * f.w[c - z] + high * f.w[c + x - z];
    const double along_x =
        carried(0.5 * (q + u[c + x]), 0.5 * (u[c - x] + q), u[c + x], q, u[c - x]) *
        metric.per_centre[i];
    const double along_y = carried(v_above, v_below, u[c + 1], q, u[c - 1]) * metric.per_dy;
    const double along_z = carried(w_above, w_below, u[c + z], q, u[c - z]) * metric.per_dz;
    const double across =
        ((u[c + x] - q) * metric.per_cell[i + 1] - (q - u[c - x]) * metric.per_cell[i]) *
        metric.per_centre[i];
    return viscosity * (across + parallel(u, c)) - (along_x + along_y + along_z);
  }

  CHANNEL_FUNCTION double of_v(int i, std::ptrdiff_t c) const {
    const std::ptrdiff_t x = layout.plane(), z = layout.row();
    const double* v = f.v;
    const double q = v[c];
    const double u_above = 0.5 * (f.u[c] + f.u[c + 1]);
    const double u_below = 0.5 * (f.u[c - x] + f.u[c - x + 1]);
    const double w_above = 0.5 * (f.w[c] + f.w[c + 1]);
    const double w_below = 0.5 * (f.w[c - z] + f.w[c - z + 1]);
    const double along_x = carried(u_above, u_below, v[c + x], q, v[c - x]) * metric.per_cell[i];
    const double along_y =
        carried(0.5 * (q + v[c + 1]), 0.5 * (v[c - 1] + q), v[c + 1], q, v[c - 1]) * metric.per_dy;
    const double along_z = carried(w_above, w_below, v[c + z], q, v[c - z]) * metric.per_dz;
    return viscosity * (across(v, i, c) + parallel(v, c)) - (along_x + along_y + along_z);
  }

  CHANNEL_FUNCTION double of_w(int i, std::ptrdiff_t c) const {
    const std::ptrdiff_t x = layout.plane(), z = layout.row();
    const double* w = f.w;
    const double q = w[c];
    const double u_above = 0.5 * (f.u[c] + f.u[c + z]);
    const double u_below = 0.5 * (f.u[c - x] + f.u[c - x + z]);
    const double v_above = 0.5 * (f.v[c] + f.v[c + z]);
    const double v_below = 0.5 * (f.v[c - 1] + f.v[c - 1 + z]);
    const double along_x = carried(u_above, u_below, w[c + x], q, w[c - x]) * metric.per_cell[i];
    const double along_y = carried(v_above, v_below, w[c + 1], q, w[c - 1]) * metric.per_dy;
    const double along_z =
        carried(0.5 * (q + w[c + z]), 0.5 * (w[c - z] + q), w[c + z], q, w[c - z]) * metric.per_dz;
    return viscosity * (across(w, i, c) + parallel(w, c)) - (along_x + along_y + along_z);
  }

  CHANNEL_FUNCTION double of_t(int i, std::ptrdiff_t c) const {
    const std::ptrdiff_t x = layout.plane(), z = layout.row();
    const double* t = f.t;
    const double q = t[c];
    const double along_x = carried(f.u[c], f.u[c - x], t[c + x], q, t[c - x]) * metric.per_cell[i];
    const double along_y = carried(f.v[c], f.v[c - 1], t[c + 1], q, t[c - 1]) * metric.per_dy;
    const double along_z = carried(f.w[c], f.w[c - z], t[c + z], q, t[c - z]) * metric.per_dz;
    return diffusivity * (across(t, i, c) + parallel(t, c)) - (along_x + along_y + along_z);
  }

 private:
  /// Second derivative across the channel of what lives at centres along x.
  CHANNEL_FUNCTION double across(const double* q, int i, std::ptrdiff_t c) const {
    const std::ptrdiff_t x = layout.plane();
    return ((q[c + x] - q[c]) * metric.per_centre[i] -
            (q[c] - q[c - x]) * metric.per_centre[i - 1]) *
           metric.per_cell[i];
  }
  CHANNEL_FUNCTION double parallel(const double* q, std::ptrdiff_t c) const {
    const std::ptrdiff_t z = layout.row();
    return (q[c + 1] - 2 * q[c] + q[c - 1]) * metric.per_dy * metric.per_dy +
           (q[c + z] - 2 * q[c] + q[c - z]) * metric.per_dz * metric.per_dz;
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
