#include <ermine/narrow_band.hpp>

#include "core/fp_guard.hpp"
#include "spectra/atmosphere.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ermine {
namespace {

/// Emissivity of CO2 with the parameters that come with ermine, over that of distribution functions
/// made from lines of HITEMP, at 1000 K and with a pressure times length of 1 atm m.
struct Comparison {
  double pressure_atm;
  double ratio;
};
constexpr std::array<Comparison, 5> of_co2{
    {{1, 1.02}, {4, 1.00}, {15, 0.88}, {30, 0.76}, {50, 0.66}}};

}  // namespace

double missing_emissivity(Species species, double pressure) {
  const FloatingPointGuard guard;
  if (species != Species::co2) return 0.0;
  const double atm = pressure / pascal_per_atmosphere;
  if (atm >= of_co2.back().pressure_atm) return 1 - of_co2.back().ratio;
  for (std::size_t i = of_co2.size() - 1; i > 0; --i) {
    const Comparison& low = of_co2[i - 1];
    const Comparison& high = of_co2[i];
    if (atm < low.pressure_atm) continue;
    // The error grows more slowly than pressure: in its logarithm it is nearly a straight line.
    const double part =
        std::log(atm / low.pressure_atm) / std::log(high.pressure_atm / low.pressure_atm);
    return std::max(0.0, 1 - (low.ratio + part * (high.ratio - low.ratio)));
  }
  return 0.0;
}

std::optional<std::string> pressure_warning(Species species, double pressure) {
  constexpr double worth_telling = 0.05;
  const double missing = missing_emissivity(species, pressure);
  if (!(missing > worth_telling)) return std::nullopt;
  const double atm = pressure / pascal_per_atmosphere;
  return fmt::format(
      "{} at {:.3g} atm emits {} {:.0f} % too little (wings of its lines leave their narrow bands "
      "of 25 1/cm, which the data do not know; found at 1000 K and 1 atm m), trust results no "
      "further, or use a table from lines made for this pressure",
      name_of(species), atm, atm > of_co2.back().pressure_atm ? "at least" : "about",
      100 * missing);
}

}  // namespace ermine
