#include <ermine/case.hpp>
#include <ermine/error.hpp>
#include <ermine/output.hpp>

#include "problem.hpp"
#include "process.hpp"

#include <cmath>
#include <filesystem>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace ermine::python {
namespace {

namespace fs = std::filesystem;

/// The solution's problem as writers expect it.
Case problem_of(const Solution& solution, OutputOptions output) {
  const Setup& setup = *solution.setup;
  return {setup.title,       setup.text,           solution.grid, setup.walls,
          setup.medium,      solution.temperature, setup.options, std::move(output),
          CouplingOptions{}, setup.particles};
}

/// The files that the suffix of a name stands for.
OutputOptions output_named(const fs::path& file) {
  const std::string suffix = file.extension().string();
  OutputOptions output{.directory = file.has_parent_path() ? file.parent_path() : fs::path("."),
                       .name = file.stem().string(),
                       .hdf5 = suffix == ".h5" || suffix == ".xdmf",
                       .vtr = suffix == ".vtr",
                       .csv = suffix == ".csv"};
  if (!output.hdf5 && !output.vtr && !output.csv) {
    throw Error("no kind of file has the suffix of '" + file.string() +
                "', give a name that ends in .h5, .xdmf, .vtr or .csv");
  }
  return output;
}

std::vector<fs::path> write(const Solution& solution, const fs::path& file, Number time) {
  check_process();
  if (!std::isfinite(time))
    throw Error("time is " + std::to_string(time) + ", give a finite number");
  const py::gil_scoped_release others_may_run;
  Case problem = problem_of(solution, output_named(file));
  problem.output.time = time;
  const FileLock lock = prepare_output(problem);
  return write_output(problem, solution.result);
}

py::dict mole_fractions(const py::object& self) {
  const auto& solution = self.cast<const Solution&>();
  py::dict fractions;
  if (const auto* gas = std::get_if<GasMedium>(&solution.setup->medium)) {
    for (const GasMedium::MoleFraction& fraction : gas->mole_fractions()) {
      const py::str species(std::string(name_of(fraction.species)));
      if (fraction.values.size() == 1) {
        fractions[species] = fraction.values.front();
      } else {
        fractions[species] = view(fraction.values, shape_of(solution.grid), self);
      }
    }
  }
  return fractions;
}

py::object soot_volume_fraction(const py::object& self) {
  const auto& solution = self.cast<const Solution&>();
  const auto* gas = std::get_if<GasMedium>(&solution.setup->medium);
  if (gas == nullptr || !gas->soot()) return py::none();
  const std::vector<double>& values = gas->soot()->volume_fraction;
  if (values.size() == 1) return py::float_(values.front());
  return view(values, shape_of(solution.grid), self);
}

}  // namespace

void bind_result_files(py::class_<Solution>& result) {
  result
      .def("write", &write, py::arg("file"), py::arg("time") = 0.0,
           "Writes the solution and returns the paths of its files. The suffix says which: .h5 or\n"
           ".xdmf (fields, walls, profiles and report, with the XDMF that ParaView reads), .vtr\n"
           "(VTK rectilinear grid) or .csv (profiles). time [s] goes into .h5, .xdmf and .vtr: "
           "ParaView\nreads files of several times as a series.")
      .def_property_readonly(
          "mole_fractions", &mole_fractions,
          "Mole fractions of a mixture: {'H2O': 0.2, ...}, numbers, or arrays of "
          "shape (nx, ny, nz);\nempty for other media.")
      .def_property_readonly("soot_volume_fraction", &soot_volume_fraction,
                             "Volume fraction of soot: a number, or an array of shape (nx, ny, "
                             "nz); None without soot.")
      .def(
          "report",
          [](const Solution& solution) {
            return py::module_::import("json").attr("loads")(
                report_json(problem_of(solution, {}), solution.result, {}));
          },
          "What `ermine run --json` prints, as a dict: settings, errors, balance, wall fluxes.");
}

}  // namespace ermine::python
