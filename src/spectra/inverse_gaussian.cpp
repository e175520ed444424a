#include "spectra/inverse_gaussian.hpp"

#include "core/constants.hpp"
#include "core/thread_count.hpp"

#include <algorithm>
#include <cerf.h>
#include <cmath>

namespace ermine {
namespace {

// With a = sqrt(B / 2y) (y - 1) and b = sqrt(B / 2y) (y + 1), b^2 - a^2 = 2B, and the textbook form
//   F = Phi(a sqrt 2) + exp(2B) Phi(-b sqrt 2)
// becomes, with erfcx(x) = exp(x^2) erfc(x), sums and differences that cannot overflow:
//   y <= 1:      F = exp(-a^2) (erfcx(-a) + erfcx(b)) / 2
//   y >= 1:  1 - F = exp(-a^2) (erfcx(a) - erfcx(b)) / 2
// Derivatives: dF / d ln y = exp(-a^2) (b - a) / (2 sqrt pi),
//   dF / d ln B = exp(-a^2) (B erfcx(b) - (b - a) / (2 sqrt pi)).
struct Arguments {
  double a, b, gap;  // gap: b - a, without cancellation

  Arguments(double y, double shape) {
    const double root = std::sqrt(0.5 * shape / y);
    a = root * (y - 1.0);
    b = root * (y + 1.0);
    gap = 2.0 * root;
  }
};

const double sqrt_pi = std::sqrt(constants::pi);

/// ln F where y <= 1 and -ln(1 - F) where y >= 1, over ln y: increasing, and finite in far tails.
Slope log_lower(double log_y, double shape) {
  const Arguments at(std::exp(log_y), shape);
  const double sum = erfcx(-at.a) + erfcx(at.b);
  return {std::log(0.5 * sum) - at.a * at.a, at.gap / (sqrt_pi * sum)};
}
Slope log_upper(double log_y, double shape) {
  const Arguments at(std::exp(log_y), shape);
  const double difference = erfcx(at.a) - erfcx(at.b);
  return {at.a * at.a - std::log(0.5 * difference), at.gap / (sqrt_pi * difference)};
}

double log_quantile(double g, double shape) {
  const bool upper = g > 0.5 * (1.0 + erfcx(std::sqrt(2.0 * shape)));  // F at y = 1
  const double target = upper ? -std::log1p(-g) : std::log(g);
  const auto function = [=](double log_y) {
    Slope f = upper ? log_upper(log_y, shape) : log_lower(log_y, shape);
    f.value -= target;
    return f;
  };
  double inner = 0.0;
  double step = std::min(1.0, 1.0 / std::sqrt(shape));
  double outer = upper ? step : -step;
  while ((function(outer).value < 0.0) == upper && std::abs(outer) < 700.0) {
    inner = outer;
    step *= 2.0;
    outer += upper ? step : -step;
  }
  const double low = std::min(inner, outer);
  const double high = std::max(inner, outer);
  return increasing_root(function, low, high, 0.5 * (low + high), 1e-14);
}

constexpr double grid_step = 0.04;  // of ln B; cubic interpolation of ln y is then good to 1e-8

}  // namespace

Slope inverse_gaussian_cdf(double y, double shape) {
  const Arguments at(y, shape);
  const double decay = std::exp(-at.a * at.a);
  const double derivative = decay * at.gap / (2.0 * sqrt_pi);
  if (y <= 1.0) return {0.5 * decay * (erfcx(-at.a) + erfcx(at.b)), derivative};
  return {1.0 - 0.5 * decay * (erfcx(at.a) - erfcx(at.b)), derivative};
}

double inverse_gaussian_quantile(double g, double shape) {
  return std::exp(log_quantile(g, shape));
}

InverseGaussianQuantiles::InverseGaussianQuantiles(std::span<const double> nodes,
                                                   double lowest_shape, double highest_shape)
    : nodes_(nodes.size()), first_(std::log(lowest_shape)) {
  const double range = std::log(highest_shape) - first_;
  intervals_ = static_cast<std::size_t>(range / grid_step) + 1;
  value_.resize((intervals_ + 1) * nodes_);
  change_.resize(value_.size());
#pragma omp parallel for schedule(static) num_threads(thread_count(0))
  for (std::size_t i = 0; i <= intervals_; ++i) {
    const double shape = std::exp(first_ + static_cast<double>(i) * grid_step);
    for (std::size_t j = 0; j < nodes_; ++j) {
      const double log_y = log_quantile(nodes[j], shape);
      const double y = std::exp(log_y);
      // d ln y / d ln B = -(dF / d ln B) / (dF / d ln y)
      const Arguments at(y, shape);
      const double slope = 1.0 - 2.0 * sqrt_pi * shape * erfcx(at.b) / at.gap;
      value_[i * nodes_ + j] = log_y;
      change_[i * nodes_ + j] = slope * grid_step;
    }
  }
}

void InverseGaussianQuantiles::evaluate(double shape, std::span<double> y) const {
  const double position = std::max(0.0, (std::log(shape) - first_) / grid_step);
  const std::size_t i = std::min(static_cast<std::size_t>(position), intervals_ - 1);
  const double t = position - static_cast<double>(i);
  // Cubic Hermite polynomials.
  const double h1 = t * t * (3.0 - 2.0 * t);
  const double d0 = t * (1.0 - t) * (1.0 - t);
  const double d1 = -t * t * (1.0 - t);
  const double* value = value_.data() + i * nodes_;
  const double* change = change_.data() + i * nodes_;
  for (std::size_t j = 0; j < nodes_; ++j) {
    y[j] =
        value[j] + h1 * (value[j + nodes_] - value[j]) + d0 * change[j] + d1 * change[j + nodes_];
  }
  for (std::size_t j = 0; j < nodes_; ++j) y[j] = std::exp(y[j]);
}

}  // namespace ermine
