#pragma once

#include <ermine/options.hpp>
#include <ermine/result.hpp>

#include <cmath>
#include <span>

namespace ermine {

/// Of a value that no sample is known of.
inline bool is_known(const Estimate& estimate) { return estimate.standard_error < HUGE_VAL; }

/// The norm of the target over errors of cells. `threads` of the CPU add them up.
double norm_of(std::span<const double> errors, const ErrorTarget& target, int threads = 1);

/// Of the standard errors.
double norm_of_errors(std::span<const Estimate> estimates, const ErrorTarget& target);

/// Root mean square of values that are known with errors: their noise is taken out.
double root_mean_square(std::span<const Estimate> estimates);

/// Norm of the values of those that are known, their noise taken out, and its standard error.
Estimate norm_of_values(std::span<const Estimate> estimates, const ErrorTarget& target);

}  // namespace ermine
