#pragma once

#include "spectra/root.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace ermine {

/// The inverse Gaussian distribution with mean 1 and a shape B: of k / kbar within a band of
/// the Malkmus model (Domoto, JQSRT 14, 1974). Every shape above 0 is allowed.

/// Cumulative distribution at y, and its derivative over ln y.
Slope inverse_gaussian_cdf(double y, double shape);

/// The y below which a share g lies, 0 < g < 1. Relative error 1e-12, or where y depends more
/// steeply on g, what the rounding of g allows.
double inverse_gaussian_quantile(double g, double shape);

/// Quantiles at fixed nodes g for any shape of a range, from a table: relative error 1e-8.
class InverseGaussianQuantiles {
 public:
  InverseGaussianQuantiles(std::span<const double> nodes, double lowest_shape,
                           double highest_shape);

  /// Writes one y for each node. The shape must lie in the range.
  void evaluate(double shape, std::span<double> y) const;

 private:
  std::size_t nodes_;
  std::size_t intervals_;
  double first_;                // ln B
  std::vector<double> value_;   // ln y: (number of ln B) * nodes + node
  std::vector<double> change_;  // d ln y / d ln B, times the step
};

}  // namespace ermine
