#pragma once

#include <ermine/case.hpp>
#include <ermine/gas_medium.hpp>
#include <ermine/result.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace ermine::cli {

/// A number that must come out near an expected one.
struct Check {
  std::string name;
  Estimate computed;
  double expected;
  double bound;  ///< of the difference: a share of the expected number or, if that is 0, itself

  bool pass() const {
    return std::abs(computed.value - expected) <=
           bound * (expected != 0 ? std::abs(expected) : 1.0);
  }
};

/// Points of somebody else's curve, to be drawn beside.
struct PublishedCurve {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
};

/// A computed curve beside its reference: Q over x, unless it says otherwise.
struct Comparison {
  std::vector<double> coordinate;
  std::vector<double> computed;
  std::vector<double> standard_error;
  std::vector<double> reference;
  std::vector<double> reference_error = {};    ///< standard error of a reference by Monte Carlo
  std::vector<double> second_coordinate = {};  ///< y, for a plane
  std::vector<Check> checks = {};
  double scale = 0.0;  ///< what errors are relative to; 0: the largest |reference|
  std::string scale_name = "the largest emission";  ///< where there is a scale
  std::string abscissa = "x [m]";
  std::string ordinate = "Q [W/m3]";
  PublishedCurve published = {};
  double seconds = 0.0;  ///< of further solutions that the curve needed

  double reach() const;  ///< scale, or the largest |reference|
  /// Root mean square of (computed - reference) over reach().
  double error() const;
  /// Root mean square of the standard error over reach().
  double relative_standard_error() const;
};

/// What references may be computed with or looked up in, where the user has it.
struct ReferenceData {
  const GasMedium* lines = nullptr;  ///< a line-by-line table; else stored curves are taken
  std::string published;             ///< folder with published curves; empty: there are none
};

/// A problem: its case file, what it is compared with, and what counts as agreement.
struct ValidationCase {
  int number;           ///< among those of the paper; 0: not one of them
  const char* variant;  ///< of those: "" as in its case file, "lines" with the table built from
                        ///< lines; of others their name
  const std::string& text;
  const char* reference;
  double bound;
  Comparison (*compare)(const Case&, const Result&, const ReferenceData&);

  std::string name() const;  ///< "01", "10-lines", "burns-christon"
  std::string stem() const;  ///< of its files: "case01", "burns-christon"
  /// Whether a word of the command line means it: its name, or its number with or without zero.
  bool called(const std::string& word) const;
  bool from_lines() const { return number > 0 && *variant; }
};

const std::vector<ValidationCase>& validation_cases();

}  // namespace ermine::cli
