#pragma once

#include "validation_cases.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ermine::cli {

/// What became of a case of `ermine validate`.
struct Verdict {
  const ValidationCase& problem;
  std::string title;
  Comparison comparison;
  Estimate run_ledger;  ///< of the run itself: closes up to the error of the grid
  Estimate ledger;      ///< of a run with uniform starts: zero on average
  double seconds;       ///< of the run
  std::string hardware;
  std::string medium;
  std::vector<std::pair<std::string, std::string>> settings;  ///< names and values
  std::string text;                                           ///< the case as it was run

  double error() const { return comparison.error(); }
  bool balanced() const { return std::abs(ledger.value) <= 4 * ledger.standard_error; }
  bool pass() const;
  /// The energy balance in standard errors, "0" where there is neither.
  std::string balance_text() const;
};

/// How a case was solved, for people to read.
std::vector<std::pair<std::string, std::string>> settings_of(const Case& problem,
                                                             const Result& result);

/// Computed points with error bars over the reference, and their difference below.
std::string comparison_figure(const Verdict& verdict);

/// All of it as one page. `seconds`: of everything.
std::string validation_page(const std::vector<Verdict>& verdicts, double seconds);

}  // namespace ermine::cli
