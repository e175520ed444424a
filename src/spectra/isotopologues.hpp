#pragma once

#include <string_view>

namespace ermine {

/// What line shapes need to know of one isotopologue of a molecule.
struct Isotopologue {
  std::string_view code;  ///< of its atoms as HITRAN writes them: "161" is 1H 16O 1H
  double molar_mass;      ///< [g/mol]
};

/// By HITRAN numbers: molecules 1 H2O, 2 CO2, 5 CO, 6 CH4; isotopologues from 1 in order of
/// abundance. Throws Error for others.
const Isotopologue& isotopologue(int molecule, int number);

/// "H2O" for 1, and so on. Throws Error for molecules without data here.
std::string_view molecule_name(int molecule);

}  // namespace ermine
