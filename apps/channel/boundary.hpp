#pragma once

#include "field.hpp"

namespace channel {

/// Periodic halos along y.
struct HalosAlongY {
  Layout layout;
  Fields<double> f;

  CHANNEL_FUNCTION void copy(double* q, int i, int k) const {
    q[layout.at(i, -1, k)] = q[layout.at(i, layout.ny - 1, k)];
    q[layout.at(i, layout.ny, k)] = q[layout.at(i, 0, k)];
  }
  CHANNEL_FUNCTION void operator()(int i, int, int k) const {
    copy(f.u, i, k);
    copy(f.v, i, k);
    copy(f.w, i, k);
    copy(f.t, i, k);
  }
};

/// Periodic halos along z, of one process that has all of it.
struct HalosAlongZ {
  Layout layout;
  Fields<double> f;

  CHANNEL_FUNCTION void copy(double* q, int i, int j) const {
    q[layout.at(i, j, -1)] = q[layout.at(i, j, layout.nz - 1)];
    q[layout.at(i, j, layout.nz)] = q[layout.at(i, j, 0)];
  }
  CHANNEL_FUNCTION void operator()(int i, int j, int) const {
    copy(f.u, i, j);
    copy(f.v, i, j);
    copy(f.w, i, j);
    copy(f.t, i, j);
  }
};

/// What the divergence asks for before the velocity is corrected: v and w below the first cell.
struct FacesBelowY {
  Layout layout;
  double* v = nullptr;
  CHANNEL_FUNCTION void operator()(int i, int, int k) const {
    v[layout.at(i, -1, k)] = v[layout.at(i, layout.ny - 1, k)];
  }
};
struct FacesBelowZ {
  Layout layout;
  double* w = nullptr;
  CHANNEL_FUNCTION void operator()(int i, int j, int) const {
    w[layout.at(i, j, -1)] = w[layout.at(i, j, layout.nz - 1)];
  }
};

/// Cells beyond the walls, so that the mean of theirs and of their mirror image is the value of the
/// wall: velocity zero (`mirror` = -1), or free of shear (+1); temperature of the wall. u on the
/// walls themselves stays zero.
struct WallGhosts {
  Layout layout;
  Fields<double> f;
  double mirror = -1;
  double t_low = 0, t_high = 0;  ///< [K]

  CHANNEL_FUNCTION void operator()(int, int j, int k) const {
    const int n = layout.nx;
    const std::ptrdiff_t below = layout.at(-1, j, k), first = layout.at(0, j, k);
    const std::ptrdiff_t above = layout.at(n, j, k), last = layout.at(n - 1, j, k);
    f.v[below] = mirror * f.v[first];
    f.w[below] = mirror * f.w[first];
    f.t[below] = 2 * t_low - f.t[first];
    f.v[above] = mirror * f.v[last];
    f.w[above] = mirror * f.w[last];
    f.t[above] = 2 * t_high - f.t[last];
  }
};

/// Gradients of w and T into the fluid at both walls, summed over each row: out[(4 k) + 0..3] is w
/// at the low and high wall, T at the low and high wall.
struct WallGradients {
  Layout layout;
  Metric metric;
  Fields<const double> f;
  double* out = nullptr;

  CHANNEL_FUNCTION void operator()(int, int, int k) const {
    const int n = layout.nx;
    double w_low = 0, w_high = 0, t_low = 0, t_high = 0;
    const std::ptrdiff_t x = layout.plane();
    for (int j = 0; j < layout.ny; ++j) {
      const std::ptrdiff_t first = layout.at(0, j, k), last = layout.at(n - 1, j, k);
      w_low += f.w[first] - f.w[first - x];
      w_high += f.w[last] - f.w[last + x];
      t_low += f.t[first] - f.t[first - x];
      t_high += f.t[last] - f.t[last + x];
    }
    out[4 * k] = w_low * metric.per_centre[-1];
    out[4 * k + 1] = w_high * metric.per_centre[n - 1];
    out[4 * k + 2] = t_low * metric.per_centre[-1];
    out[4 * k + 3] = t_high * metric.per_centre[n - 1];
  }
};

/// Sums of the rows, in their order, so that they do not depend on processes; then the force that
/// holds the bulk velocity: the friction of both walls over the height. out: the four sums times
/// `per_area`, and the force; `total` adds them up over the stages, each times `weight`.
struct WallSums {
  const double* rows = nullptr;
  int row_count = 0;
  double per_rows = 1;  ///< one over cells of a wall
  double friction = 0;  ///< viscosity over height; 0: the force is given
  double force = 0;
  double weight = 0;        ///< of this stage, with the time step
  double* out = nullptr;    ///< 5
  double* total = nullptr;  ///< 5

  CHANNEL_FUNCTION void operator()(int, int, int) const {
    double sums[4] = {0, 0, 0, 0};
    for (int k = 0; k < row_count; ++k) {
      for (int q = 0; q < 4; ++q) sums[q] += rows[4 * k + q];
    }
    for (int q = 0; q < 4; ++q) out[q] = sums[q] * per_rows;
    out[4] = force + friction * (out[0] + out[1]);
    for (int q = 0; q < 5; ++q) total[q] += weight * out[q];
  }
};

}  // namespace channel
