#include <ermine/error.hpp>
#include <ermine/gas_properties.hpp>
#include <ermine/lines.hpp>

#include "arrays.hpp"
#include "problem.hpp"
#include "process.hpp"
#include "spectra.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace ermine::python {
namespace {

using Rows = py::array_t<float, py::array::c_style | py::array::forcecast>;

std::vector<double> vector_of(const Array& array) { return FieldValues(array).values; }

SpectralTable make_table(const AnyArray& given, const Array& bands, const Array& temperature,
                         Number pressure, const std::string& gas, Number mole_fraction,
                         const std::string& quadrature) {
  const Rows absorption(given.values);
  if (absorption.ndim() != 3) throw Error("absorption has not 3 axes, give (bands, points, nodes)");
  SpectralTable table;
  table.gas = gas;
  table.pressure = pressure;
  table.mole_fraction = mole_fraction;
  check_shape(bands, {absorption.shape(0), 2}, "bands");
  for (py::ssize_t i = 0; i < bands.shape(0); ++i)
    table.bands.push_back({bands.at(i, 0), bands.at(i, 1)});
  table.quadrature = quadrature_of(quadrature, static_cast<int>(absorption.shape(1)));
  table.temperature = vector_of(temperature);
  check_shape(temperature, {absorption.shape(2)}, "temperature");
  table.absorption.assign(absorption.data(), absorption.data() + absorption.size());
  table.check();
  return table;
}

Shape rows_shape(const SpectralTable& table) {
  return {static_cast<py::ssize_t>(table.bands.size()),
          static_cast<py::ssize_t>(table.quadrature.size()),
          static_cast<py::ssize_t>(table.temperature.size())};
}

template <class Member>
auto list_of(Member member) {
  return [member](const py::object& self) {
    const auto& values = member(self.cast<const SpectralTable&>());
    return view(values, {static_cast<py::ssize_t>(values.size())}, self);
  };
}

/// One row per band, of the shape that temperature and length have together.
py::object band_transmissivity(const SpectralTable& table, const Array& kelvin,
                               const Array& length) {
  py::list all;
  for (std::size_t band = 0; band < table.bands.size(); ++band) {
    all.append(py::vectorize([&](double k, double l) { return transmissivity(table, band, k, l); })(
        kelvin, length));
  }
  return py::module_::import("numpy").attr("array")(all);
}

void bind_properties(py::class_<SpectralTable>& table) {
  table
      .def_property_readonly(
          "kind",
          [](const SpectralTable& self) {
            return self.kind == TableKind::k_distribution ? "k-distribution" : "line-by-line";
          },
          "'k-distribution', or 'line-by-line', whose points are wavenumbers.")
      .def_readonly("gas", &SpectralTable::gas, "Its name.")
      .def_readonly("pressure", &SpectralTable::pressure, "Total pressure [Pa].")
      .def_readonly("mole_fraction", &SpectralTable::mole_fraction, "Of the gas.")
      .def_property_readonly(
          "bands", [](const SpectralTable& self) { return edges_of(self.bands); },
          "Lower and upper edges [1/cm], shape (bands, 2).")
      .def_property_readonly(
          "g", list_of([](const SpectralTable& self) -> auto& { return self.quadrature.node; }),
          "Points within a band: the fraction of it that has a smaller k.")
      .def_property_readonly("weights", list_of([](const SpectralTable& self) -> auto& {
                               return self.quadrature.weight;
                             }),
                             "Of the points; they add up to 1.")
      .def_property_readonly("temperature", list_of([](const SpectralTable& self) -> auto& {
                               return self.temperature;
                             }),
                             "Nodes [K].")
      .def_property_readonly(
          "absorption",
          [](const py::object& self) {
            const auto& of = self.cast<const SpectralTable&>();
            return rows(std::span<const float>(of.absorption), rows_shape(of), self);
          },
          "k [1/m], float32 of shape (bands, points, temperatures).")
      .def_property_readonly(
          "citation", [](const SpectralTable& self) { return self.manifest.citation; },
          "Of the data; cite it when you use the table.")
      .def("__repr__", [](const SpectralTable& self) {
        return "<SpectralTable: " + self.gas + ", " + std::to_string(self.bands.size()) +
               " bands x " + std::to_string(self.quadrature.size()) + " points, " +
               std::to_string(self.temperature.size()) + " temperatures>";
      });
}

}  // namespace

void bind_tables(py::module_& m) {
  py::class_<SpectralTable> table(
      m, "SpectralTable",
      "Absorption coefficients of a gas at one pressure and composition: bands of the spectrum, a\n"
      "few points in each, a row over temperature for each point.");
  table.def(
      py::init(&make_table), py::arg("absorption"), py::arg("bands"), py::arg("temperature"),
      py::arg("pressure"), py::arg("gas") = "gas", py::arg("mole_fraction") = 1.0,
      py::arg("quadrature") = "skewed",
      "A k-distribution of your own. absorption [1/m]: shape (bands, points, temperatures), k\n"
      "increasing along points; bands [1/cm]: shape (bands, 2); temperature [K], increasing;\n"
      "pressure [Pa]; quadrature: 'skewed' or 'legendre', where the points lie.");
  bind_properties(table);
  table
      .def(
          "planck_mean",
          [](const SpectralTable& self, const Array& kelvin) {
            return py::vectorize([&](double k) { return planck_mean(self, k); })(kelvin);
          },
          py::arg("temperature"), "Planck-mean absorption coefficient [1/m] at temperatures [K].")
      .def(
          "emissivity",
          [](const SpectralTable& self, const Array& kelvin, const Array& length) {
            return py::vectorize([&](double k, double l) { return emissivity(self, k, l); })(
                kelvin, length);
          },
          py::arg("temperature"), py::arg("length"),
          "Total emissivity of homogeneous columns, of temperatures [K] and lengths [m].")
      .def("transmissivity", &band_transmissivity, py::arg("temperature"), py::arg("length"),
           "Of homogeneous columns, averaged over each band: shape (bands, ...), with that which\n"
           "temperature [K] and length [m] have together.")
      .def(
          "k_distribution",
          [](const SpectralTable& self, Number band_width_cm1, const std::string& quadrature,
             int points) {
            check_process();
            const Quadrature made = quadrature_of(quadrature, points);
            const py::gil_scoped_release others_may_run;
            return k_distribution(self, band_width_cm1, made);
          },
          py::arg("band_width_cm1") = 25.0, py::arg("quadrature") = "legendre",
          py::arg("quadrature_points") = 16,
          "Of a line-by-line table: its absorption coefficients sorted in bands [1/cm].")
      .def(
          "write",
          [](const SpectralTable& self, const std::filesystem::path& file) {
            const py::gil_scoped_release others_may_run;
            write_table(self, file);
          },
          py::arg("file"), "Writes an HDF5 file, for `table` in case files and read_table().");
  m.def(
      "read_table",
      [](const std::filesystem::path& file) {
        const py::gil_scoped_release others_may_run;
        return read_table(file);
      },
      py::arg("file"), "Reads a SpectralTable from an HDF5 file.");
}

}  // namespace ermine::python
