#include <ermine/error.hpp>
#include <ermine/gas_medium.hpp>

#include "problem.hpp"
#include "process.hpp"
#include "spectra.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <pybind11/stl.h>
#include <utility>

namespace ermine::python {
namespace {

Grey make_grey(const Array& coefficient) {
  FieldValues field(coefficient);
  return {{GreyMedium(std::move(field.values)), {field.shape}}};
}

/// Arguments of GasMedium that only a gas has, or only soot; none: not given.
struct MixtureArguments {
  std::optional<Number> pressure;
  std::optional<Number> band_width_cm1;
  std::optional<std::string> quadrature;
  std::optional<int> points;
  std::optional<Number> soot_constant;

  void refuse_for_soot_alone() const {
    const std::array<std::pair<const char*, bool>, 4> given{
        {{"pressure", pressure.has_value()},
         {"band_width_cm1", band_width_cm1.has_value()},
         {"quadrature", quadrature.has_value()},
         {"quadrature_points", points.has_value()}}};
    for (const auto& [name, there] : given) {
      if (!there) continue;
      throw Error(std::string(name) +
                  " has no meaning for soot alone (only for a gas), leave it out or give a gas");
    }
  }
};

Gas make_mixture(const py::dict& mole_fractions, const std::optional<Number>& pressure,
                 const std::optional<Number>& band_width_cm1,
                 const std::optional<std::string>& quadrature, const std::optional<int>& points,
                 const std::optional<Number>& soot_constant) {
  check_process();
  const MixtureArguments given{pressure, band_width_cm1, quadrature, points, soot_constant};
  std::vector<GasMedium::MoleFraction> fractions;
  std::optional<Soot> soot;
  std::vector<Shape> shapes;
  for (const auto& [name, values] : mole_fractions) {
    FieldValues field{Array(values)};
    shapes.push_back(field.shape);
    const auto species = species_or_soot(name.cast<std::string>());
    if (species) {
      fractions.push_back({*species, std::move(field.values)});
    } else {
      soot =
          Soot{std::move(field.values), given.soot_constant.value_or(Number{Soot::usual_constant})};
    }
  }
  if (given.soot_constant && !soot) {
    throw Error(
        "soot_constant is given without soot, leave it out, or give the volume fraction of soot: "
        "{'H2O': 0.2, 'soot': 1e-6}");
  }
  if (fractions.empty() && soot) {
    given.refuse_for_soot_alone();
    const py::gil_scoped_release others_may_run;
    return {{GasMedium(std::move(*soot)), std::move(shapes)}};
  }
  const KDistributionOptions options{
      .band_width_cm1 = given.band_width_cm1.value_or(Number{}),
      .quadrature = quadrature_of(given.quadrature.value_or("skewed"), given.points.value_or(16))};
  const double total = given.pressure.value_or(Number{101325.0});
  const py::gil_scoped_release others_may_run;
  return {{GasMedium(total, std::move(fractions), options, std::move(soot)), std::move(shapes)}};
}

using Rows = py::array_t<double, py::array::c_style | py::array::forcecast>;

List make_list(const Array& temperature, const AnyArray& of_absorption,
               const AnyArray& of_intensity) {
  const Rows absorption(of_absorption.values);
  const Rows intensity(of_intensity.values);
  const std::vector<double> kelvin = FieldValues(temperature).values;
  if (kelvin.size() < 2) throw Error("temperature has less than 2 nodes, give more");
  const auto steps = static_cast<double>(kelvin.size() - 1);
  const TemperatureNodes nodes{kelvin.front(), (kelvin.back() - kelvin.front()) / steps,
                               kelvin.size()};
  for (std::size_t i = 0; i < kelvin.size(); ++i) {
    const double even = nodes.first + nodes.step * static_cast<double>(i);
    if (std::abs(kelvin[i] - even) > 1e-6 * nodes.step) {
      throw Error("nodes of temperature are not equally spaced, give them so");
    }
  }
  const Shape wanted{absorption.ndim() == 2 ? absorption.shape(0) : 1, temperature.size()};
  check_shape(absorption, wanted, "absorption_coefficient");
  check_shape(intensity, wanted, "blackbody_intensity");
  return {{SpectralList(nodes, {absorption.data(), absorption.data() + absorption.size()},
                        {intensity.data(), intensity.data() + intensity.size()}),
           {}}};
}

}  // namespace

void AnyMedium::check(const Grid& grid) const {
  for (const Shape& shape : shapes) check_field(shape, shape_of(grid), "a field of the medium");
}

py::object wrap(const Medium& medium, std::vector<Particles> particles) {
  const AnyMedium any{medium, {}, std::move(particles)};
  if (std::holds_alternative<GreyMedium>(medium)) return py::cast(Grey{any});
  if (std::holds_alternative<GasMedium>(medium)) return py::cast(Gas{any});
  return py::cast(List{any});
}

namespace {

/// {'mist': {'absorption': 0.1, 'scattering': 2.0, 'asymmetry': 0.8}}, and the shapes of its
/// arrays.
std::vector<Particles> particles_of(const py::dict& given, std::vector<Shape>& shapes) {
  std::vector<Particles> found;
  for (const auto& [name, properties] : given) {
    Particles particles{name.cast<std::string>()};
    const std::string path = "particles['" + particles.name + "']";
    if (!py::isinstance<py::dict>(properties)) {
      throw Error(path + " is no dict, give {'absorption': 0.1, 'scattering': 2.0} [1/m]");
    }
    for (const auto& [key_object, value] : py::reinterpret_borrow<py::dict>(properties)) {
      const auto key = key_object.cast<std::string>();
      if (key == "asymmetry") {
        particles.asymmetry = value.cast<Number>();
        continue;
      }
      if (key != "absorption" && key != "scattering") {
        throw Error(path + " has the unknown key '" + key +
                    "', give absorption, scattering or asymmetry");
      }
      FieldValues field{Array(value)};
      shapes.push_back(field.shape);
      (key == "absorption" ? particles.absorption : particles.scattering) = std::move(field.values);
    }
    found.push_back(std::move(particles));
  }
  return found;
}

/// In place of those it had.
template <class Kind>
Kind with_particles_of(const Kind& medium, const py::dict& given) {
  Kind other = medium;
  other.particles = particles_of(given, other.shapes);
  with_particles(other.medium, other.particles);  // refuses what cannot be
  return other;
}

constexpr const char* particles_help =
    "The same medium with particles: {'mist': {'absorption': 0.1, 'scattering': 2.0, 'asymmetry':\n"
    "0.8}}, coefficients [1/m] as numbers or arrays of shape (nx, ny, nz), 0 by default; "
    "asymmetry\n"
    "is the mean cosine of the angle of scattering. They replace those that it had.";

std::string described(const AnyMedium& any) {
  std::string text = describe(any.medium);
  for (const Particles& one : any.particles) text += "; " + describe(one);
  return text;
}

}  // namespace

void bind_media(py::module_& m) {
  py::class_<AnyMedium>(m, "Medium", "What the gas is: GreyMedium, GasMedium or SpectralList.")
      .def("__str__", &described)
      .def("__repr__", [](const AnyMedium& any) { return "<Medium: " + described(any) + ">"; });
  py::class_<Grey, AnyMedium>(m, "GreyMedium", "Gas that absorbs the same at all wavelengths.")
      .def(py::init(&make_grey), py::arg("absorption_coefficient"),
           "absorption_coefficient [1/m]: a number, or an array of shape (nx, ny, nz).")
      .def("with_particles", &with_particles_of<Grey>, py::arg("particles"), particles_help);
  py::class_<Gas, AnyMedium>(
      m, "GasMedium",
      "Gas with a spectrum: a mixture of H2O, CO2, CO, CH4 and nitrogen, with or without soot, or\n"
      "that of a table.")
      .def(
          py::init(&make_mixture), py::arg("mole_fractions"), py::arg("pressure") = py::none(),
          py::kw_only(), py::arg("band_width_cm1") = py::none(), py::arg("quadrature") = py::none(),
          py::arg("quadrature_points") = py::none(), py::arg("soot_constant") = py::none(),
          "mole_fractions: {'H2O': 0.2, 'CO2': 0.1}, numbers or arrays of shape (nx, ny, nz); the\n"
          "rest is nitrogen. 'soot' is among them by its volume fraction. pressure is the total "
          "one\n"
          "[Pa], by default 101325. The others are as in case files: width of the bands [1/cm], "
          "by\n"
          "default that of the data, the quadrature ('skewed') and its points (16) within each, "
          "and C\n"
          "of soot (7), k = C volume_fraction wavenumber. What has no meaning is refused: pressure "
          "and\n"
          "bands for soot alone, soot_constant without soot.")
      .def_static(
          "from_table",
          [](const SpectralTable& table) {
            return Gas{{GasMedium(table), {}}};
          },
          py::arg("table"), "The gas of a SpectralTable, at its pressure and mole fraction.")
      .def_property_readonly(
          "temperature_range",
          [](const Gas& gas) {
            const auto& medium = std::get<GasMedium>(gas.medium);
            return py::make_tuple(medium.coldest(), medium.hottest());
          },
          "Temperatures of the gas that are covered [K].")
      .def("with_particles", &with_particles_of<Gas>, py::arg("particles"), particles_help);
  py::class_<List, AnyMedium>(
      m, "SpectralList",
      "Any non-grey gas as a list of spectral points, such as a weighted sum of grey gases.")
      .def(py::init(&make_list), py::arg("temperature"), py::arg("absorption_coefficient"),
           py::arg("blackbody_intensity"),
           "temperature [K]: equally spaced nodes. absorption_coefficient [1/m] and\n"
           "blackbody_intensity [W/(m2 sr)], of shape (points, nodes), the latter multiplied by\n"
           "the width and weight of its point. Both are linear between nodes.")
      .def("with_particles", &with_particles_of<List>, py::arg("particles"), particles_help);
}

}  // namespace ermine::python
