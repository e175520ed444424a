#pragma once

#include <cstddef>

#if defined(__CUDACC__)
#define CHANNEL_FUNCTION __host__ __device__ inline
#elif defined(__GNUC__)
// Calls within rows would keep compilers from making vectors of them.
#define CHANNEL_FUNCTION __attribute__((always_inline)) inline
#else
#define CHANNEL_FUNCTION inline
#endif

namespace channel {

/// How the cells of this process lie in memory: y fastest, then z, then x, with one halo cell on
/// every side. Planes across x are contiguous, as the transforms want them, and the tridiagonal
/// systems along x are solved side by side for neighbours in memory.
struct Layout {
  int nx = 0, ny = 0, nz = 0;  ///< cells without halos; nz of this process

  CHANNEL_FUNCTION std::ptrdiff_t row() const { return ny + 2; }
  CHANNEL_FUNCTION std::ptrdiff_t plane() const { return row() * (nz + 2); }
  CHANNEL_FUNCTION std::ptrdiff_t size() const { return plane() * (nx + 2); }
  CHANNEL_FUNCTION std::ptrdiff_t at(int i, int j, int k) const {
    return (i + 1) * plane() + (k + 1) * row() + (j + 1);
  }
};

/// The pressure and its transform, in place: rows of y padded as a real transform wants them. The
/// padding, and one row beyond the last of z, hold the periodic neighbours above.
struct SpectralLayout {
  int nx = 0, ny = 0, nz = 0;

  CHANNEL_FUNCTION int modes() const { return ny / 2 + 1; }  ///< complex numbers of a row
  CHANNEL_FUNCTION std::ptrdiff_t row() const { return 2 * static_cast<std::ptrdiff_t>(modes()); }
  CHANNEL_FUNCTION std::ptrdiff_t plane() const { return row() * (nz + 1); }
  CHANNEL_FUNCTION std::ptrdiff_t size() const { return plane() * nx; }
  CHANNEL_FUNCTION std::ptrdiff_t at(int i, int j, int k) const {
    return i * plane() + k * row() + j;
  }
};

/// Widths along x of cells, `cell`, and between their centres, `centre[i]` from cell i to i + 1,
/// and their reciprocals; all from i = -1. Cells beyond a wall mirror those within.
struct Metric {
  const double* cell = nullptr;
  const double* per_cell = nullptr;
  const double* per_centre = nullptr;
  double per_dy = 0, per_dz = 0;
};

/// Velocities on the faces above a cell (u across x, v across y, w across z), temperature at its
/// centre.
template <class T>
struct Fields {
  T* u = nullptr;
  T* v = nullptr;
  T* w = nullptr;
  T* t = nullptr;
};

/// Cells begin <= index < end along each axis.
struct Box {
  int i0 = 0, i1 = 0, j0 = 0, j1 = 0, k0 = 0, k1 = 0;
};

/// Divergence of the velocity in the cell at c, number i across x.
CHANNEL_FUNCTION double divergence_at(const Layout& layout, const Metric& metric,
                                      const Fields<const double>& f, int i, std::ptrdiff_t c) {
  return (f.u[c] - f.u[c - layout.plane()]) * metric.per_cell[i] +
         (f.v[c] - f.v[c - 1]) * metric.per_dy + (f.w[c] - f.w[c - layout.row()]) * metric.per_dz;
}

}  // namespace channel
