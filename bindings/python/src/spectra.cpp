#include "spectra.hpp"

#include <ermine/error.hpp>
#include <ermine/gas_properties.hpp>
#include <ermine/lines.hpp>
#include <ermine/narrow_band.hpp>
#include <ermine/planck.hpp>
#include <ermine/version.hpp>

#include "arrays.hpp"
#include "problem.hpp"
#include "process.hpp"

#include <filesystem>
#include <optional>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace ermine::python {
namespace {

using Parameters = NarrowBandParameters;

std::vector<double> vector_of(const std::optional<Array>& array) {
  return array ? FieldValues(*array).values : std::vector<double>{};
}

SpectralTable narrow_band_table(const Parameters& parameters, double pressure,
                                const std::optional<py::dict>& mole_fractions,
                                const KDistributionOptions& options) {
  check_process();
  const Composition composition =
      mole_fractions ? composition_of(*mole_fractions) : Composition::pure(parameters.species);
  const py::gil_scoped_release others_may_run;
  return k_distribution(parameters, pressure, composition, options);
}

SpectralTable k_distribution_of(const py::object& gas, Number pressure,
                                const std::optional<py::dict>& mole_fractions,
                                Number band_width_cm1, const std::string& quadrature, int points,
                                const std::optional<Array>& temperature) {
  const KDistributionOptions options{.band_width_cm1 = band_width_cm1,
                                     .quadrature = quadrature_of(quadrature, points),
                                     .temperature = vector_of(temperature)};
  if (py::isinstance<Parameters>(gas)) {
    return narrow_band_table(gas.cast<const Parameters&>(), pressure, mole_fractions, options);
  }
  return narrow_band_table(shipped_parameters(species_of(gas.cast<std::string>())), pressure,
                           mole_fractions, options);
}

SpectralTable line_by_line(const std::filesystem::path& lines_file,
                           const std::filesystem::path& sums_file, const Array& temperature,
                           const std::string& gas, const LineByLineOptions& options) {
  check_process();
  const std::vector<double> kelvin = FieldValues(temperature).values;
  const py::gil_scoped_release others_may_run;
  std::vector<SpectralLine> lines;
  read_lines(lines_file, [&](const SpectralLine& line) { lines.push_back(line); });
  SpectralTable table = line_by_line_table(lines, PartitionSums::read(sums_file), kelvin, options);
  table.gas = gas;
  table.manifest.tool = std::string("ermine ") + ERMINE_VERSION;
  table.manifest.options = "line by line from " + lines_file.filename().string() + " and " +
                           sums_file.filename().string();
  return table;
}

py::object mixture_emissivity(const std::vector<SpectralTable>& mixture, const Array& kelvin,
                              const Array& length) {
  return py::vectorize([&](double k, double l) {
    return emissivity(std::span<const SpectralTable>(mixture), k, l);
  })(kelvin, length);
}

auto parameter_rows(std::vector<double> Parameters::*member) {
  return [member](const py::object& self) {
    const auto& of = self.cast<const Parameters&>();
    const Shape shape{static_cast<py::ssize_t>(of.bands.size()),
                      static_cast<py::ssize_t>(of.temperature.size())};
    return rows(std::span<const double>(of.*member), shape, self);
  };
}

void bind_parameters(py::module_& m) {
  py::class_<Parameters>(m, "NarrowBandParameters",
                         "Statistical narrow-band parameters of a species, for the Malkmus model.")
      .def_property_readonly(
          "species", [](const Parameters& self) { return std::string(name_of(self.species)); },
          "Its name.")
      .def_property_readonly(
          "bands", [](const Parameters& self) { return edges_of(self.bands); },
          "Lower and upper edges [1/cm], shape (bands, 2).")
      .def_property_readonly(
          "temperature",
          [](const py::object& self) {
            const auto& kelvin = self.cast<const Parameters&>().temperature;
            return view(kelvin, {static_cast<py::ssize_t>(kelvin.size())}, self);
          },
          "[K].")
      .def_property_readonly("mean_absorption", parameter_rows(&Parameters::mean_absorption),
                             "kbar [1/(m Pa)], shape (bands, temperatures).")
      .def_property_readonly("inverse_spacing", parameter_rows(&Parameters::inverse_spacing),
                             "1/delta [cm], shape (bands, temperatures).")
      .def_property_readonly(
          "citation", [](const Parameters& self) { return self.manifest.citation; },
          "Of the data; cite it when you use them.");
  m.def(
      "shipped_parameters",
      [](const std::string& gas) { return shipped_parameters(species_of(gas)); }, py::arg("gas"),
      "The parameters that come with ermine, of 'H2O', 'CO2', 'CO' or 'CH4'.");
  m.def(
      "read_snb",
      [](const std::filesystem::path& file, const std::string& gas) {
        return read_snb(file, species_of(gas));
      },
      py::arg("file"), py::arg("gas"), "Reads parameters from a text table of EM2C.");
}

void bind_planck(py::module_& m) {
  m.def(
      "planck_intensity",
      [](const Array& low_cm1, const Array& high_cm1, const Array& temperature) {
        return py::vectorize([](double low, double high, double kelvin) {
          return planck_intensity({low, high}, kelvin);
        })(low_cm1, high_cm1, temperature);
      },
      py::arg("low_cm1"), py::arg("high_cm1"), py::arg("temperature"),
      "Blackbody intensity [W/(m2 sr)] between two wavenumbers [1/cm] at temperatures [K].");
  m.def(
      "planck_fraction_below",
      [](const Array& wavenumber_cm1, const Array& temperature) {
        return py::vectorize(&planck_fraction_below)(wavenumber_cm1, temperature);
      },
      py::arg("wavenumber_cm1"), py::arg("temperature"),
      "Share of a blackbody's power at wavenumbers below the given one [1/cm], from 0 to 1.");
}

void bind_soot(py::module_& m) {
  m.def(
      "soot_constant", [](Number n, Number k) { return soot_constant(n, k); }, py::arg("n"),
      py::arg("k"),
      "C of soot whose complex refractive index is n - i k, for GasMedium(soot_constant=C).");
  m.def(
      "soot_planck_mean",
      [](const Array& temperature, Number constant) {
        return py::vectorize([constant = constant.value](double kelvin) {
          return soot_planck_mean(kelvin, constant);
        })(temperature);
      },
      py::arg("temperature"), py::arg("constant") = Soot::usual_constant,
      "Planck-mean absorption coefficient of soot of volume fraction 1 [1/m] at temperatures [K].\n"
      "Multiply it by the volume fraction; constant is C.");
}

}  // namespace

Species species_of(const std::string& name) {
  if (const auto species = species_named(name)) return *species;
  throw Error("gas '" + name + "' is not known, give one of " + species_names());
}

std::optional<Species> species_or_soot(const std::string& name) {
  if (name == "soot") return std::nullopt;
  if (const auto species = species_named(name)) return species;
  throw Error("gas '" + name + "' is not known, give one of " + species_names() + " or 'soot'");
}

Composition composition_of(const py::dict& mole_fractions) {
  Composition composition;
  for (const auto& [name, value] : mole_fractions) {
    composition[species_of(name.cast<std::string>())] = value.cast<Number>();
  }
  return composition;
}

Quadrature quadrature_of(const std::string& name, int points) {
  if (points < 1 || points > 256) {
    throw Error("there are " + std::to_string(points) + " points of quadrature, give 1 to 256");
  }
  if (name == "skewed") return Quadrature::skewed(points);
  if (name == "legendre") return Quadrature::gauss_legendre(points);
  throw Error("quadrature is '" + name + "', give skewed or legendre");
}

py::object edges_of(const std::vector<Band>& bands) {
  py::array_t<double> edges({static_cast<py::ssize_t>(bands.size()), py::ssize_t{2}});
  auto edge = edges.mutable_unchecked<2>();
  for (std::size_t i = 0; i < bands.size(); ++i) {
    edge(static_cast<py::ssize_t>(i), 0) = bands[i].low_cm1;
    edge(static_cast<py::ssize_t>(i), 1) = bands[i].high_cm1;
  }
  return edges;
}

void bind_spectra(py::module_& m) {
  bind_planck(m);
  bind_soot(m);
  bind_parameters(m);
  m.def(
      "k_distribution", &k_distribution_of, py::arg("gas"), py::arg("pressure") = 101325.0,
      py::arg("mole_fractions") = py::none(), py::kw_only(), py::arg("band_width_cm1") = 0.0,
      py::arg("quadrature") = "skewed", py::arg("quadrature_points") = 16,
      py::arg("temperature") = py::none(),
      "SpectralTable of one gas in a mixture.\n\n"
      "gas: 'H2O', 'CO2', 'CO', 'CH4' or NarrowBandParameters. pressure: total [Pa].\n"
      "mole_fractions: of all absorbing species, the rest is nitrogen; by default the gas is "
      "pure.\n"
      "band_width_cm1 [1/cm], 0: that of the data. temperature [K]: nodes, by default 1 % apart.");
  m.def(
      "emissivity", &mixture_emissivity, py::arg("tables"), py::arg("temperature"),
      py::arg("length"),
      "Total emissivity of homogeneous columns of a mixture, one SpectralTable per species at the\n"
      "same pressure, over temperature [K] and length [m]. Lines overlap at random.");
  m.def(
      "lorentz_half_width",
      [](const std::string& gas, const Array& kelvin, Number pressure,
         const std::optional<py::dict>& mole_fractions) {
        const Species species = species_of(gas);
        const Composition composition =
            mole_fractions ? composition_of(*mole_fractions) : Composition::pure(species);
        return py::vectorize([&](double k) {
          return lorentz_half_width_cm1(species, k, pressure, composition);
        })(kelvin);
      },
      py::arg("gas"), py::arg("temperature"), py::arg("pressure") = 101325.0,
      py::arg("mole_fractions") = py::none(),
      "Mean half-width [1/cm] of a species' lines at temperatures [K] and a pressure [Pa].");
  m.def(
      "line_by_line_table",
      [](const std::filesystem::path& lines, const std::filesystem::path& partition_sums,
         const Array& temperature, const std::string& gas, Number start_cm1, Number stop_cm1,
         Number step_cm1, Number pressure, Number mole_fraction, Number cutoff_cm1, int threads) {
        return line_by_line(lines, partition_sums, temperature, gas,
                            {.pressure = pressure,
                             .mole_fraction = mole_fraction,
                             .from_cm1 = start_cm1,
                             .to_cm1 = stop_cm1,
                             .step_cm1 = step_cm1,
                             .cutoff_cm1 = cutoff_cm1,
                             .threads = threads});
      },
      py::arg("lines"), py::arg("partition_sums"), py::arg("temperature"), py::kw_only(),
      py::arg("gas"), py::arg("start_cm1"), py::arg("stop_cm1"), py::arg("step_cm1") = 0.01,
      py::arg("pressure") = 101325.0, py::arg("mole_fraction") = 1.0, py::arg("cutoff_cm1") = 25.0,
      py::arg("threads") = 0,
      "Line-by-line SpectralTable from a file of HITRAN records and one of partition sums "
      "(CSV).\n\n"
      "start_cm1 and stop_cm1 are whole wavenumbers [1/cm], steps fill 1 1/cm. temperature [K];\n"
      "pressure [Pa]; lines are dropped cutoff_cm1 from their centres. threads: 0 for all.");
}

}  // namespace ermine::python
