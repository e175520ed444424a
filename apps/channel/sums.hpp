#pragma once

#include "field.hpp"

#include <cmath>

namespace channel {

/// Sums along z of one strip of y, one number per quantity, x and y: out[(q * nx + i) * ny + j].
/// They are added up over y on the host.

/// Largest sum of |velocity| over width; infinite if a velocity or temperature is not finite.
struct CourantRate {
  static constexpr int quantities = 1;
  Layout layout;
  Metric metric;
  Fields<const double> f;
  double* out = nullptr;

  CHANNEL_FUNCTION void operator()(int i, int begin, int end) const {
    double* const rate = out + static_cast<std::ptrdiff_t>(i) * layout.ny;
    for (int j = begin; j < end; ++j) rate[j] = 0;
    for (int k = 0; k < layout.nz; ++k) {
      const std::ptrdiff_t row = layout.at(i, 0, k);
      for (int j = begin; j < end; ++j) {
        const std::ptrdiff_t c = row + j;
        const double across = fmax(fabs(f.u[c]), fabs(f.u[c - layout.plane()]));
        // A product with zero keeps what is not finite and fmax() or the sum would lose.
        const double sum = across * metric.per_cell[i] + fabs(f.v[c]) * metric.per_dy +
                           fabs(f.w[c]) * metric.per_dz + 0.0 * (f.t[c] + f.u[c]);
        if (!(sum <= rate[j])) rate[j] = sum <= 1e300 ? sum : HUGE_VAL;
      }
    }
  }
};

struct DivergenceSize {
  static constexpr int quantities = 1;
  Layout layout;
  Metric metric;
  Fields<const double> f;
  double* out = nullptr;

  CHANNEL_FUNCTION void operator()(int i, int begin, int end) const {
    double* const size = out + static_cast<std::ptrdiff_t>(i) * layout.ny;
    for (int j = begin; j < end; ++j) size[j] = 0;
    for (int k = 0; k < layout.nz; ++k) {
      for (int j = begin; j < end; ++j) {
        size[j] = fmax(size[j], fabs(divergence_at(layout, metric, f, i, layout.at(i, j, k))));
      }
    }
  }
};

/// First and second moments at centres across x. Squares of u are the mean of both faces', so that
/// interpolation does not damp them; products have both factors at the place of the second.
struct VelocitySums {
  enum Quantity { u, v, w, t, uu, vv, ww, tt, uw, ut, wt, quantities };
  Layout layout;
  Fields<const double> f;
  double* out = nullptr;

  CHANNEL_FUNCTION void operator()(int i, int begin, int end) const {
    const std::ptrdiff_t x = layout.plane(), z = layout.row();
    const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(layout.nx) * layout.ny;
    for (int j = begin; j < end; ++j) {
      double* const sum = out + static_cast<std::ptrdiff_t>(i) * layout.ny + j;
      double s[quantities] = {};
      for (int k = 0; k < layout.nz; ++k) {
        const std::ptrdiff_t c = layout.at(i, j, k);
        const double uc = 0.5 * (f.u[c] + f.u[c - x]);
        const double along = 0.5 * (uc + 0.5 * (f.u[c + z] + f.u[c - x + z]));
        s[u] += uc;
        s[v] += f.v[c];
        s[w] += f.w[c];
        s[t] += f.t[c];
        s[uu] += 0.5 * (f.u[c] * f.u[c] + f.u[c - x] * f.u[c - x]);
        s[vv] += f.v[c] * f.v[c];
        s[ww] += f.w[c] * f.w[c];
        s[tt] += f.t[c] * f.t[c];
        s[uw] += along * f.w[c];
        s[ut] += uc * f.t[c];
        s[wt] += 0.5 * (f.w[c] + f.w[c - z]) * f.t[c];
      }
      for (int q = 0; q < quantities; ++q) sum[q * stride] = s[q];
    }
  }
};

/// Stefan-Boltzmann constant [W/(m2 K4)] (CODATA 2018).
inline constexpr double stefan_boltzmann = 5.670374419e-8;

/// What people publish of radiation in turbulence: source Q, emission E, absorption A, Planck-mean
/// absorption coefficient K = E / (4 sigma T^4), and r = A / K; means, squares and products with
/// the temperature they were found from. r is the incident radiation in a grey gas only: elsewhere
/// the mean of A over the spectrum is weighted with what arrives, and that of K with what is
/// emitted. Squares of Q, A and r have in them those of the errors of rays: of Q and A `noise`, of
/// r `noise_over_k`. E and K are exact. Error bars of the net are averages over a tile and those
/// next to it, 12 cells across x: right for all planes together, smoothed from one to the next.
struct RadiationSums {
  enum Quantity {
    t,
    tt,
    q,
    qq,
    qt,
    e,
    ee,
    et,
    a,
    aa,
    at,
    k,
    kk,
    kt,
    r,
    rr,
    rt,
    noise,
    noise_over_k,
    quantities
  };
  Layout layout;
  const double* temperature = nullptr;
  const double* source = nullptr;
  const double* emission = nullptr;
  const double* absorption = nullptr;
  const double* error = nullptr;  ///< standard error of Q and of A
  double* out = nullptr;

  CHANNEL_FUNCTION static void add(double* s, int first, double value, double temperature_here) {
    s[first] += value;
    s[first + 1] += value * value;
    s[first + 2] += value * temperature_here;
  }
  CHANNEL_FUNCTION void operator()(int i, int begin, int end) const {
    const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(layout.nx) * layout.ny;
    for (int j = begin; j < end; ++j) {
      double* const sum = out + static_cast<std::ptrdiff_t>(i) * layout.ny + j;
      double s[quantities] = {};
      for (int row = 0; row < layout.nz; ++row) {
        const std::ptrdiff_t c = layout.at(i, j, row);
        const double here = temperature[c];
        const double black = 4 * stefan_boltzmann * here * here * here * here;
        // A gas of 0 K emits nothing, and does not tell how much it would absorb.
        const double coefficient = black > 0 ? emission[c] / black : 0.0;
        const double per_coefficient = coefficient > 0 ? 1 / coefficient : 0.0;
        const double error_over_k = error[c] * per_coefficient;
        s[t] += here;
        s[tt] += here * here;
        add(s, q, source[c], here);
        add(s, e, emission[c], here);
        add(s, a, absorption[c], here);
        add(s, k, coefficient, here);
        add(s, r, absorption[c] * per_coefficient, here);
        s[noise] += error[c] * error[c];
        s[noise_over_k] += error_over_k * error_over_k;
      }
      for (int n = 0; n < quantities; ++n) sum[n * stride] = s[n];
    }
  }
};

/// Heat lost by radiation, base + slope T, times `weight`; added to what was there unless it is the
/// first.
struct LossSums {
  static constexpr int quantities = 1;
  Layout layout;
  const double* base = nullptr;
  const double* slope = nullptr;  ///< none: the base alone
  const double* temperature = nullptr;
  double weight = 1;
  bool first = true;
  double* out = nullptr;

  CHANNEL_FUNCTION void operator()(int i, int begin, int end) const {
    double* const sum = out + static_cast<std::ptrdiff_t>(i) * layout.ny;
    if (first) {
      for (int j = begin; j < end; ++j) sum[j] = 0;
    }
    for (int k = 0; k < layout.nz; ++k) {
      for (int j = begin; j < end; ++j) {
        const std::ptrdiff_t c = layout.at(i, j, k);
        sum[j] += weight * (base[c] + (slope ? slope[c] * temperature[c] : 0.0));
      }
    }
  }
};

/// base = source - slope T.
struct Linearise {
  Layout layout;
  const double* source = nullptr;
  const double* slope = nullptr;
  const double* temperature = nullptr;
  double* base = nullptr;

  CHANNEL_FUNCTION void operator()(int i, int j, int k) const {
    const std::ptrdiff_t c = layout.at(i, j, k);
    base[c] = source[c] - slope[c] * temperature[c];
  }
};

}  // namespace channel
