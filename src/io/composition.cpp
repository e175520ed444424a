#include "io/write_fields.hpp"

#include <fmt/format.h>

#include <utility>

namespace ermine {

NamedComposition named_composition(const Case& problem) {
  NamedComposition composition;
  const auto* gas = std::get_if<GasMedium>(&problem.medium);
  if (gas == nullptr) return composition;
  for (const GasMedium::MoleFraction& fraction : gas->mole_fractions()) {
    const std::string species(name_of(fraction.species));
    NamedField field{"mole_fraction_" + species, "1", "mole fraction of " + species,
                     fraction.values};
    auto& kind = fraction.values.size() == 1 ? composition.uniform : composition.fields;
    kind.push_back(std::move(field));
  }
  return composition;
}

}  // namespace ermine
