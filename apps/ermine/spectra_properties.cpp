#include "gas_source.hpp"
#include "spectra.hpp"
#include "terminal.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace ermine::cli {
namespace {

constexpr double pascal_per_atmosphere = 101325.0;

struct PropertyOptions {
  GasOptions gas;
  std::vector<double> temperature;
  std::vector<double> length;
  bool json = false;
};

void print_planck_mean(const PropertyOptions& options) {
  GasSource gas(options.gas);
  const double atmospheres =
      gas.single_mole_fraction("planck-mean") * gas.pressure() / pascal_per_atmosphere;
  const std::vector<double> kelvin = options.temperature.empty()
                                         ? usual_temperatures({gas.coldest(), gas.hottest()})
                                         : options.temperature;
  const SpectralTable& table = gas.tables(kelvin).front();
  nlohmann::ordered_json out{
      {"gas", table.gas}, {"pressure", table.pressure}, {"mole_fraction", table.mole_fraction}};
  std::string text = fmt::format("Planck-mean absorption coefficient of {}\n\n", gas.title());
  text += fmt::format("  {:>8}  {:>12}  {:>12}\n", "T [K]", "[1/m]", "[1/(m atm)]");
  for (const double t : kelvin) {
    const double mean = planck_mean(table, t);
    text += fmt::format("  {:>8.5g}  {:>12.5g}  {:>12.5g}\n", t, mean, mean / atmospheres);
    out["values"].push_back({{"temperature", t},
                             {"absorption_coefficient", mean},
                             {"per_atmosphere", mean / atmospheres}});
  }
  terminal::print("{}", options.json ? out.dump(2) + "\n" : text);
}

void print_emissivity(const PropertyOptions& options) {
  GasSource gas(options.gas);
  const std::vector<SpectralTable>& tables = gas.tables(options.temperature);
  nlohmann::ordered_json out{{"gas", gas.title()},
                             {"pressure", gas.pressure()},
                             {"temperature", options.temperature},
                             {"length", options.length}};
  std::string text = fmt::format("Total emissivity of {}\n\n  {:>10}", gas.title(), "length [m]");
  for (const double kelvin : options.temperature) {
    text += fmt::format("  {:>9}", fmt::format("{:.5g} K", kelvin));
  }
  for (const double length : options.length) {
    text += fmt::format("\n  {:>10.4g}", length);
    nlohmann::ordered_json row;
    for (const double kelvin : options.temperature) {
      const double value = emissivity(tables, kelvin, length);
      text += fmt::format("  {:>9.4f}", value);
      row.push_back(value);
    }
    out["emissivity"].push_back(row);
  }
  terminal::print("{}\n", options.json ? out.dump(2) : text);
}

}  // namespace

void add_spectra_planck_mean(CLI::App& spectra) {
  auto options = std::make_shared<PropertyOptions>();
  CLI::App* verb =
      spectra.add_subcommand("planck-mean", "Planck-mean absorption coefficient of a gas");
  add_gas_options(*verb, options->gas);
  add_temperature(*verb, options->temperature);
  verb->add_flag("--json", options->json, "Print one JSON object");
  verb->callback([options] { print_planck_mean(*options); });
}

void add_spectra_emissivity(CLI::App& spectra) {
  auto options = std::make_shared<PropertyOptions>();
  CLI::App* verb =
      spectra.add_subcommand("emissivity", "Total emissivity of a column of gas or a mixture");
  add_gas_options(*verb, options->gas);
  add_temperature(*verb, options->temperature);
  add_length(*verb, options->length);
  verb->get_option("--temperature")->required();
  verb->get_option("--length")->required();
  verb->add_flag("--json", options->json, "Print one JSON object");
  verb->callback([options] { print_emissivity(*options); });
}

}  // namespace ermine::cli
