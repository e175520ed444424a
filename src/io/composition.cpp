#include "io/write_fields.hpp"

#include <fmt/format.h>

#include <utility>

namespace ermine {

NamedComposition named_composition(const Case& problem) {
  NamedComposition composition;
  for (const Particles& particles : problem.particles) {
    const auto add = [&](const char* what, std::span<const double> values) {
      auto& kind = values.size() == 1 ? composition.uniform : composition.fields;
      kind.push_back({fmt::format("particles_{}_{}", particles.name, what), "1/m",
                      fmt::format("{} coefficient of particles {}", what, particles.name), values});
    };
    add("absorption", particles.absorption);
    add("scattering", particles.scattering);
  }
  const auto* gas = std::get_if<GasMedium>(&problem.medium);
  if (gas == nullptr) return composition;
  for (const GasMedium::MoleFraction& fraction : gas->mole_fractions()) {
    const std::string species(name_of(fraction.species));
    NamedField field{"mole_fraction_" + species, "1", "mole fraction of " + species,
                     fraction.values};
    auto& kind = fraction.values.size() == 1 ? composition.uniform : composition.fields;
    kind.push_back(std::move(field));
  }
  if (const auto& soot = gas->soot()) {
    auto& kind = soot->volume_fraction.size() == 1 ? composition.uniform : composition.fields;
    kind.push_back({"soot_volume_fraction", "1", "volume fraction of soot", soot->volume_fraction});
    composition.uniform.push_back({"soot_constant", "1",
                                   "absorption of soot over volume fraction and wavenumber",
                                   std::span(&soot->constant, 1)});
  }
  return composition;
}

}  // namespace ermine
