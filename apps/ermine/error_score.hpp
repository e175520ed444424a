#pragma once

#include <ermine/result.hpp>

#include <cstdint>
#include <span>
#include <vector>

/// How far a solution is from a converged one on the same grid.
namespace ermine::cli {

/// Q without levels of detail and with many rays, one value per cell, x fastest [W/m3].
struct Reference {
  std::vector<double> q;
  std::vector<double> standard_error;
  std::size_t independent = 1;  ///< tiles of cells whose errors are not copies of each other

  /// Root mean square of Q over all cells, noise removed [W/m3].
  double rms() const;
  /// Root mean square of the standard error over rms().
  double relative_standard_error() const;
  /// An error, relative, whose square is known to a quarter in spite of the reference's own noise.
  double smallest_error() const;
};

/// A solution that repeats itself every `period` cells, averaged over all periods, for as many
/// cells as asked for. Errors of the periods are taken for independent. With x fastest, the period
/// of a profile along x is its cells along x, that of any field all its cells.
Reference average_periods(const Result& result, std::size_t period, std::size_t cell_count);

/// Errors of a solution, each a root mean square over cells as a fraction of Reference::rms().
struct Score {
  double error = 0.0;           ///< all of it, the reference's own noise removed
  double standard_error = 0.0;  ///< as the solution reports it
  Estimate squared_bias;        ///< error^2 - standard_error^2; its own error counts cells as
                                ///< independent

  double bias() const;  ///< 0 where the statistical error explains everything
  /// Whether the bias stands out of the noise; by three errors, as those of few rays are no normal
  /// numbers.
  bool bias_seen() const { return squared_bias.value > 3 * squared_bias.standard_error; }
};

Score score(const Result& result, const Reference& reference);

/// Whether more rays cannot bring the error down to a target, for the bias of the levels; false
/// where that is not certain yet.
bool out_of_reach(const Score& score, double target);

/// How honest error bars are: several solutions of the same problem with different seeds.
class Calibration {
 public:
  void add(const Result& result);

  std::size_t seeds() const { return q_.size(); }
  /// Reported standard error over the true one, root mean squares over cells and seeds.
  double ratio() const;
  /// Share of cells whose Q is within two reported standard errors of the mean.
  double within_two() const;

 private:
  std::vector<double> mean() const;
  /// What a deviation from the mean of a few is short of one from the expectation.
  double correction() const;

  std::vector<std::vector<double>> q_;
  std::vector<std::vector<double>> standard_error_;
};

}  // namespace ermine::cli
