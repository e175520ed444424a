#pragma once

#include <ermine/species.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace ermine {

/// Mean Lorentz half-width of a species' lines in a gas at 1 atm [1/cm]:
///   sum_i factor_i (296 K / T)^exponent_i,
/// where factors depend on the composition, and the exponents on the species alone.
struct LorentzTerms {
  std::size_t count;
  std::array<double, 3> factor;
  std::array<double, 3> exponent;

  /// `t`: 296 K / T.
  double width(double t) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) sum += factor[i] * power(t, exponent[i]);
    return sum;
  }

 private:
  static double power(double t, double exponent) {
    if (exponent == 1) return t;
    return exponent == 0.5 ? std::sqrt(t) : std::pow(t, exponent);
  }
};

/// Riviere & Soufiani, Int. J. Heat Mass Transfer 55 (2012); CH4: Perrin & Soufiani, JQSRT 103
/// (2007). They do not say how methane broadens other lines: here as nitrogen does.
inline LorentzTerms lorentz_terms(Species species, const Composition& composition) {
  const double h2o = composition[Species::h2o];
  const double co2 = composition[Species::co2];
  const double co = composition[Species::co];
  const double n2 = std::max(0.0, composition.nitrogen()) + composition[Species::ch4];
  switch (species) {
    case Species::h2o:
      return {2, {0.462 * h2o, 0.079 * (1.0 - co2) + 0.106 * co2}, {1.0, 0.5}};
    case Species::co2:
      return {1, {0.07 * co2 + 0.058 * (n2 + co) + 0.10 * h2o}, {0.7}};
    case Species::co:
      return {3, {0.075 * co2, 0.12 * h2o, 0.06 * (co + n2)}, {0.6, 0.82, 0.7}};
    case Species::ch4:
      return {1, {0.051}, {0.75}};
  }
  return {};
}

}  // namespace ermine
