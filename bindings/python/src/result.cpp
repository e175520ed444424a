#include <ermine/output.hpp>

#include "problem.hpp"
#include "process.hpp"

#include <algorithm>
#include <pybind11/stl.h>

namespace ermine::python {
namespace {

/// A property that is a field on the cells.
auto field_of(std::vector<double> Result::*member) {
  return [member](const py::object& self) {
    const auto& solution = self.cast<const Solution&>();
    return view(solution.result.*member, shape_of(solution.grid), self);
  };
}

/// The two fields of a side, of no cells where there is none.
auto wall_field_of(std::vector<double> WallFlux::*member) {
  return [member](const py::object& self, const std::string& name) {
    const auto& solution = self.cast<const Solution&>();
    const Face face = face_named(name);
    const auto& values = solution.result.wall_flux[static_cast<std::size_t>(face)].*member;
    const Shape shape = values.empty() ? Shape{0, 0} : face_shape(solution.grid, face);
    return view(values, shape, self);
  };
}

std::string number(double value) { return py::repr(py::cast(value)).cast<std::string>(); }

const char* text_of(StoppedBy reason) {
  constexpr std::array names{"rays", "target", "time_limit", "ray_limit"};
  return names[static_cast<std::size_t>(reason)];
}

void bind_parts(py::module_& m) {
  py::class_<Estimate>(m, "Estimate", "A Monte Carlo number and its standard error.")
      .def_readonly("value", &Estimate::value, "The number.")
      .def_readonly("standard_error", &Estimate::standard_error, "In the same unit.")
      .def("__repr__", [](const Estimate& estimate) {
        return number(estimate.value) + " +- " + number(estimate.standard_error);
      });
  py::class_<Ledger>(m, "Ledger", "Heat lost by radiation [W]; gas and walls together: about zero.")
      .def_readonly("gas", &Ledger::gas, "By the gas [W].")
      .def_readonly("walls", &Ledger::walls, "By the walls [W].")
      .def_readonly("total", &Ledger::total, "Their sum [W]; zero but for errors.");
  py::class_<RayCounts>(m, "RayCounts", "What became of the rays.")
      .def_readonly("traced", &RayCounts::traced, "All of them.")
      .def_readonly("lost", &RayCounts::lost, "Those that crossed too many cells.")
      .def_readonly("crossings", &RayCounts::crossings, "Cells crossed by all of them.");
  py::class_<Seconds>(m, "Seconds", "Wall time by phase [s].")
      .def_readonly("setup", &Seconds::setup, "Getting ready.")
      .def_readonly("gas", &Seconds::gas, "Rays of the cells.")
      .def_readonly("walls", &Seconds::walls, "Rays of the wall face cells.")
      .def_property_readonly("total", &Seconds::total, "All of it.");
  py::class_<MeshError>(m, "MeshError", "Error of Q that comes from the size of the cells.")
      .def_readonly("estimated", &MeshError::estimated, "Whether it was estimated.")
      .def_readonly("error", &MeshError::error, "Root mean square over cells [W/m3].")
      .def_readonly("order", &MeshError::order, "Power of the cell size with which it falls.");
  py::class_<Accuracy>(m, "Accuracy", "Error of Q over all cells [W/m3], in the target's norm.")
      .def_property_readonly(
          "stopped_by", [](const Accuracy& accuracy) { return text_of(accuracy.stopped_by); },
          "What ended the run: 'rays', 'target', 'time_limit' or 'ray_limit'.")
      .def_readonly("standard_error", &Accuracy::standard_error, "Of the rays [W/m3].")
      .def_readonly("bias", &Accuracy::bias, "Of the levels of detail [W/m3], if estimated.")
      .def_readonly("bias_estimated", &Accuracy::bias_estimated, "Whether bias was estimated.")
      .def_readonly("corrected", &Accuracy::corrected, "Whether bias was removed.")
      .def_readonly("error", &Accuracy::error, "standard_error and bias together [W/m3].")
      .def_readonly("target", &Accuracy::target, "What was asked for [W/m3]; 0: nothing.")
      .def_readonly("mesh", &Accuracy::mesh, "Error of the mesh, not part of error.");
}

auto profile_array(std::vector<double> Profile::*member) {
  return [member](const py::object& self) {
    const auto& values = self.cast<const Profile&>().*member;
    return view(values, {static_cast<py::ssize_t>(values.size())}, self);
  };
}

void bind_profile(py::module_& m) {
  py::class_<Profile>(m, "Profile", "Averages over planes normal to an axis: arrays along it.")
      .def_property_readonly("coordinate", profile_array(&Profile::coordinate), "Cell centres [m].")
      .def_property_readonly("temperature", profile_array(&Profile::temperature), "[K].")
      .def_property_readonly("flux_divergence", profile_array(&Profile::flux_divergence),
                             "Q [W/m3].")
      .def_property_readonly("standard_error", profile_array(&Profile::standard_error),
                             "Of Q [W/m3].")
      .def_property_readonly("emission", profile_array(&Profile::emission), "[W/m3].")
      .def_property_readonly("absorption", profile_array(&Profile::absorption), "[W/m3].");
}

template <class Value>
auto part(Value Result::*member) {
  return [member](const Solution& solution) { return solution.result.*member; };
}

void bind_fields(py::class_<Solution>& result) {
  result
      .def_property_readonly("flux_divergence", field_of(&Result::flux_divergence),
                             "Q = emission - absorption [W/m3], positive where the gas loses heat. "
                             "Shape (nx, ny, nz).")
      .def_property_readonly("standard_error", field_of(&Result::standard_error),
                             "Of Q, and of absorption [W/m3]. Shape (nx, ny, nz).")
      .def_property_readonly("emission", field_of(&Result::emission),
                             "[W/m3], exact. Shape (nx, ny, nz).")
      .def_property_readonly("absorption", field_of(&Result::absorption),
                             "[W/m3]. Shape (nx, ny, nz).")
      .def_property_readonly(
          "temperature",
          [](const py::object& self) {
            const auto& solution = self.cast<const Solution&>();
            return view(solution.temperature, shape_of(solution.grid), self);
          },
          "What was solved for [K]. Shape (nx, ny, nz).")
      .def_property_readonly(
          "grid", [](const Solution& solution) { return solution.grid; }, "The Grid.")
      .def(
          "wall_flux", wall_field_of(&WallFlux::net_flux), py::arg("face"),
          "Net heat flux of a side [W/m2], positive where the wall loses heat; face: 'x_low', ...\n"
          "Shape: cells along its two axes in the order x, y, z; (0, 0) where there is none.")
      .def("wall_standard_error", wall_field_of(&WallFlux::standard_error), py::arg("face"),
           "Standard error of wall_flux(face) [W/m2].")
      .def(
          "wall_heat",
          [](const Solution& solution, const std::string& face) {
            return solution.result.wall_flux[static_cast<std::size_t>(face_named(face))].heat;
          },
          py::arg("face"), "Heat lost by a whole side [W].")
      .def(
          "profile",
          [](const Solution& solution, const std::string& axis) {
            return plane_average(solution.grid, solution.temperature, solution.result,
                                 axis_named(axis));
          },
          py::arg("axis"), "Averages over planes normal to an axis, 'x', 'y' or 'z'.");
}

}  // namespace

void bind_result(py::module_& m) {
  bind_parts(m);
  bind_profile(m);
  py::class_<Solution> result(
      m, "Result", "A solution. Its arrays are views of it, read-only: copy them to change them.");
  bind_fields(result);
  result.def_property_readonly("ledger", part(&Result::ledger), "Energy balance.")
      .def_property_readonly("rays", part(&Result::rays), "What became of the rays.")
      .def_property_readonly("seconds", part(&Result::seconds), "Wall time by phase.")
      .def_property_readonly("accuracy", part(&Result::accuracy), "Errors over all cells.")
      .def_property_readonly(
          "backend", [](const Solution& solution) { return name_of(solution.result.backend); },
          "What traced the rays: 'cpu' or 'cuda'.")
      .def_property_readonly("device", part(&Result::device), "Name of the GPU, if it was one.")
      .def_property_readonly("threads", part(&Result::threads), "Of the CPU.")
      .def_property_readonly("levels", part(&Result::levels), "Levels of detail there were.")
      .def_property_readonly("replicates", part(&Result::replicates), "Of the net.")
      .def_property_readonly("rays_per_cell", part(&Result::rays_per_cell), "Mean over cells.")
      .def_property_readonly("rays_per_wall_face", part(&Result::rays_per_wall_face),
                             "Mean over wall face cells.")
      .def_property_readonly("thickest_cell", part(&Result::thickest_cell),
                             "Largest optical thickness of a cell.")
      .def_property_readonly(
          "relative_standard_error",
          [](const Solution& solution) {
            check_process();
            return solution.result.relative_standard_error();
          },
          "Standard error of Q over Q, root mean squares over cells.");
}

}  // namespace ermine::python
