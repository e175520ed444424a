#pragma once

#include <ermine/ermine.h>

#include "cartesian_mesh.hpp"

#include <vector>

namespace ermineFoam {

/// What the gas is made of where that follows the flow: species of the thermo package, and soot of
/// a field of volume fractions.
class Composition {
 public:
  /// `coeffs`: "composition", a list of species, and "soot", the name of a field. Refuses what the
  /// thermo package or ermine does not have; says what the package has and nobody has named.
  Composition(const Foam::fvMesh& mesh, const CartesianMesh& grid, const Foam::dictionary& coeffs);

  /// Hands over the fields as they are now. Collective. An ermine_status.
  int give(ermine_radiation* radiation) const;

 private:
  struct Gas {
    int species;                 ///< an ermine_species
    Foam::label in_the_mixture;  ///< its number in the thermo package
  };

  std::vector<double> mole_fraction(Foam::label specie) const;
  std::vector<double> in_order(const Foam::scalarField& values) const;

  const Foam::fvMesh& mesh_;
  const CartesianMesh& grid_;
  std::vector<Gas> gases_;
  Foam::word soot_;  ///< empty: not a field
};

}  // namespace ermineFoam
