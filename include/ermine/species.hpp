#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace ermine {

/// The absorbing gases that ermine carries data for.
enum class Species { h2o, co2, co, ch4 };

inline constexpr std::array all_species{Species::h2o, Species::co2, Species::co, Species::ch4};

std::string_view name_of(Species species);  ///< "H2O", "CO2", "CO", "CH4"
std::optional<Species> species_named(std::string_view name);
std::string species_names();  ///< all of them: "H2O, CO2, CO, CH4"

/// Mole fractions of the absorbing species of a gas. The rest is nitrogen: transparent, but it
/// broadens lines.
struct Composition {
  std::array<double, all_species.size()> mole_fraction{};

  double& operator[](Species species) { return mole_fraction[static_cast<std::size_t>(species)]; }
  double operator[](Species species) const {
    return mole_fraction[static_cast<std::size_t>(species)];
  }
  double nitrogen() const {
    double rest = 1.0;
    for (const double x : mole_fraction) rest -= x;
    return rest;
  }
  static Composition pure(Species species) {
    Composition composition;
    composition[species] = 1.0;
    return composition;
  }
};

}  // namespace ermine
