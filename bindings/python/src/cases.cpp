#include <ermine/case.hpp>
#include <ermine/output.hpp>

#include "overrides.hpp"
#include "problem.hpp"
#include "process.hpp"

#include <filesystem>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace ermine::python {
namespace {

std::unique_ptr<Case> read(const std::filesystem::path& file, const py::object& overrides,
                           const py::kwargs& solver) {
  check_process();
  const auto all = overrides_of(overrides, solver);
  const py::gil_scoped_release others_may_run;
  return without_set([&] { return std::make_unique<Case>(read_case(file, all)); });
}

std::unique_ptr<Case> parse(const std::string& text, const std::filesystem::path& name,
                            const py::object& overrides, const py::kwargs& solver) {
  check_process();
  const auto all = overrides_of(overrides, solver);
  const py::gil_scoped_release others_may_run;
  return without_set([&] { return std::make_unique<Case>(parse_case(text, name, all)); });
}

std::unique_ptr<Solution> run(const Case& problem, const py::object& progress) {
  return solve(solver_of(problem), problem.temperature, 0, progress);
}

std::unique_ptr<Solution> run_any(const py::object& given, const py::object& overrides,
                                  const py::object& progress, const py::kwargs& solver) {
  if (!py::isinstance<Case>(given)) {
    return run(*read(given.cast<std::filesystem::path>(), overrides, solver), progress);
  }
  if (!overrides.is_none() || !solver.empty()) {
    throw py::type_error(
        "a Case is complete and takes no other keys, give them to read_case(), or give run() the "
        "file");
  }
  return run(given.cast<const Case&>(), progress);
}

/// The sides that are walls, by name.
py::dict walls_of(const Case& problem) {
  py::dict walls;
  for (const Face face : all_faces) {
    if (!problem.grid.walled(face)) continue;
    const Wall& wall = problem.walls.sides()[static_cast<std::size_t>(face)];
    const auto field = [&](const std::vector<double>& values) {
      FieldValues made;
      made.values = values;
      if (values.size() > 1) made.shape = face_shape(problem.grid, face);
      return made;
    };
    walls[name_of(face)] = Side{field(wall.temperature), field(wall.emissivity), wall.reflection};
  }
  return walls;
}

void bind_case(py::module_& m) {
  py::class_<Case>(m, "Case", "A complete, checked problem in SI units, as a case file has it.")
      .def_readonly("title", &Case::title, "For people.")
      .def_readonly("text", &Case::text, "The case in TOML, overrides applied.")
      .def_readonly("grid", &Case::grid, "The Grid.")
      .def_property_readonly("walls", &walls_of, "{'x_low': Wall, ...}, of sides that are walls.")
      .def_property_readonly(
          "medium", [](const Case& problem) { return wrap(problem.medium); }, "The Medium.")
      .def_property_readonly(
          "temperature",
          [](const py::object& self) {
            const auto& problem = self.cast<const Case&>();
            return view(problem.temperature, shape_of(problem.grid), self);
          },
          "[K], shape (nx, ny, nz), read-only.")
      .def(
          "tracer",
          [](const Case& problem) { return std::make_shared<Solver>(solver_of(problem)); },
          "A Tracer for this problem, to solve it for other temperatures.")
      .def("run", &run, py::arg("progress") = py::none(), "Solves it; returns a Result.")
      .def(
          "write",
          [](const Case& problem, const Solution& solution) {
            check_process();
            const py::gil_scoped_release others_may_run;
            const FileLock lock = prepare_output(problem);
            return write_output(problem, solution.result);
          },
          py::arg("result"), "Writes the files that [output] asks for; returns their paths.")
      .def(
          "report",
          [](const Case& problem, const Solution& solution) {
            return py::module_::import("json").attr("loads")(
                report_json(problem, solution.result, {}));
          },
          py::arg("result"), "What `ermine run --json` prints, as a dict.")
      .def("__repr__", [](const Case& problem) {
        return "Case(" + py::repr(py::cast(problem.title)).cast<std::string>() + ", " +
               py::repr(py::cast(problem.grid)).cast<std::string>() + ", " +
               describe(problem.medium) + ")";
      });
}

}  // namespace

void bind_cases(py::module_& m) {
  bind_case(m);
  m.def(
      "read_case", &read, py::arg("file"), py::arg("overrides") = py::none(),
      "Reads a case file (TOML).\n\n"
      "overrides replace its keys: {'grid.x.cells': 32}, or ['grid.x.cells=32'] as on the command\n"
      "line. Keyword arguments are keys of [solver]: rays_per_cell=256.");
  m.def("parse_case", &parse, py::arg("text"), py::arg("name") = "case.toml",
        py::arg("overrides") = py::none(),
        "The same from text; name stands for the file in messages, its folder anchors paths.");
  m.def("run", &run_any, py::arg("case"), py::arg("overrides") = py::none(),
        py::arg("progress") = py::none(),
        "Solves a case, given as a file name or as a Case, as `ermine run` does; returns a "
        "Result.\n\n"
        "overrides and keyword arguments are those of read_case(). progress is called with a\n"
        "Progress a few times a second; what it raises ends the run. No files are written.");
}

}  // namespace ermine::python
