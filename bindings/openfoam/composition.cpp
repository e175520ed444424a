#include "composition.hpp"

#include "basicSpecieMixture.H"
#include "fluidThermo.H"
#include "volFields.H"

#include <algorithm>
#include <array>
#include <utility>

namespace ermineFoam {
namespace {

const std::array<std::pair<const char*, int>, 4> species_names{
    {{"H2O", ERMINE_H2O}, {"CO2", ERMINE_CO2}, {"CO", ERMINE_CO}, {"CH4", ERMINE_CH4}}};

/// Null if the thermo package knows no species.
const Foam::basicSpecieMixture* mixture_of(const Foam::fvMesh& mesh) {
  const auto* thermo = mesh.findObject<Foam::fluidThermo>(Foam::basicThermo::dictName);
  return dynamic_cast<const Foam::basicSpecieMixture*>(thermo);
}

int species_of(const Foam::word& name, const Foam::dictionary& coeffs) {
  for (const auto& known : species_names) {
    if (name == known.first) return known.second;
  }
  FatalIOErrorInFunction(coeffs) << "composition names '" << name
                                 << "', which ermine has no data of" << Foam::nl
                                 << "Give some of H2O, CO2, CO and CH4" << exit(Foam::FatalIOError);
  return -1;
}

}  // namespace

Composition::Composition(const Foam::fvMesh& mesh, const CartesianMesh& grid,
                         const Foam::dictionary& coeffs)
    : mesh_(mesh), grid_(grid), soot_(coeffs.getOrDefault<Foam::word>("soot", Foam::word())) {
  const Foam::basicSpecieMixture* mixture = mixture_of(mesh);
  const auto names = coeffs.getOrDefault<Foam::wordList>("composition", Foam::wordList());
  for (const Foam::word& name : names) {
    const int species = species_of(name, coeffs);
    if (!mixture || !mixture->contains(name)) {
      FatalIOErrorInFunction(coeffs)
          << "composition names '" << name << "', which the thermo package does not have"
          << Foam::nl << "Its species are "
          << (mixture ? Foam::wordList(mixture->species()) : Foam::wordList()) << ": remove '"
          << name << "', so that the case file says how much there is" << exit(Foam::FatalIOError);
    }
    gases_.push_back({species, mixture->species()[name]});
  }
  if (mixture && !coeffs.found("composition")) {
    Foam::wordList unnamed;
    for (const auto& known : species_names) {
      if (mixture->contains(known.first)) unnamed.append(Foam::word(known.first));
    }
    if (!unnamed.empty()) {
      Foam::Info << "ermine: mole fractions are those of the case file. To take them from the "
                    "thermo package, give 'composition "
                 << unnamed << ";'" << Foam::endl;
    }
  }
}

std::vector<double> Composition::in_order(const Foam::scalarField& values) const {
  std::vector<double> ordered;
  ordered.reserve(grid_.order().size() + 1);  // not null, without cells either
  for (const Foam::label cell : grid_.order()) ordered.push_back(values[cell]);
  return ordered;
}

std::vector<double> Composition::mole_fraction(Foam::label specie) const {
  const Foam::basicSpecieMixture& mixture = *mixture_of(mesh_);
  Foam::scalarField moles(mesh_.nCells(), 0.0);  // per mass
  forAll(mixture.Y(), i) moles += mixture.Y(i).primitiveField() / mixture.W(i);
  const Foam::scalarField own(mixture.Y(specie).primitiveField() / mixture.W(specie));
  // The solution of the flow may be out of bounds by a little.
  return in_order(Foam::min(Foam::max(own / moles, Foam::scalar(0)), Foam::scalar(1)));
}

int Composition::give(ermine_radiation* radiation) const {
  for (const Gas& gas : gases_) {
    const std::vector<double> values = mole_fraction(gas.in_the_mixture);
    const int status = ermine_set_composition_field(radiation, gas.species, values.data());
    if (status != ERMINE_OK) return status;
  }
  if (soot_.empty()) return ERMINE_OK;
  const auto& field = mesh_.lookupObject<Foam::volScalarField>(soot_);
  const std::vector<double> values = in_order(Foam::max(field.primitiveField(), Foam::scalar(0)));
  return ermine_set_composition_field(radiation, ERMINE_SOOT, values.data());
}

}  // namespace ermineFoam
