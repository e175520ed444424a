#include "spectra/isotopologues.hpp"

#include "core/check.hpp"

#include <array>
#include <span>

namespace ermine {
namespace {

// Order, codes and molar masses: HITRAN isotopologue metadata, I. E. Gordon et al., The HITRAN2020
// molecular spectroscopic database, JQSRT 277 (2022) 107949.
constexpr std::array h2o{Isotopologue{"161", 18.010565}, Isotopologue{"181", 20.014811},
                         Isotopologue{"171", 19.014780}, Isotopologue{"162", 19.016740},
                         Isotopologue{"182", 21.020985}, Isotopologue{"172", 20.020956},
                         Isotopologue{"262", 20.022915}};
constexpr std::array co2{
    Isotopologue{"626", 43.989830}, Isotopologue{"636", 44.993185}, Isotopologue{"628", 45.994076},
    Isotopologue{"627", 44.994045}, Isotopologue{"638", 46.997431}, Isotopologue{"637", 45.997400},
    Isotopologue{"828", 47.998320}, Isotopologue{"827", 46.998291}, Isotopologue{"727", 45.998262},
    Isotopologue{"838", 49.001675}, Isotopologue{"837", 48.001646}, Isotopologue{"737", 47.001618}};
constexpr std::array co{Isotopologue{"26", 27.994915}, Isotopologue{"36", 28.998270},
                        Isotopologue{"28", 29.999161}, Isotopologue{"27", 28.999130},
                        Isotopologue{"38", 31.002516}, Isotopologue{"37", 30.002485}};
constexpr std::array ch4{Isotopologue{"211", 16.031300}, Isotopologue{"311", 17.034655},
                         Isotopologue{"212", 17.037475}, Isotopologue{"312", 18.040830}};

struct Molecule {
  int number;
  std::string_view name;
  std::span<const Isotopologue> isotopologues;
};
constexpr std::array molecules{Molecule{1, "H2O", h2o}, Molecule{2, "CO2", co2},
                               Molecule{5, "CO", co}, Molecule{6, "CH4", ch4}};

const Molecule& molecule_numbered(int number) {
  for (const Molecule& molecule : molecules) {
    if (molecule.number == number) return molecule;
  }
  fail(
      "the lines are of HITRAN molecule {}, for which no molar masses are known here, use lines of "
      "H2O (1), CO2 (2), CO (5) or CH4 (6)",
      number);
}

}  // namespace

const Isotopologue& isotopologue(int molecule, int number) {
  const Molecule& m = molecule_numbered(molecule);
  ERMINE_REQUIRE(number >= 1 && static_cast<std::size_t>(number) <= m.isotopologues.size(),
                 "a line is of isotopologue {} of {}, of which HITRAN knows {}, correct the lines",
                 number, m.name, m.isotopologues.size());
  return m.isotopologues[static_cast<std::size_t>(number) - 1];
}

std::string_view molecule_name(int molecule) { return molecule_numbered(molecule).name; }

}  // namespace ermine
