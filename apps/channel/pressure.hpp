#pragma once

#include "field.hpp"

namespace channel {

/// Divergence of the velocity times `factor`, into rows of the transform.
struct Divergence {
  Layout layout;
  SpectralLayout spectral;
  Metric metric;
  Fields<const double> f;
  double* p = nullptr;
  double factor = 1;

  CHANNEL_FUNCTION void operator()(int i, int j, int k) const {
    p[spectral.at(i, j, k)] = factor * divergence_at(layout, metric, f, i, layout.at(i, j, k));
  }
};

/// Subtracts `factor` times the gradient of the pressure.
struct Correct {
  Layout layout;
  SpectralLayout spectral;
  Metric metric;
  Fields<double> f;
  const double* p = nullptr;
  double factor = 1;

  CHANNEL_FUNCTION void operator()(int i, int j, int k) const {
    const std::ptrdiff_t c = layout.at(i, j, k);
    const std::ptrdiff_t s = spectral.at(i, j, k);
    const double here = p[s];
    // The last face is the wall: no gradient across.
    const std::ptrdiff_t across = i + 1 < layout.nx ? spectral.plane() : 0;
    f.u[c] -= factor * (p[s + across] - here) * metric.per_centre[i];
    f.v[c] -= factor * (p[s + 1] - here) * metric.per_dy;
    f.w[c] -= factor * (p[s + spectral.row()] - here) * metric.per_dz;
  }
};

/// Poisson's equation along x for modes of y and z, by elimination without pivoting: the systems
/// are symmetric and diagonally dominant. Rows (z) of modes (y) lie `row` complex numbers apart.
struct Tridiagonal {
  int nx = 0;
  std::ptrdiff_t row = 0, plane = 0;  ///< complex numbers
  const double* below = nullptr;      ///< along x
  const double* above = nullptr;
  /// Reciprocal pivots, real, the rows of a plane dense: `modes` apart, `pivot_plane` a plane.
  const double* pivot = nullptr;
  std::ptrdiff_t modes = 0, pivot_plane = 0;
  double* p = nullptr;

  /// Planes that are loaded together: each waits for the one before, their memory need not.
  static constexpr int together = 4;

  CHANNEL_FUNCTION void operator()(int k, int begin, int end) const {
    double* const first = p + 2 * (k * row);
    const double* const pivots = pivot + k * modes;
    for (int m = begin; m < end; ++m) {
      first[2 * m] *= pivots[m];
      first[2 * m + 1] *= pivots[m];
    }
    int i = 1;
    for (; i + together <= nx; i += together) eliminate<together>(first, pivots, i, begin, end);
    for (; i < nx; ++i) eliminate<1>(first, pivots, i, begin, end);
    i = nx - 2;
    for (; i - together >= -1; i -= together) substitute<together>(first, pivots, i, begin, end);
    for (; i >= 0; --i) substitute<1>(first, pivots, i, begin, end);
  }

 private:
  /// Planes i to i + count - 1, upwards.
  template <int count>
  CHANNEL_FUNCTION void eliminate(double* first, const double* pivots, int i, int begin,
                                  int end) const {
    double* const here = first + 2 * (i * plane);
    const double* const by = pivots + i * pivot_plane;
    for (int m = begin; m < end; ++m) {
      double re[count], im[count], factor[count];
      for (int n = 0; n < count; ++n) {
        re[n] = here[2 * (n * plane + m)];
        im[n] = here[2 * (n * plane + m) + 1];
        factor[n] = by[n * pivot_plane + m];
      }
      double re_before = here[2 * (m - plane)], im_before = here[2 * (m - plane) + 1];
      for (int n = 0; n < count; ++n) {
        re_before = (re[n] - below[i + n] * re_before) * factor[n];
        im_before = (im[n] - below[i + n] * im_before) * factor[n];
        here[2 * (n * plane + m)] = re_before;
        here[2 * (n * plane + m) + 1] = im_before;
      }
    }
  }
  /// Planes i to i - count + 1, downwards.
  template <int count>
  CHANNEL_FUNCTION void substitute(double* first, const double* pivots, int i, int begin,
                                   int end) const {
    double* const here = first + 2 * (i * plane);
    const double* const by = pivots + i * pivot_plane;
    for (int m = begin; m < end; ++m) {
      double re[count], im[count], factor[count];
      for (int n = 0; n < count; ++n) {
        re[n] = here[2 * (m - n * plane)];
        im[n] = here[2 * (m - n * plane) + 1];
        factor[n] = above[i - n] * by[m - n * pivot_plane];
      }
      double re_before = here[2 * (m + plane)], im_before = here[2 * (m + plane) + 1];
      for (int n = 0; n < count; ++n) {
        re_before = re[n] - factor[n] * re_before;
        im_before = im[n] - factor[n] * im_before;
        here[2 * (m - n * plane)] = re_before;
        here[2 * (m - n * plane) + 1] = im_before;
      }
    }
  }
};

/// The periodic neighbours of the pressure: after each row its first value, ...
struct PressurePadding {
  SpectralLayout spectral;
  double* p = nullptr;
  CHANNEL_FUNCTION void operator()(int i, int, int k) const {
    p[spectral.at(i, spectral.ny, k)] = p[spectral.at(i, 0, k)];
  }
};
/// ... and after the last row the first one.
struct PressureRow {
  SpectralLayout spectral;
  double* p = nullptr;
  CHANNEL_FUNCTION void operator()(int i, int j, int) const {
    p[spectral.at(i, j, spectral.nz)] = p[spectral.at(i, j, 0)];
  }
};

}  // namespace channel
