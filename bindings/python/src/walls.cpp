#include <ermine/error.hpp>

#include "problem.hpp"

namespace ermine::python {
namespace {

Reflection reflection_named(const std::string& name) {
  if (name == "diffuse") return Reflection::diffuse;
  if (name == "specular") return Reflection::specular;
  throw Error("reflection is '" + name + "', give diffuse or specular");
}

py::object number_or_array(const FieldValues& field, py::handle owner) {
  if (field.shape.empty()) return py::cast(field.values.front());
  return view(field.values, field.shape, owner);
}

}  // namespace

void Side::check(const Grid& grid, Face face) const {
  const std::string name = name_of(face);
  check_field(temperature.shape, face_shape(grid, face), "temperature of wall " + name);
  check_field(emissivity.shape, face_shape(grid, face), "emissivity of wall " + name);
}

Side side_of(py::handle given) {
  if (py::isinstance<Side>(given)) return given.cast<Side>();
  return {FieldValues(Array(given)), FieldValues(Array(py::cast(1.0)))};
}

void bind_walls(py::module_& m) {
  py::class_<Side>(m, "Wall",
                   "One side of the box: opaque, grey, emitting diffusely, reflecting what it does "
                   "not absorb.")
      .def(py::init([](const Array& temperature, const Array& emissivity,
                       const std::string& reflection) {
             return Side{FieldValues(temperature), FieldValues(emissivity),
                         reflection_named(reflection)};
           }),
           py::arg("temperature"), py::arg("emissivity") = 1.0, py::arg("reflection") = "diffuse",
           "temperature [K] and emissivity (0 to 1, black) are numbers, or arrays over the cells\n"
           "of the side: of its two axes in the order x, y, z. reflection: 'diffuse' or "
           "'specular'.")
      .def_property_readonly(
          "temperature",
          [](const py::object& self) {
            return number_or_array(self.cast<const Side&>().temperature, self);
          },
          "[K], a number or an array.")
      .def_property_readonly(
          "emissivity",
          [](const py::object& self) {
            return number_or_array(self.cast<const Side&>().emissivity, self);
          },
          "From 0 to 1, a number or an array.")
      .def_property_readonly(
          "reflection",
          [](const Side& side) {
            return side.reflection == Reflection::diffuse ? "diffuse" : "specular";
          },
          "'diffuse' or 'specular'.");
}

}  // namespace ermine::python
