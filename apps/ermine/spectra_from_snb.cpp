#include "core/check.hpp"
#include "progress_line.hpp"
#include "spectra.hpp"
#include "terminal.hpp"

#include <nlohmann/json.hpp>

#include <memory>

namespace ermine::cli {
namespace {

struct FromSnbOptions {
  std::string file;
  std::string gas;
  std::string output;
  TableOptions table;
  double extend_to = 0.0;  ///< [K]; 0: not
  bool parameters = false;
  bool json = false;
};

NarrowBandParameters read_parameters(const FromSnbOptions& options) {
  NarrowBandParameters parameters = read_snb(options.file, parse_species(options.gas));
  parameters.manifest.inputs = {input_of(options.file)};
  parameters.manifest.tool = this_tool();
  if (options.extend_to > 0) parameters = extended_down(parameters, options.extend_to);
  return parameters;
}

SpectralTable make_table(const NarrowBandParameters& parameters, const TableOptions& options) {
  Composition composition;
  composition[parameters.species] = options.mole_fraction;
  KDistributionOptions wanted;
  wanted.band_width_cm1 = options.band_width_cm1;
  wanted.quadrature = options.rule();
  if (!options.temperatures.empty()) wanted.temperature = parse_temperatures(options.temperatures);
  SpectralTable table = k_distribution(parameters, options.pressure, composition, wanted);
  table.manifest.options +=
      fmt::format(", {} {} points", options.quadrature, table.quadrature.size());
  return table;
}

void from_snb(const FromSnbOptions& options) {
  check_output(options.output);
  const NarrowBandParameters parameters = read_parameters(options);
  std::string text;
  if (options.parameters) {
    write_narrow_band(parameters, options.output);
    text = summary(parameters);
  } else {
    const SpectralTable table = make_table(parameters, options.table);
    write_table(table, options.output);
    text = summary(table);
    if (const auto warning = pressure_warning(parameters.species, table.pressure)) {
      terminal::note("ermine: warning: {}\n", *warning);
    }
  }
  if (options.json) {
    const nlohmann::ordered_json out{
        {"gas", options.gas},
        {"kind", options.parameters ? "narrow-band parameters" : "k-distribution"},
        {"summary", text},
        {"file", options.output},
        {"bytes", std::filesystem::file_size(options.output)}};
    terminal::print("{}\n", out.dump(2));
    return;
  }
  terminal::print("{}\n\n  file  {}, {}\n", text, options.output,
                  human_bytes(static_cast<double>(std::filesystem::file_size(options.output))));
}

}  // namespace

void add_spectra_from_snb(CLI::App& spectra) {
  auto options = std::make_shared<FromSnbOptions>();
  options->table.quadrature = "skewed";
  CLI::App* verb = spectra.add_subcommand(
      "from-snb", "Table of a gas from a text file of statistical narrow-band parameters");
  verb->add_option("file", options->file, "Narrow-band parameters of EM2C")
      ->required()
      ->type_name("FILE");
  verb->add_option("--gas", options->gas, "H2O, CO2, CO or CH4")->required()->type_name("NAME");
  verb->add_option("-o,--output", options->output, "Table to write")
      ->required()
      ->type_name("OUT.h5");
  add_table_options(*verb, options->table);
  verb->add_option("--extend-to", options->extend_to,
                   "Extrapolate the parameters down to this temperature [K]")
      ->type_name("K")
      ->check(number_within(0.0, 1e5, "give kelvin above 0"));
  CLI::Option* parameters = verb->add_flag("--parameters", options->parameters,
                                           "Write the parameters, for any pressure and mixture");
  for (const char* other : {"--pressure", "--mole-fraction", "--band-width", "--quadrature",
                            "--points", "--temperatures"}) {
    parameters->excludes(verb->get_option(other));
  }
  verb->add_flag("--json", options->json, "Print one JSON object");
  verb->callback([options] { from_snb(*options); });
}

}  // namespace ermine::cli
