#include <ermine/energy_balance.hpp>
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
      .def_readonly("standard_error", &Accuracy::standard_error, "Noise of the rays alone [W/m3].")
      .def_readonly("bias", &Accuracy::bias, "Bias of the levels of detail [W/m3], if estimated.")
      .def_readonly("bias_estimated", &Accuracy::bias_estimated, "Whether bias was estimated.")
      .def_readonly("corrected", &Accuracy::corrected, "Whether bias was removed.")
      .def_property_readonly(
          "bias_by_temperature",
          [](const Accuracy& accuracy) {
            py::list classes;
            for (const ClassBias& part : accuracy.bias_by_temperature) {
              classes.append(py::make_tuple(part.below, part.bias));
            }
            return classes;
          },
          "The same bias in cells of similar temperature, from cold to hot: pairs of the highest\n"
          "temperature of a class [K] and its bias [W/m3]; may be empty.")
      .def_readonly("thin_bias", &Accuracy::thin_bias,
                    "Usual bias of thin starts in blocks [W/m3]; 0 where rays start in cells.")
      .def_readonly("error", &Accuracy::error,
                    "standard_error, bias and thin_bias together [W/m3].")
      .def_readonly("target", &Accuracy::target, "Target of error [W/m3]; 0: none.")
      .def_readonly("wall_error", &Accuracy::wall_error,
                    "Root mean square error over wall face cells [W/m2].")
      .def_readonly("wall_target", &Accuracy::wall_target, "Target of wall_error; 0: none.")
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
          "wall_bias",
          [](const Solution& solution, const std::string& face) {
            return solution.result.wall_flux[static_cast<std::size_t>(face_named(face))].bias;
          },
          py::arg("face"),
          "Bias of wall_heat(face) that comes from the levels of detail [W]; zero on one level.")
      .def(
          "profile",
          [](const Solution& solution, const std::string& axis) {
            return plane_average(solution.grid, solution.temperature, solution.result,
                                 axis_named(axis));
          },
          py::arg("axis"), "Averages over planes normal to an axis, 'x', 'y' or 'z'.");
}

const char* text_of(Termination termination) {
  constexpr std::array names{"automatic", "cutoff", "roulette"};
  return names[static_cast<std::size_t>(termination)];
}

/// How the numbers were found.
void bind_method(py::class_<Solution>& result) {
  result.def_property_readonly("rays", part(&Result::rays), "What became of the rays.")
      .def_property_readonly("seconds", part(&Result::seconds), "Wall time by phase.")
      .def_property_readonly(
          "backend", [](const Solution& solution) { return name_of(solution.result.backend); },
          "What traced the rays: 'cpu' or 'cuda'.")
      .def_property_readonly("device", part(&Result::device), "Name of the GPU, if it was one.")
      .def_property_readonly("device_memory", part(&Result::device_memory),
                             "Most memory held on the GPU [bytes]; 0 on the CPU.")
      .def_property_readonly("threads", part(&Result::threads), "Threads of the CPU.")
      .def_property_readonly("levels", part(&Result::levels),
                             "Levels of detail that rays of cells used.")
      .def_property_readonly("steps_per_level", part(&Result::steps_per_level),
                             "Steps of these rays on each level.")
      .def_property_readonly("wall_levels", part(&Result::wall_levels),
                             "Levels of detail that rays of walls used.")
      .def_property_readonly("wall_steps_per_level", part(&Result::wall_steps_per_level),
                             "Steps of these rays on each level.")
      .def_property_readonly("replicates", part(&Result::replicates),
                             "Independent nets among which the rays of a cell were shared out.")
      .def_property_readonly("rays_per_cell", part(&Result::rays_per_cell), "Mean over cells.")
      .def_property_readonly("rays_per_wall_face", part(&Result::rays_per_wall_face),
                             "Mean over wall face cells.")
      .def_property_readonly(
          "termination",
          [](const Solution& solution) { return text_of(solution.result.termination); },
          "How faint rays of cells ended: 'cutoff' or 'roulette'.")
      .def_property_readonly("thin_below", part(&Result::thin_below),
                             "Spectral points of smaller absorption coefficient [1/m] were traced "
                             "from blocks;\n0: none.")
      .def_property_readonly("thickest_cell", part(&Result::thickest_cell),
                             "Largest optical thickness of a cell.");
}

/// How far they can be trusted.
void bind_errors(py::class_<Solution>& result) {
  result
      .def_property_readonly(
          "balance", [](const Solution& solution) { return balance_of(solution.result); },
          "EnergyBalance of gas and walls.")
      .def_property_readonly("accuracy", part(&Result::accuracy), "Errors over all cells.")
      .def_property_readonly(
          "relative_standard_error",
          [](const Solution& solution) {
            check_process();
            return solution.result.relative_standard_error();
          },
          "Standard error of Q over Q, root mean squares over cells.")
      .def_property_readonly("thin_relative_bias", part(&Result::thin_relative_bias),
                             "Usual bias of Q of thin starts over Q, root mean squares.")
      .def_property_readonly(
          "tile_cells",
          [](const Solution& solution) { return py::tuple(py::cast(solution.result.tile_cells)); },
          "Errors of cells in boxes of this size are not independent of each other.")
      .def_property_readonly("tile_correlation", part(&Result::tile_correlation),
                             "Correlation of the errors of two cells of such a box.");
}

}  // namespace

void bind_result(py::module_& m) {
  bind_parts(m);
  bind_profile(m);
  py::class_<Solution> result(
      m, "Result", "A solution. Its arrays are views of it, read-only: copy them to change them.");
  bind_fields(result);
  bind_errors(result);
  bind_method(result);
  bind_result_files(result);
}

}  // namespace ermine::python
