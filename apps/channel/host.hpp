#pragma once

#include "field.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

// Rows for processors with longer vectors, chosen when the program starts. Without fused
// operations: the same bits on all. Sanitizers start before that choice is made.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__AVX2__)
#define CHANNEL_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CHANNEL_CLONES
#endif

namespace channel {

/// Memory and loops of the CPU. The GPU's twin is Cuda (cuda_space.cuh).
class Host {
 public:
  /// Fewer cells than this are done sooner by one thread than others are woken up.
  static constexpr int worth_threads = 4096;
  static constexpr bool device = false;

  /// Zeros. Aligned to cache lines, as the transforms like it.
  static std::shared_ptr<double> allocate(std::ptrdiff_t count) {
    const auto bytes = (static_cast<std::size_t>(count) * sizeof(double) + 63) / 64 * 64;
    std::shared_ptr<double> array(static_cast<double*>(std::aligned_alloc(64, bytes)), std::free);
    if (!array) throw std::bad_alloc();
    double* const begin = array.get();
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t n = 0; n < count; ++n) begin[n] = 0.0;
    return array;
  }
  static void copy_in(double* to, const double* from, std::ptrdiff_t count) {
    std::copy_n(from, count, to);
  }
  static void copy_out(double* to, const double* from, std::ptrdiff_t count) {
    std::copy_n(from, count, to);
  }
  static void copy_within(double* to, const double* from, std::ptrdiff_t count) {
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t n = 0; n < count; ++n) to[n] = from[n];
  }
  static void wait() {}

  /// act(i, j, k) for all cells of a box, in any order.
  template <class Act>
  static void each(Box b, Act act) {
    const std::ptrdiff_t cells =
        static_cast<std::ptrdiff_t>(b.i1 - b.i0) * (b.j1 - b.j0) * (b.k1 - b.k0);
#pragma omp parallel for collapse(2) schedule(static) if (cells > worth_threads)
    for (int i = b.i0; i < b.i1; ++i) {
      for (int k = b.k0; k < b.k1; ++k) {
        row(act, i, k, b.j0, b.j1);
      }
    }
  }
  /// A copy of `act` of its own lets the compiler keep its numbers in registers.
  template <class Act>
  CHANNEL_CLONES static void row(const Act act, int i, int k, int begin, int end) {
#pragma omp simd
    for (int j = begin; j < end; ++j) act(i, j, k);
  }
  /// act(line, begin, end) for strips of all lines: whole ones here, single numbers on a GPU.
  template <class Act>
  static void each_strip(int lines, int length, Act act) {
#pragma omp parallel for schedule(static) if (lines * length > worth_threads)
    for (int line = 0; line < lines; ++line) act(line, 0, length);
  }
};

}  // namespace channel
