#include <ermine/species.hpp>

namespace ermine {

std::string_view name_of(Species species) {
  constexpr std::array<std::string_view, all_species.size()> names{"H2O", "CO2", "CO", "CH4"};
  return names[static_cast<std::size_t>(species)];
}

std::optional<Species> species_named(std::string_view name) {
  for (const Species species : all_species) {
    if (name_of(species) == name) return species;
  }
  return std::nullopt;
}

std::string species_names() {
  std::string names;
  for (const Species species : all_species) {
    if (!names.empty()) names += ", ";
    names += name_of(species);
  }
  return names;
}

}  // namespace ermine
