#include "transport/thin/thin_basis.hpp"

#include "core/sorted_order.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

/// Eigenvalues and eigenvectors of a symmetric matrix, by Jacobi's rotations.
struct Eigen {
  std::vector<double> value;
  std::vector<double> vector;  ///< row * n + number

  explicit Eigen(std::vector<double> a, std::size_t n) : value(n), vector(n * n) {
    for (std::size_t i = 0; i < n; ++i) vector[i * n + i] = 1.0;
    double norm = 0.0;
    for (const double x : a) norm += x * x;
    constexpr int most_sweeps = 30;
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      double off = 0.0;
      for (std::size_t p = 0; p < n; ++p) {
        for (std::size_t q = p + 1; q < n; ++q) off += a[p * n + q] * a[p * n + q];
      }
      if (off <= 1e-26 * norm) break;
      for (std::size_t p = 0; p < n; ++p) {
        for (std::size_t q = p + 1; q < n; ++q) rotate(a, n, p, q);
      }
    }
    for (std::size_t i = 0; i < n; ++i) value[i] = a[i * n + i];
  }

 private:
  void rotate(std::vector<double>& a, std::size_t n, std::size_t p, std::size_t q) {
    const double apq = a[p * n + q];
    if (apq == 0) return;
    const double theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
    const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(1.0, theta));
    const double c = 1 / std::hypot(1.0, t);
    const double s = t * c;
    for (std::size_t i = 0; i < n; ++i) turn(a[i * n + p], a[i * n + q], c, s);
    for (std::size_t i = 0; i < n; ++i) turn(a[p * n + i], a[q * n + i], c, s);
    for (std::size_t i = 0; i < n; ++i) turn(vector[i * n + p], vector[i * n + q], c, s);
  }
  static void turn(double& x, double& y, double c, double s) {
    const double before = x;
    x = c * x - s * y;
    y = s * before + c * y;
  }
};

/// What each sample absorbs of each example of light: sample * examples + example. Threads have
/// rows of it, so that sums do not depend on their number.
std::vector<double> absorbed(std::span<const float> samples, std::size_t count,
                             std::span<const float> light, std::size_t points, int threads) {
  const std::size_t examples = light.size() / points;
  std::vector<double> sums(count * examples);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (std::size_t j = 0; j < count; ++j) {
    double* sum = sums.data() + j * examples;
    for (std::size_t s = 0; s < points; ++s) {
      const double k = static_cast<double>(samples[s * count + j]);
      const float* of_point = light.data() + s * examples;
      for (std::size_t g = 0; g < examples; ++g) sum[g] += k * static_cast<double>(of_point[g]);
    }
  }
  return sums;
}

/// Products of rows.
std::vector<double> products(const std::vector<double>& rows, std::size_t count) {
  const std::size_t length = rows.size() / count;
  std::vector<double> product(count * count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      for (std::size_t g = 0; g < length; ++g) {
        product[i * count + j] += rows[i * length + g] * rows[j * length + g];
      }
    }
  }
  return product;
}

}  // namespace

ThinBasis::ThinBasis(std::span<const float> samples, std::size_t count,
                     std::span<const float> light, std::size_t points, int threads)
    : of_sample(count), of_point(points), relative_error(0.0) {
  if (count <= thin_parts) {
    for (std::size_t j = 0; j < count; ++j) of_sample[j][j] = 1.0;
    for (std::size_t s = 0; s < points; ++s) {
      for (std::size_t j = 0; j < count; ++j) {
        of_point[s][j] = static_cast<double>(samples[s * count + j]);
      }
    }
    return;
  }
  const Eigen eigen(products(absorbed(samples, count, light, points, threads), count), count);
  const std::vector<std::size_t> order = sorted_order<std::size_t>(eigen.value);
  double all = 0.0, left = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = std::max(eigen.value[order[i]], 0.0);
    all += value;
    if (i + thin_parts < count) left += value;
  }
  relative_error = all > 0 ? std::sqrt(left / all) : 0.0;
  // Vectors are orthonormal: a sample's share of each, and a point's sum over samples.
  for (std::size_t m = 0; m < thin_parts; ++m) {
    const std::size_t number = order[count - 1 - m];
    for (std::size_t j = 0; j < count; ++j) of_sample[j][m] = eigen.vector[j * count + number];
  }
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t s = 0; s < of_point.size(); ++s) {
    for (std::size_t j = 0; j < count; ++j) {
      const double k = static_cast<double>(samples[s * count + j]);
      for (std::size_t m = 0; m < thin_parts; ++m) of_point[s][m] += of_sample[j][m] * k;
    }
  }
}

}  // namespace ermine
