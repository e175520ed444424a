#pragma once

#include <ermine/case.hpp>
#include <ermine/gas_medium.hpp>
#include <ermine/result.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace ermine::cli {

/// A number that must come out within a share of an expected one.
struct Check {
  std::string name;
  Estimate computed;
  double expected;
  double bound;

  bool pass() const { return std::abs(computed.value - expected) <= bound * std::abs(expected); }
};

/// A computed curve beside its reference, in W/m3 over metres.
struct Comparison {
  std::vector<double> coordinate;
  std::vector<double> computed;
  std::vector<double> standard_error;
  std::vector<double> reference;
  std::vector<double> reference_error = {};    ///< standard error of a reference by Monte Carlo
  std::vector<double> second_coordinate = {};  ///< y, for a plane
  std::vector<Check> checks = {};

  /// Root mean square of (computed - reference) over the largest |reference|.
  double error() const;
  /// Root mean square of the standard error over the largest |reference|.
  double relative_standard_error() const;
};

/// One case of the paper: its case file, what it is compared with, and what counts as agreement.
struct ValidationCase {
  int number;
  const char* variant;  ///< "": as in its case file; "lines": with the table built from lines
  const std::string& text;
  const char* reference;
  double bound;
  /// `lines`: a line-by-line table to compute the reference with, or null for the stored one.
  Comparison (*compare)(const Case&, const Result&, const GasMedium* lines);

  std::string name() const;  ///< "01", "10-lines"
};

const std::vector<ValidationCase>& validation_cases();

}  // namespace ermine::cli
