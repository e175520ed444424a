#pragma once

#include <ermine/case.hpp>
#include <ermine/result.hpp>

#include <string>
#include <vector>

namespace ermine::cli {

/// A computed curve beside its reference, in W/m3 over metres.
struct Comparison {
  std::vector<double> coordinate;
  std::vector<double> computed;
  std::vector<double> standard_error;
  std::vector<double> reference;

  /// Root mean square of (computed - reference) over the largest |reference|.
  double error() const;
  /// Root mean square of the standard error over the largest |reference|.
  double relative_standard_error() const;
};

/// One case of the paper: its case file, what it is compared with, and what counts as agreement.
struct ValidationCase {
  int number;
  const std::string& text;
  const char* reference;
  double bound;
  Comparison (*compare)(const Case&, const Result&);
};

const std::vector<ValidationCase>& validation_cases();

}  // namespace ermine::cli
