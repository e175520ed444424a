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

double Comparison::reach() const { return scale > 0 ? scale : largest(reference); }

double Comparison::error() const {
  std::vector<double> difference;
  for (std::size_t i = 0; i < computed.size(); ++i) {
    difference.push_back(computed[i] - reference[i]);
  }
  return root_mean_square_over(difference, reach());
}

double Comparison::relative_standard_error() const {
  return root_mean_square_over(standard_error, reach());
}

std::string ValidationCase::name() const {
  if (number == 0) return variant;
  return fmt::format("{:02}{}{}", number, *variant ? "-" : "", variant);
}

std::string ValidationCase::stem() const { return (number > 0 ? "case" : "") + name(); }

bool ValidationCase::called(const std::string& word) const {
  return word == name() || (number > 0 && (word == fmt::format("{}", number) ||
                                           word == fmt::format("{:02}", number)));
}

const std::vector<ValidationCase>& validation_cases() {
  static constexpr const char* exact = "exact slab (exponential integrals)";
  static constexpr const char* quadrature = "quadrature of the transfer equation";
  static constexpr const char* same_points = "deterministic slab, same spectral points";
  static constexpr const char* line_slab = "line-by-line deterministic slab";
  static constexpr const char* layers = "exact layers (exponential integrals), all points";
  static constexpr const char* one_level = "same cells, one level, many rays; walls: finer grid";
  static constexpr const char* published = "Crosbie & Schrenker (1984)";
  static constexpr const char* ordinates = "discrete ordinates in a slab";
  static constexpr const char* balance = "exactly zero: nothing is exchanged";
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
       compare_with_lines_12},
      {0, "burns-christon", embedded::burns_christon, quadrature, 0.0006, compare_burns_christon},
      {0, "s1", embedded::s1, layers, 0.005, compare_layers_s1},
      {0, "s2", embedded::s2, layers, 0.005, compare_layers_s2},
      {0, "thick-slab", embedded::thick_slab, exact, 0.01, compare_wave_slab},
      {0, "thick-stretched", embedded::thick_stretched, exact, 0.01, compare_wave_slab},
      {0, "flame-sheet", embedded::flame_sheet, one_level, 0.02, compare_flame_sheet},
      {0, "spherical-front", embedded::spherical_front, one_level, 0.03, compare_spherical_front},
      {0, "wrinkled-front", embedded::wrinkled_front, one_level, 0.02, compare_wrinkled_front},
      {0, "jet-flame", embedded::jet_flame, one_level, 0.03, compare_jet_flame},
      {0, "mirror-furnace", embedded::mirror_furnace, one_level, 0.03, compare_mirror_furnace},
      {0, "scattering-square", embedded::scattering_square, published, 0.0006,
       compare_scattering_square},
      {0, "mist-slab", embedded::mist_slab, ordinates, 0.003, compare_mist_slab},
      {0, "ash-steam", embedded::ash_steam, ordinates, 0.005, compare_ash_steam},
      {0, "isothermal-grey", embedded::isothermal_grey, balance, 0.0, compare_with_nothing},
      {0, "isothermal-mixture", embedded::isothermal_mixture, balance, 0.0, compare_with_nothing}};
  return cases;
}

}  // namespace ermine::cli
