#pragma once

#include <ermine/options.hpp>
#include <ermine/result.hpp>

#include <span>
#include <vector>

namespace ermine {

/// The norm of the target over errors of cells. `threads` of the CPU add them up.
double norm_of(std::span<const double> errors, const ErrorTarget& target, int threads = 1);

/// Of the standard errors.
double norm_of_errors(std::span<const Estimate> estimates, const ErrorTarget& target);

/// Root mean square of values as they are.
double root_mean_square(std::span<const double> values, int threads = 1);

/// Root mean square of values that are known with errors: their noise is taken out.
double root_mean_square(std::span<const Estimate> estimates);

/// Ratio of the true root mean square error of cells to its estimate that 95 of 100 runs do not
/// exceed. Both scatter, the more the fewer tiles they come from. `variances`: of each tile, or of
/// whatever boxes of cells are independent of each other; `replicates`: at least 2.
double rms_margin(std::span<const double> variances, int replicates);

/// Norm of the values of some tiles, their noise taken out, and its standard error. Values of a
/// tile are alike: the error comes from the scatter of tiles.
Estimate norm_of_values(std::span<const std::vector<Estimate>> tiles, const ErrorTarget& target);

}  // namespace ermine
