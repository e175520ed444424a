#include "validation_cases.hpp"

#include "comparisons.hpp"
#include "embedded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ermine::cli {
namespace {

double root_mean_square_over(const std::vector<double>& values, double scale) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(values.size())) / scale;
}

double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

}  // namespace

double Comparison::error() const {
  std::vector<double> difference;
  for (std::size_t i = 0; i < computed.size(); ++i) {
    difference.push_back(computed[i] - reference[i]);
  }
  return root_mean_square_over(difference, largest(reference));
}

double Comparison::relative_standard_error() const {
  return root_mean_square_over(standard_error, largest(reference));
}

std::string ValidationCase::name() const {
  return fmt::format("{:02}{}{}", number, *variant ? "-" : "", variant);
}

const std::vector<ValidationCase>& validation_cases() {
  static constexpr const char* exact = "exact slab (exponential integrals)";
  static constexpr const char* quadrature = "quadrature of the transfer equation";
  static constexpr const char* same_points = "deterministic slab, same spectral points";
  static constexpr const char* line_slab = "line-by-line deterministic slab";
  static const std::vector<ValidationCase> cases{
      {1, "", embedded::case01, exact, 0.003, compare_linear_slab},
      {2, "", embedded::case02, exact, 0.003, compare_parabolic_slab},
      {3, "", embedded::case03, quadrature, 0.005, compare_cube},
      {4, "", embedded::case04, quadrature, 0.005, compare_cube},
      {5, "", embedded::case05, same_points, 0.003, compare_thin_hot_slab},
      {6, "", embedded::case06, same_points, 0.003, compare_thick_hot_slab},
      {7, "", embedded::case07, same_points, 0.005, compare_linear_gas},
      {8, "", embedded::case08, same_points, 0.005, compare_linear_gas},
      {9, "", embedded::case09, same_points, 0.005, compare_linear_gas},
      {10, "", embedded::case10, same_points, 0.003, compare_parabolic_gas},
      {10, "lines", embedded::case10, line_slab, 0.005, compare_with_lines_10},
      {11, "", embedded::case11, same_points, 0.003, compare_parabolic_gas},
      {11, "lines", embedded::case11, line_slab, 0.005, compare_with_lines_11},
      {12, "lines", embedded::case12, "line-by-line Monte Carlo, plane z = 0.5", 0.01,
       compare_with_lines_12}};
  return cases;
}

}  // namespace ermine::cli
