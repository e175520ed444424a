#pragma once

#include <ermine/species.hpp>
#include <ermine/spectral_table.hpp>

#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace ermine::python {

namespace py = pybind11;

Species species_of(const std::string& name);
/// None: "soot".
std::optional<Species> species_or_soot(const std::string& name);
Composition composition_of(const py::dict& mole_fractions);
Quadrature quadrature_of(const std::string& name, int points);

/// Bands as an array of shape (bands, 2): lower and upper edges [1/cm].
py::object edges_of(const std::vector<Band>& bands);

}  // namespace ermine::python
