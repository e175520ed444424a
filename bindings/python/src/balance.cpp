#include <ermine/energy_balance.hpp>

#include "problem.hpp"

namespace ermine::python {
void bind_balance(py::module_& m) {
  py::class_<EnergyBalance>(
      m, "EnergyBalance",
      "Heat lost by radiation [W]. In theory gas and walls together lose nothing.")
      .def_readonly("gas", &EnergyBalance::gas, "By the gas [W]; its error contains unexplained.")
      .def_property_readonly(
          "walls",
          [](const EnergyBalance& balance) {
            py::dict sides;
            for (const Face face : all_faces) {
              sides[name_of(face)] = balance.walls[static_cast<std::size_t>(face)];
            }
            return sides;
          },
          "By each side [W]: {'x_low': Estimate, ...}; zero where it is periodic, and where wall\n"
          "fluxes were not computed: sum is then the heat lost by the gas.")
      .def_readonly("all_walls", &EnergyBalance::all_walls, "By all walls [W].")
      .def_readonly("sum", &EnergyBalance::sum,
                    "Of gas and walls [W], zero in theory; its error contains unexplained.")
      .def_readonly("gas_bias", &EnergyBalance::gas_bias,
                    "Bias of gas that comes from the levels of detail [W]; zero on one level.")
      .def_readonly("unexplained", &EnergyBalance::unexplained,
                    "Part of sum that neither noise nor the bias of the levels explains [W], where "
                    "sum is\nmore than twice as large as both; else 0.")
      .def_readonly("exchanged", &EnergyBalance::exchanged,
                    "Heat exchanged [W], to compare with: the largest of the heat lost by the gas "
                    "and of half\nof what all cells, or all walls, lose or gain.");
}

}  // namespace ermine::python
